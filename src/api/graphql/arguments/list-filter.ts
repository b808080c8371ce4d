import type {
  SchemaTypes as AnyTypes,
  ArgBuilder,
  ArgumentRef,
  InputFieldBuilder,
  InputFieldRef,
} from '@pothos/core';
import { invalidRequest } from '../../../errors.ts';
import { builder } from '../builder.ts';
import { prefixFilter } from './prefix-filter.ts';
import { withoutNulls } from './without-nulls.ts';

type Types = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer T extends AnyTypes> ? T : never;
type FilterFields = Record<string, InputFieldRef<Types, unknown>>;
type DefineFields<F> = (t: InputFieldBuilder<Types, 'InputObject'>) => F;
type AsArguments<F> = {
  [K in keyof F]: F[K] extends InputFieldRef<Types, infer T> ? ArgumentRef<Types, T> : never;
};

/**
 * The filter of a list, which is its argument `filter`. Each condition was an argument of its own
 * before: `olderArguments` are those, deprecated.
 */
export function listFilter<F extends FilterFields>(
  name: string,
  list: string,
  defineFields: DefineFields<F>,
) {
  const type = builder.inputType(name, {
    description: `Filter for ${list}; all given conditions must match.`,
    fields: defineFields,
  });
  const olderArguments = (t: ArgBuilder<Types>) => {
    // An argument and a field of an input type take the same options.
    const older = defineFields({ ...t, field: t } as never) as unknown as AsArguments<F>;
    for (const argument of Object.values<ArgumentRef<Types, unknown>>(older)) {
      argument.updateConfig((config) => ({
        ...config,
        deprecationReason: `Use \`filter.${config.name}\`.`,
      }));
    }
    return older;
  };
  return { type, olderArguments };
}

/**
 * Calls `list` with the conditions of a list's filter and of its older arguments. An error about a
 * condition has the filter's field as param if the filter gives it.
 *
 * @throws BillingError invalid_request, with the filter's field as param, if both give a condition
 */
export async function withConditions<F extends object, T>(
  args: { readonly filter?: F | null | undefined },
  list: (conditions: ReturnType<typeof conditionsOf<F>>) => T | Promise<T>,
): Promise<T> {
  const conditions = conditionsOf(args);
  return prefixFilter(args.filter, () => list(conditions));
}

function conditionsOf<F extends object>(args: { readonly filter?: F | null | undefined }) {
  const { filter, ...older } = args;
  const inFilter = withoutNulls(filter ?? ({} as F));
  const inArguments = withoutNulls(older);
  for (const name of Object.keys(inFilter)) {
    if (!(name in inArguments)) continue;
    throw invalidRequest(`filter.${name}`, `Give ${name} only in filter, not also as an argument.`);
  }
  return { ...inArguments, ...inFilter };
}
