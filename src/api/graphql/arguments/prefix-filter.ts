import { BillingError } from '../../../errors.ts';

/**
 * Prefixes the param of an error if the filter of the list has it: `filter.walletAddress`. The
 * params of other arguments, such as `limit`, stay as they are.
 */
export async function prefixFilter<T>(
  filter: object | null | undefined,
  list: () => T | Promise<T>,
): Promise<T> {
  try {
    return await list();
  } catch (cause) {
    if (!(cause instanceof BillingError) || cause.param === undefined) throw cause;
    if (!Object.hasOwn(filter ?? {}, cause.param)) throw cause;
    throw new BillingError(cause.code, cause.message, `filter.${cause.param}`, { cause });
  }
}
