import { BillingError } from '../../../errors.ts';
import { withoutNulls } from './without-nulls.ts';

/**
 * Prefixes the param of an error if the filter of the list gives it: `filter.walletAddress`. The
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
    if (!Object.hasOwn(withoutNulls(filter ?? {}), cause.param)) throw cause;
    throw new BillingError(cause.code, cause.message, `filter.${cause.param}`, { cause });
  }
}
