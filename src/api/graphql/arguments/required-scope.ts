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
import { requireScope } from '../../../domain/kernel/access/caller.ts';
import type { ApiKeyScope } from '../../../generated/prisma/client.ts';
import type { GraphqlContext } from '../context.ts';
import { assertNestedScopes, SCOPES_EXTENSION, scopesOfField } from './nested-scopes.ts';

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
       * Null for a field that needs no scope. A mutation that returns or sends out more than its
       * own change needs READ and WRITE.
       */
      requires?: ApiKeyScope | readonly ApiKeyScope[] | null;
    }
    export interface ObjectTypeOptions<Types extends SchemaTypes = SchemaTypes, Shape = unknown> {
      /**
       * The scope of all fields of the type that have no scope of their own; null for a type that
       * needs no scope.
       */
      requires?: ApiKeyScope | null;
    }
  }
}

export const REQUIRED_SCOPE = 'requiredScope';
const DIRECTIVE = 'requiresScope';

type Resolve<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>;

// Closed by default: a new type or field is never open because its scope was forgotten.
const ROOT_SCOPES: Readonly<Record<string, ApiKeyScope>> = {
  Query: 'READ',
  Mutation: 'WRITE',
  Subscription: 'READ',
};
const DEFAULT_SCOPE: ApiKeyScope = 'READ';

/**
 * Requires a scope for each field, whatever query leads to it: the result of a mutation needs READ
 * too. The schema shows the scope of a top-level field as a directive.
 *
 * A top-level field is refused before it runs if the caller lacks its scope or that of a field
 * below it. Nested fields are checked again when they run, in case that check misses one.
 */
class RequiredScope<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const scopes = this.#scopesOf(field);
    if (scopes.length === 0) return field;
    const directives = isTop(field) && {
      directives: { [DIRECTIVE]: scopes.map((scope) => ({ scope })) },
    };
    return { ...field, extensions: { ...field.extensions, [SCOPES_EXTENSION]: scopes, ...directives } };
  }

  override wrapResolve(resolve: Resolve<Types>, field: PothosOutputFieldConfig<Types>): Resolve<Types> {
    return withScopeCheck(resolve, field);
  }

  override wrapSubscribe(
    subscribe: Resolve<Types> | undefined,
    field: PothosOutputFieldConfig<Types>,
  ): Resolve<Types> | undefined {
    return subscribe && withScopeCheck(subscribe, field);
  }

  #scopesOf({ parentType, pothosOptions }: PothosOutputFieldConfig<Types>): readonly ApiKeyScope[] {
    if (pothosOptions.requires !== undefined) return [pothosOptions.requires ?? []].flat();
    const rootScope = ROOT_SCOPES[parentType];
    if (rootScope) return [rootScope];
    const type = this.buildCache.getTypeConfig(parentType).pothosOptions as {
      readonly requires?: ApiKeyScope | null;
    };
    return type.requires === undefined ? [DEFAULT_SCOPE] : [type.requires ?? []].flat();
  }
}

SchemaBuilder.registerPlugin(REQUIRED_SCOPE, RequiredScope);

function isTop<Types extends SchemaTypes>({ parentType }: PothosOutputFieldConfig<Types>): boolean {
  return parentType in ROOT_SCOPES;
}

function withScopeCheck<Types extends SchemaTypes>(
  resolve: Resolve<Types>,
  field: PothosOutputFieldConfig<Types>,
): Resolve<Types> {
  const scopes = scopesOfField(field);
  if (isTop(field)) {
    return (parent, args, context, info) => {
      const { caller } = context as unknown as GraphqlContext;
      for (const scope of scopes) requireScope(caller, scope);
      assertNestedScopes(caller, info);
      return resolve(parent, args, context, info);
    };
  }
  if (scopes.length === 0) return resolve;
  return (parent, args, context, info) => {
    for (const scope of scopes) requireScope((context as unknown as GraphqlContext).caller, scope);
    return resolve(parent, args, context, info);
  };
}

/** The directive as the schema declares it. */
export function requiresScopeDirective(scopes: GraphQLNamedType | undefined): GraphQLDirective {
  if (!isEnumType(scopes)) throw new Error('The schema has no enum ApiKeyScope.');
  return new GraphQLDirective({
    name: DIRECTIVE,
    description:
      'The field needs an API key with this scope, or a member whose role has it; otherwise the error is `authentication_error`. A field with several scopes needs all of them. The fields of a mutation result need READ, except the fields of an object that the mutation itself created.',
    locations: [DirectiveLocation.FIELD_DEFINITION],
    isRepeatable: true,
    args: { scope: { type: new GraphQLNonNull(scopes), description: 'The scope.' } },
  });
}
