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
import { requireScope } from '../../domain/access/caller.ts';
import type { ApiKeyScope } from '../../generated/prisma/client.ts';
import type { GraphqlContext } from './context.ts';
import { assertNestedScopes, SCOPE_EXTENSION, scopeOfField } from './nested-scopes.ts';

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
       * The scope that a key needs for this field, if it differs from its type's scope. The default
       * is READ for queries and live updates, WRITE for mutations and READ for every other type.
       * Null for a field that needs no scope.
       */
      requires?: ApiKeyScope | null;
    }
    export interface ObjectTypeOptions<Types extends SchemaTypes = SchemaTypes, Shape = unknown> {
      /**
       * The scope of all fields of the type that name no other; null for a type that needs no
       * scope.
       */
      requires?: ApiKeyScope | null;
    }
  }
}

export const REQUIRED_SCOPE = 'requiredScope';
const DIRECTIVE = 'requiresScope';

type Resolve<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>;

// Closed by default: a new type or field is never open because its scope was forgotten.
const OF_ROOT: Readonly<Record<string, ApiKeyScope>> = {
  Query: 'READ',
  Mutation: 'WRITE',
  Subscription: 'READ',
};
const OF_TYPES: ApiKeyScope = 'READ';

/**
 * Holds the scope that a key needs for each field, on every path: the result of a mutation needs
 * READ too. The schema shows the scope of a top field as a directive.
 *
 * A document that selects a field without the caller's scope is refused before its top field runs.
 * Nested fields are checked as well, in case that check misses one.
 */
class RequiredScope<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const scope = this.#scopeOf(field);
    if (!scope) return field;
    const directives = isTop(field) && { directives: { [DIRECTIVE]: { scope } } };
    return { ...field, extensions: { ...field.extensions, [SCOPE_EXTENSION]: scope, ...directives } };
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

  #scopeOf({ parentType, pothosOptions }: PothosOutputFieldConfig<Types>): ApiKeyScope | null {
    if (pothosOptions.requires !== undefined) return pothosOptions.requires;
    const ofRoot = OF_ROOT[parentType];
    if (ofRoot) return ofRoot;
    const type = this.buildCache.getTypeConfig(parentType).pothosOptions as {
      readonly requires?: ApiKeyScope | null;
    };
    return type.requires === undefined ? OF_TYPES : type.requires;
  }
}

SchemaBuilder.registerPlugin(REQUIRED_SCOPE, RequiredScope);

function isTop<Types extends SchemaTypes>({ parentType }: PothosOutputFieldConfig<Types>): boolean {
  return parentType in OF_ROOT;
}

function held<Types extends SchemaTypes>(
  resolve: Resolve<Types>,
  field: PothosOutputFieldConfig<Types>,
): Resolve<Types> {
  const scope = scopeOfField(field);
  if (isTop(field)) {
    return (parent, args, context, info) => {
      const { caller } = context as unknown as GraphqlContext;
      if (scope) requireScope(caller, scope);
      assertNestedScopes(caller, info);
      return resolve(parent, args, context, info);
    };
  }
  if (!scope) return resolve;
  return (parent, args, context, info) => {
    requireScope((context as unknown as GraphqlContext).caller, scope);
    return resolve(parent, args, context, info);
  };
}

/** The directive as the schema declares it. */
export function requiresScopeDirective(scopes: GraphQLNamedType | undefined): GraphQLDirective {
  if (!isEnumType(scopes)) throw new Error('There is no enum of scopes.');
  return new GraphQLDirective({
    name: DIRECTIVE,
    description:
      'Needs an API key with this scope, or a member whose role has it; otherwise `authentication_error`. The fields of a mutation result need READ, except those of what the mutation itself created.',
    locations: [DirectiveLocation.FIELD_DEFINITION],
    args: { scope: { type: new GraphQLNonNull(scopes), description: 'The scope.' } },
  });
}
