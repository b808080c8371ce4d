import SchemaBuilder, {
  BasePlugin,
  type FieldNullability,
  type InputFieldMap,
  type PothosOutputFieldConfig,
  type SchemaTypes,
  type TypeParam,
} from '@pothos/core';
import {
  DirectiveLocation,
  GraphQLDirective,
  type GraphQLFieldResolver,
  type GraphQLNamedType,
  GraphQLNonNull,
  isEnumType,
} from 'graphql';
import { requireScope } from '../domain/merchant/caller.ts';
import type { ApiKeyScope } from '../generated/prisma/client.ts';
import type { GraphqlContext } from './context.ts';

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      requiredScope: RequiredScope<Types>;
    }
    export interface FieldOptions<
      Types extends SchemaTypes = SchemaTypes,
      ParentShape = unknown,
      Type extends TypeParam<Types> = TypeParam<Types>,
      Nullable extends FieldNullability<Type> = FieldNullability<Type>,
      Args extends InputFieldMap = InputFieldMap,
      ResolveShape = unknown,
      ResolveReturnShape = unknown,
    > {
      /**
       * The scope that a key must have, where it is another than the root type's (READ of queries and live updates, WRITE of
       * mutations); null for what is open without a key.
       */
      requires?: ApiKeyScope | null;
    }
  }
}

export const REQUIRED_SCOPE = 'requiredScope';
const DIRECTIVE = 'requiresScope';

type Resolve<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>;

// Closed unless a field says otherwise: a new one is never open by being forgotten.
const OF_ROOT: Readonly<Record<string, ApiKeyScope>> = {
  Query: 'READ',
  Mutation: 'WRITE',
  Subscription: 'READ',
};

/** Which scope a key needs for each top field: said in the schema by a directive, and held from the same word. */
class RequiredScope<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const scope = requiredScope(field);
    if (!scope) return field;
    return { ...field, extensions: { ...field.extensions, directives: { [DIRECTIVE]: { scope } } } };
  }

  override wrapResolve(resolve: Resolve<Types>, field: PothosOutputFieldConfig<Types>): Resolve<Types> {
    return held(resolve, field);
  }

  override wrapSubscribe(
    subscribe: Resolve<Types> | undefined,
    field: PothosOutputFieldConfig<Types>,
  ): Resolve<Types> | undefined {
    return subscribe && held(subscribe, field);
  }
}

SchemaBuilder.registerPlugin(REQUIRED_SCOPE, RequiredScope);

function requiredScope<Types extends SchemaTypes>({
  parentType,
  pothosOptions,
}: PothosOutputFieldConfig<Types>): ApiKeyScope | null | undefined {
  const { requires } = pothosOptions;
  return requires === undefined ? OF_ROOT[parentType] : requires;
}

function held<Types extends SchemaTypes>(
  resolve: Resolve<Types>,
  field: PothosOutputFieldConfig<Types>,
): Resolve<Types> {
  const scope = requiredScope(field);
  if (!scope) return resolve;
  return (parent, args, context, info) => {
    requireScope((context as unknown as GraphqlContext).caller, scope);
    return resolve(parent, args, context, info);
  };
}

/** As the schema words it. */
export function requiresScopeDirective(scopes: GraphQLNamedType | undefined): GraphQLDirective {
  if (!isEnumType(scopes)) throw new Error('There is no enum of scopes.');
  return new GraphQLDirective({
    name: DIRECTIVE,
    description:
      'Needs an API key that has this scope, or a member whose role has it; `authentication_error` without.',
    locations: [DirectiveLocation.FIELD_DEFINITION],
    args: { scope: { type: new GraphQLNonNull(scopes), description: 'The scope.' } },
  });
}
