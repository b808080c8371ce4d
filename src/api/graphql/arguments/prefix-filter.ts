import { BillingError } from '../../../errors.ts';

/** The arguments of a list that are beside its filter. */
const BESIDE_FILTER: readonly string[] = ['page', 'limit'];

/** Prefixes the param of an error with the argument that contains it: `filter.walletAddress`. */
export async function prefixFilter<T>(list: () => Promise<T>): Promise<T> {
  try {
    return await list();
  } catch (cause) {
    if (!(cause instanceof BillingError) || cause.param === undefined) throw cause;
    if (BESIDE_FILTER.includes(cause.param)) throw cause;
    throw new BillingError(cause.code, cause.message, `filter.${cause.param}`, { cause });
  }
}
