import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import { z } from 'zod';
import { MAX_LIMIT } from '../../../domain/kernel/paging/numbered-page.ts';
import { invalidRequest } from '../../../errors.ts';
import { assertAmounts } from '../arguments/assert-amounts.ts';
import { assertStorable } from '../arguments/assert-storable.ts';
import { nestedArguments } from '../arguments/nested-arguments.ts';
import { complexityOf } from './complexity.ts';
import { TOTAL_COUNT } from './relay-options.ts';

type Args = Readonly<Record<string, unknown>>;
type Resolve<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>;

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      checkArguments: CheckArguments<Types>;
    }
  }
}

export const CHECK_ARGUMENTS = 'checkArguments';

/**
 * Checks the arguments of every field before its resolver runs, and sets the field's complexity. It
 * also adds the one description that Pothos cannot take.
 */
class CheckArguments<Types extends SchemaTypes> extends BasePlugin<Types> {
  // `totalCount` of a connection is the only field whose options take no description.
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const { pothosOptions, name, description } = field;
    return {
      ...field,
      description: name === 'totalCount' ? TOTAL_COUNT : description,
      pothosOptions: { complexity: complexityOf(field), ...pothosOptions },
    } as PothosOutputFieldConfig<Types>;
  }

  override wrapResolve(resolve: Resolve<Types>, field: PothosOutputFieldConfig<Types>): Resolve<Types> {
    const ruled = withRules(resolve, field);
    return ROOTS.includes(field.parentType) ? withNestedRules(ruled) : ruled;
  }

  override wrapSubscribe(
    subscribe: Resolve<Types> | undefined,
    field: PothosOutputFieldConfig<Types>,
  ): Resolve<Types> | undefined {
    return subscribe && withRules(subscribe, field);
  }
}

SchemaBuilder.registerPlugin(CHECK_ARGUMENTS, CheckArguments);

const ROOTS = ['Query', 'Mutation', 'Subscription'];

/**
 * The Prisma plugin loads pages of related rows together with their parent, so their arguments are
 * checked before the parent is loaded.
 */
function withNestedRules<Types extends SchemaTypes>(resolve: Resolve<Types>): Resolve<Types> {
  return (parent, values, context, info) => {
    for (const nested of nestedArguments(info)) assertRules(nested.names, nested.values);
    return resolve(parent, values, context, info);
  };
}

function withRules<Types extends SchemaTypes>(
  resolve: Resolve<Types>,
  { args }: PothosOutputFieldConfig<Types>,
): Resolve<Types> {
  const names = Object.keys(args);
  if (names.length === 0) return resolve;
  return (parent, values, context, info) => {
    assertRules(names, values as Args);
    assertAmounts(info, values as Args);
    return resolve(parent, values, context, info);
  };
}

function assertRules(names: readonly string[], values: Args): void {
  for (const [param, value] of Object.entries(values)) assertStorable(param, value);
  const isConnection = names.includes('first') && names.includes('after');
  if (isConnection) assertPage(values);
}

/** Refuses a page size out of range instead of clamping it. */
function assertPage(args: Args): void {
  for (const param of ['first', 'last']) {
    const size = args[param] ?? 1;
    if (typeof size !== 'number' || size < 1 || size > MAX_LIMIT) {
      throw invalidRequest(param, `${param} must be a whole number from 1 to ${MAX_LIMIT}.`);
    }
  }
  for (const param of ['after', 'before']) {
    if (args[param] != null && !isCursor(args[param])) {
      throw invalidRequest(param, `${param} must be a cursor from an earlier response.`);
    }
  }
  const forward = ['first', 'after'].some((param) => args[param] != null);
  for (const param of ['last', 'before']) {
    if (!forward || args[param] == null) continue;
    throw invalidRequest(param, `${param} cannot be combined with first or after.`);
  }
}

// Pothos writes a cursor as `GPC:S:<id>`; all ids used for paging are UUIDs.
function isCursor(value: unknown): boolean {
  const text = Buffer.from(String(value), 'base64').toString();
  return text.startsWith('GPC:S:') && z.uuid().safeParse(text.slice('GPC:S:'.length)).success;
}
