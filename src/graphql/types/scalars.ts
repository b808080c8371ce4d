import { GraphQLError, type ValueNode, valueFromASTUntyped } from 'graphql';
import { builder } from '../builder.ts';

const MAX_AMOUNT = 2n ** 64n - 1n;

builder.scalarType('TokenAmount', {
  description:
    'An amount of a token in its base units (USDC has 6 decimals: `"1000000"` is 1 USDC), as an integer string of at most 64 bits.',
  serialize: (amount) => amount.toString(),
  parseValue(value) {
    const amount = typeof value === 'string' && /^\d{1,20}$/.test(value) ? BigInt(value) : undefined;
    if (amount === undefined || amount > MAX_AMOUNT) {
      throw new GraphQLError('A TokenAmount is an integer string of base units, at most 2^64 - 1.');
    }
    return amount;
  },
});

builder.scalarType('DateTime', {
  description: 'A moment, ISO 8601 in UTC with milliseconds: `2026-12-01T00:00:00.000Z`.',
  serialize: (date) => date.toISOString(),
  parseValue(value) {
    const date = typeof value === 'string' && ISO_DATE.test(value) ? new Date(value) : undefined;
    // Beyond these years the database, or ISO 8601 without a sign, knows no moment.
    const year = date?.getUTCFullYear() ?? Number.NaN;
    if (date === undefined || !(year >= 1 && year <= 9999)) {
      throw new GraphQLError('A DateTime is an ISO 8601 moment with a time zone, in the years 0001 to 9999.');
    }
    return date;
  },
});

const ISO_DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

builder.scalarType('JSON', {
  description: 'Any JSON value.',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node: ValueNode, variables) => valueFromASTUntyped(node, variables),
});
