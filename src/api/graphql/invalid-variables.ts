import {
  type ExecutionArgs,
  type GraphQLInputType,
  getOperationAST,
  isInputObjectType,
  isInputType,
  isLeafType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  typeFromAST,
} from 'graphql';
import { type ArgumentPath, argumentPaths } from './argument-paths.ts';

/**
 * The paths of all invalid variable values, in the order of GraphQL's errors, which have the paths
 * only in their messages.
 */
export function invalidVariables({
  schema,
  document,
  operationName,
  variableValues,
}: Pick<ExecutionArgs, 'schema' | 'document' | 'operationName' | 'variableValues'>): ArgumentPath[] {
  const places = argumentPaths(schema, document);
  const values = variableValues ?? {};
  const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? [];
  return definitions.flatMap(({ variable, type: node, defaultValue }) => {
    const name = variable.name.value;
    const type = typeFromAST(schema, node as never) as GraphQLInputType | undefined;
    const place = places.ofVariable(name);
    if (!type || !isInputType(type)) return [place];
    if (!Object.hasOwn(values, name)) return defaultValue || !isNonNullType(type) ? [] : [place];
    return invalidPaths(type, values[name], place);
  });
}

/**
 * Follows input coercion: https://spec.graphql.org/October2021/#sec-Input-Objects.Input-Coercion
 */
function invalidPaths(type: GraphQLInputType, value: unknown, at: ArgumentPath): ArgumentPath[] {
  if (isNonNullType(type)) return value == null ? [at] : invalidPaths(type.ofType, value, at);
  if (value == null) return [];
  if (isListType(type)) {
    if (!Array.isArray(value)) return invalidPaths(type.ofType, value, at);
    return value.flatMap((each, index) => invalidPaths(type.ofType, each, [...at, index]));
  }
  if (isLeafType(type)) return isAccepted(type, value) ? [] : [at];
  if (!isInputObjectType(type) || typeof value !== 'object') return [at];
  const fields = type.getFields();
  const fieldValues = value as Readonly<Record<string, unknown>>;
  const wrong = Object.values(fields).flatMap((field) => {
    const place = [...at, field.name];
    const each = fieldValues[field.name];
    if (each === undefined) return isRequiredInputField(field) ? [place] : [];
    return invalidPaths(field.type, each, place);
  });
  const unknown = Object.keys(fieldValues).filter((name) => !fields[name]);
  return [...wrong, ...unknown.map((name) => [...at, name])];
}

function isAccepted(type: { parseValue(value: unknown): unknown }, value: unknown): boolean {
  try {
    return type.parseValue(value) !== undefined;
  } catch {
    return false;
  }
}
