import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import { isListed } from '../../../domain/billing/read/read-subscriptions.ts';

type Resolve<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>;

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      listedRows: ListedRowsPlugin<Types>;
    }
  }
}

export const LISTED_ROWS = 'listedRows';

/**
 * Resolves the fields of a listed subscription, of its customer and of its plan from the rows, which were read
 * with all that the operation selects (`listed-columns.ts`). Without this plugin, the Prisma plugin would check
 * that for every row.
 */
class ListedRowsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(resolve: Resolve<Types>, field: PothosOutputFieldConfig<Types>): Resolve<Types> {
    const own = field.resolve as Resolve<Types> | undefined;
    if (!own || !field.extensions?.pothosPrismaSelect) return resolve;
    return (parent, args, context, info) =>
      isListed(parent) ? own(parent, args, context, info) : resolve(parent, args, context, info);
  }
}

SchemaBuilder.registerPlugin(LISTED_ROWS, ListedRowsPlugin);
