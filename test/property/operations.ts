/** Operations built from the schema, so that every addition to it is tested automatically. */
import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  isCompositeType,
  isInputObjectType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';

export const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));

export type RootName = 'Query' | 'Mutation' | 'Subscription';

export interface RootField {
  readonly root: RootName;
  readonly field: GraphQLField<unknown, unknown>;
}

/** Every field of the root types. */
export function rootFields(...roots: readonly RootName[]): RootField[] {
  return roots.flatMap((root) => {
    const type = schema.getType(root);
    return isObjectType(type) ? Object.values(type.getFields()).map((field) => ({ root, field })) : [];
  });
}

/**
 * The arguments of a field with their types; those within input objects by path: `input.planId`.
 */
export function argumentsOf({ field }: RootField): { path: string; type: GraphQLInputType }[] {
  const within = (path: string, type: GraphQLInputType): { path: string; type: GraphQLInputType }[] => {
    const named = getNamedType(type);
    if (!isInputObjectType(named)) return [{ path, type }];
    return Object.values(named.getFields()).flatMap((each) => within(`${path}.${each.name}`, each.type));
  };
  return field.args.flatMap(({ name, type }) => within(name, type));
}

/** Every argument of a field below the root fields: `BillingSubscription.payments.after`. */
export function nestedArguments(): { path: string; type: GraphQLInputType }[] {
  return Object.values(schema.getTypeMap()).flatMap((type) => {
    if (!isObjectType(type) || type.name.startsWith('__') || isRoot(type.name)) return [];
    return Object.values(type.getFields()).flatMap((field) =>
      field.args.map((arg) => ({ path: `${type.name}.${field.name}.${arg.name}`, type: arg.type })),
    );
  });
}

function isRoot(name: string): boolean {
  return name === 'Query' || name === 'Mutation' || name === 'Subscription';
}

/**
 * A document that calls one field with all arguments as variables and selects everything up to
 * that depth.
 */
export function documentFor({ root, field }: RootField, depth = 3): string {
  const variables = field.args.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const given = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
  const [declared, passed] = given === '' ? ['', ''] : [`(${variables})`, `(${given})`];
  return `${root.toLowerCase()} Test${declared} { ${field.name}${passed} ${selectionOf(field.type, depth)} }`;
}

function selectionOf(type: GraphQLOutputType, depth: number): string {
  const named = getNamedType(type);
  if (!isCompositeType(named)) return '';
  if (!isObjectType(named)) return '{ __typename }';
  const fields = Object.values(named.getFields())
    .filter(({ args }) => !args.some(isRequiredArgument))
    .flatMap((field) => {
      if (!isCompositeType(getNamedType(field.type))) return [field.name];
      return depth > 1 ? [`${field.name} ${selectionOf(field.type, depth - 1)}`] : [];
    });
  return `{ __typename ${fields.join(' ')} }`;
}
