import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import { z } from 'zod';
import { MAX_LIMIT } from '../domain/merchant/page.ts';
import { invalidRequest } from '../errors.ts';
import { argumentsBelow } from './arguments-below.ts';
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
    const ruled = withRules(resolve, field);
    return ROOTS.includes(field.parentType) ? withRulesBelow(ruled) : ruled;
  }

  override wrapSubscribe(
    subscribe: Resolve<Types> | undefined,
    field: PothosOutputFieldConfig<Types>,
  ): Resolve<Types> | undefined {
    return subscribe && withRules(subscribe, field);
  }
}

SchemaBuilder.registerPlugin(ARGUMENT_RULES, ArgumentRules);

const ROOTS = ['Query', 'Mutation', 'Subscription'];

/** A page of what belongs to a row is read together with the row: it is looked at before that. */
function withRulesBelow<Types extends SchemaTypes>(resolve: Resolve<Types>): Resolve<Types> {
  return (parent, given, context, info) => {
    for (const below of argumentsBelow(info)) assertRules(below.names, below.given);
    return resolve(parent, given, context, info);
  };
}

function withRules<Types extends SchemaTypes>(
  resolve: Resolve<Types>,
  { args }: PothosOutputFieldConfig<Types>,
): Resolve<Types> {
  const names = Object.keys(args);
  if (names.length === 0) return resolve;
  return (parent, given, context, info) => {
    assertRules(names, given as Args);
    return resolve(parent, given, context, info);
  };
}

function assertRules(names: readonly string[], given: Args): void {
  for (const [param, value] of Object.entries(given)) assertStorable(param, value);
  const isConnection = names.includes('first') && names.includes('after');
  if (isConnection) assertPage(given);
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
