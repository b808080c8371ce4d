import { type GraphQLInputType, type GraphQLResolveInfo, getNullableType, isInputObjectType } from 'graphql';
import { invalidRequest } from '../../errors.ts';
import type { ArgumentPath } from './argument-paths.ts';
import { paramFor } from './param-for.ts';

const AMOUNT = 'TokenAmount';

/**
 * Refuses null for an amount. An amount that is left out has a default, for example all that can be
 * refunded; null may be a bug of the caller, and must never mean the most.
 *
 * @throws BillingError invalid_request with the path as param: `amount`
 */
export function assertAmounts(
  { parentType, fieldName }: Pick<GraphQLResolveInfo, 'parentType' | 'fieldName'>,
  values: Readonly<Record<string, unknown>>,
): void {
  for (const { name, type } of parentType.getFields()[fieldName]?.args ?? []) {
    const path = nullAmount(type, values[name], [name]);
    if (!path) continue;
    const param = paramFor(path);
    throw invalidRequest(param, `${param} must be an amount in base units, or be left out: it was null.`);
  }
}

function nullAmount(type: GraphQLInputType, value: unknown, path: ArgumentPath): ArgumentPath | undefined {
  const nullable = getNullableType(type);
  if (value === null) return 'name' in nullable && nullable.name === AMOUNT ? path : undefined;
  if (!isInputObjectType(nullable) || typeof value !== 'object') return undefined;
  const given = value as Readonly<Record<string, unknown>>;
  for (const field of Object.values(nullable.getFields())) {
    const found = Object.hasOwn(given, field.name)
      ? nullAmount(field.type, given[field.name], [...path, field.name])
      : undefined;
    if (found) return found;
  }
  return undefined;
}
