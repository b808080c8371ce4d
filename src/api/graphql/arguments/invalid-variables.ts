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
  const paths = argumentPaths(schema, document);
  const values = variableValues ?? {};
  const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? [];
  return definitions.flatMap(({ variable, type: node, defaultValue }) => {
    const name = variable.name.value;
    const type = typeFromAST(schema, node as never) as GraphQLInputType | undefined;
    const path = paths.pathOfVariable(name);
    if (!type || !isInputType(type)) return [path];
    if (!Object.hasOwn(values, name)) return defaultValue || !isNonNullType(type) ? [] : [path];
    return invalidPaths(type, values[name], path);
  });
}

/**
 * The paths of the invalid parts of a value, by the rules of input coercion:
 * https://spec.graphql.org/October2021/#sec-Input-Objects.Input-Coercion
 */
function invalidPaths(type: GraphQLInputType, value: unknown, path: ArgumentPath): ArgumentPath[] {
  if (isNonNullType(type)) return value == null ? [path] : invalidPaths(type.ofType, value, path);
  if (value == null) return [];
  if (isListType(type)) {
    if (!Array.isArray(value)) return invalidPaths(type.ofType, value, path);
    return value.flatMap((item, index) => invalidPaths(type.ofType, item, [...path, index]));
  }
  if (isLeafType(type)) return isAccepted(type, value) ? [] : [path];
  if (!isInputObjectType(type) || typeof value !== 'object') return [path];
  const fields = type.getFields();
  const fieldValues = value as Readonly<Record<string, unknown>>;
  const invalid = Object.values(fields).flatMap((field) => {
    const fieldPath = [...path, field.name];
    const fieldValue = fieldValues[field.name];
    if (fieldValue === undefined) return isRequiredInputField(field) ? [fieldPath] : [];
    return invalidPaths(field.type, fieldValue, fieldPath);
  });
  const unknown = Object.keys(fieldValues).filter((name) => !fields[name]);
  return [...invalid, ...unknown.map((name) => [...path, name])];
}

function isAccepted(type: { parseValue(value: unknown): unknown }, value: unknown): boolean {
  try {
    return type.parseValue(value) !== undefined;
  } catch {
    return false;
  }
}
