import { GraphQLError, type ValueNode, valueFromASTUntyped } from 'graphql';
import { z } from 'zod';
import { isKnownYear } from '../../../domain/kernel/input/time-filter.ts';
import { builder } from '../builder.ts';

const MAX_AMOUNT = 2n ** 64n - 1n;
/** Without leading zeros: an amount with them is a mistake, for example a cut or padded number. */
const AMOUNT = /^(?:0|[1-9]\d{0,19})$/;

builder.scalarType('TokenAmount', {
  description:
    'An amount of a token in base units: a string of digits without leading zeros, at most 2^64 - 1. USDC has 6 decimals, so `"1000000"` is 1 USDC.',
  serialize: (amount) => amount.toString(),
  parseValue: (value) => toAmount(value),
  parseLiteral: (node) => toAmount(valueFromASTUntyped(node), node),
});

builder.scalarType('SignedTokenAmount', {
  description: 'A `TokenAmount` that has a minus sign if it is below 0. No argument has this type.',
  serialize: (amount) => amount.toString(),
});

function toAmount(value: unknown, node?: ValueNode): bigint {
  const amount = typeof value === 'string' && AMOUNT.test(value) ? BigInt(value) : undefined;
  if (amount !== undefined && amount <= MAX_AMOUNT) return amount;
  throw new GraphQLError(
    'A TokenAmount is an integer string of base units without leading zeros, at most 2^64 - 1.',
    locationOf(node),
  );
}

builder.scalarType('DateTime', {
  description: 'An ISO 8601 time in UTC with milliseconds: `2026-12-01T00:00:00.000Z`.',
  serialize: (date) => date.toISOString(),
  parseValue: (value) => toDate(value),
  parseLiteral: (node) => toDate(valueFromASTUntyped(node), node),
});

function toDate(value: unknown, node?: ValueNode): Date {
  const date = typeof value === 'string' && ISO_TIME.safeParse(value).success ? new Date(value) : undefined;
  if (date !== undefined && isKnownYear(date)) return date;
  throw new GraphQLError(
    'A DateTime is an ISO 8601 time with a time zone, in the years 0001 to 9999: "2026-12-01T00:00:00Z".',
    locationOf(node),
  );
}

/**
 * Refuses days and hours that do not exist, which `Date` would move to the next one. Seconds may be
 * left out.
 */
const ISO_TIME = z.union([z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })]);

/** The location of the error: the literal, or none for the value of a variable. */
function locationOf(nodes: ValueNode | undefined) {
  return nodes && { nodes };
}

builder.scalarType('JSON', {
  description: 'Any JSON value.',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node: ValueNode, variables) => valueFromASTUntyped(node, variables),
});
