import {
  type GraphQLInputType,
  type GraphQLResolveInfo,
  getNullableType,
  isInputObjectType,
  Kind,
  type ValueNode,
} from 'graphql';
import { invalidRequest } from '../../../errors.ts';
import type { ArgumentPath } from './argument-paths.ts';
import { paramFor } from './param-for.ts';

const AMOUNT = 'TokenAmount';

/** An amount that the request names, but for which it gives no value. */
interface MissingAmount {
  readonly path: ArgumentPath;
  readonly problem: string;
}

/**
 * Refuses null for an amount, and a variable without a value. An amount that is left out has a
 * default, for example all that can be refunded; null or an unset variable may be a bug of the
 * caller, and must never mean the most.
 *
 * @throws BillingError invalid_request with the path as param: `amount`
 */
export function assertAmounts(
  { parentType, fieldName, fieldNodes }: Pick<GraphQLResolveInfo, 'parentType' | 'fieldName' | 'fieldNodes'>,
  values: Readonly<Record<string, unknown>>,
): void {
  const given = fieldNodes[0]?.arguments ?? [];
  for (const { name, type } of parentType.getFields()[fieldName]?.args ?? []) {
    const written = given.find((argument) => argument.name.value === name)?.value;
    const missing = missingAmount(type, values[name], written, [name]);
    if (!missing) continue;
    const param = paramFor(missing.path);
    throw invalidRequest(
      param,
      `${param} must be an amount in base units, or be left out: ${missing.problem}.`,
    );
  }
}

/** @param written how the document writes the value; undefined inside the value of a variable */
function missingAmount(
  type: GraphQLInputType,
  value: unknown,
  written: ValueNode | undefined,
  path: ArgumentPath,
): MissingAmount | undefined {
  const nullable = getNullableType(type);
  if ('name' in nullable && nullable.name === AMOUNT) return missingValue(value, written, path);
  if (!isInputObjectType(nullable) || typeof value !== 'object' || value === null) return undefined;
  const given = value as Readonly<Record<string, unknown>>;
  const fields = written?.kind === Kind.OBJECT ? written.fields : [];
  for (const { name, type: fieldType } of Object.values(nullable.getFields())) {
    const fieldValue = Object.hasOwn(given, name) ? given[name] : undefined;
    const node = fields.find((field) => field.name.value === name)?.value;
    const missing = missingAmount(fieldType, fieldValue, node, [...path, name]);
    if (missing) return missing;
  }
  return undefined;
}

function missingValue(
  value: unknown,
  written: ValueNode | undefined,
  path: ArgumentPath,
): MissingAmount | undefined {
  if (value === null) return { path, problem: 'it was null' };
  if (value !== undefined || written?.kind !== Kind.VARIABLE) return undefined;
  return { path, problem: `the variable $${written.name.value} has no value` };
}
