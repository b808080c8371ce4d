import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import { z } from 'zod';
import { MAX_LIMIT } from '../domain/merchant/page.ts';
import { invalidRequest } from '../errors.ts';
import { complexityOf } from './complexity.ts';
import { TOTAL_COUNT } from './relay-options.ts';
import { assertStorable } from './storable.ts';

type Args = Readonly<Record<string, unknown>>;
type Resolve<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>;

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      argumentRules: ArgumentRules<Types>;
    }
  }
}

export const ARGUMENT_RULES = 'argumentRules';

/** What holds for the arguments of every field, checked before its resolver sees them, and what they make the field cost; and a word that is missing. */
class ArgumentRules<Types extends SchemaTypes> extends BasePlugin<Types> {
  // The count of a connection is the one field whose maker takes no description.
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const { pothosOptions, name, description } = field;
    return {
      ...field,
      description: name === 'totalCount' ? TOTAL_COUNT : description,
      pothosOptions: { complexity: complexityOf(field), ...pothosOptions },
    } as PothosOutputFieldConfig<Types>;
  }

  override wrapResolve(resolve: Resolve<Types>, field: PothosOutputFieldConfig<Types>): Resolve<Types> {
    return withRules(resolve, field);
  }

  override wrapSubscribe(
    subscribe: Resolve<Types> | undefined,
    field: PothosOutputFieldConfig<Types>,
  ): Resolve<Types> | undefined {
    return subscribe && withRules(subscribe, field);
  }
}

SchemaBuilder.registerPlugin(ARGUMENT_RULES, ArgumentRules);

function withRules<Types extends SchemaTypes>(
  resolve: Resolve<Types>,
  { args }: PothosOutputFieldConfig<Types>,
): Resolve<Types> {
  if (Object.keys(args).length === 0) return resolve;
  const isConnection = 'first' in args && 'after' in args;
  return (parent, given, context, info) => {
    for (const [param, value] of Object.entries(given)) assertStorable(param, value);
    if (isConnection) assertPage(given as Args);
    return resolve(parent, given, context, info);
  };
}

/** Out of range is said, never clamped in silence. */
function assertPage(args: Args): void {
  for (const param of ['first', 'last']) {
    const size = args[param] ?? 1;
    if (typeof size !== 'number' || size < 1 || size > MAX_LIMIT) {
      throw invalidRequest(param, `${param} must be a whole number from 1 to ${MAX_LIMIT}.`);
    }
  }
  for (const param of ['after', 'before']) {
    if (args[param] != null && !isCursor(args[param])) {
      throw invalidRequest(param, `${param} must be a cursor of an earlier answer.`);
    }
  }
  const forward = ['first', 'after'].some((param) => args[param] != null);
  for (const param of ['last', 'before']) {
    if (!forward || args[param] == null) continue;
    throw invalidRequest(param, `${param} does not go with first or after.`);
  }
}

// Pothos words a cursor `GPC:S:<id>`; every id that we page by is a UUID.
function isCursor(value: unknown): boolean {
  const text = Buffer.from(String(value), 'base64').toString();
  return text.startsWith('GPC:S:') && z.uuid().safeParse(text.slice('GPC:S:'.length)).success;
}
