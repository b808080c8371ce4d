import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import { isListed } from '../../../domain/billing/read/read-subscriptions.ts';

type Resolve<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>;

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      readRelations: ReadRelations<Types>;
    }
  }
}

export const READ_RELATIONS = 'readRelations';

/**
 * Resolves the customer and the plan of a listed subscription from its row, which was loaded with
 * them. Without this plugin, the Prisma plugin would check for every row whether its query included
 * them.
 */
class ReadRelations<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(resolve: Resolve<Types>, field: PothosOutputFieldConfig<Types>): Resolve<Types> {
    const relation = field.extensions?.pothosPrismaRelationField as { readonly name: string } | undefined;
    if (relation?.name !== 'customer' && relation?.name !== 'plan') return resolve;
    const { name } = relation;
    return (parent, args, context, info) =>
      isListed(parent) ? parent[name] : resolve(parent, args, context, info);
  }
}

SchemaBuilder.registerPlugin(READ_RELATIONS, ReadRelations);
