import { BillingError } from '../../../errors.ts';

/**
 * Prefixes the param of a use case's error with the argument that contains it:
 * `filter.walletAddress`.
 */
export async function prefixParam<T>(argument: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (!(cause instanceof BillingError) || cause.param === undefined) throw cause;
    throw new BillingError(cause.code, cause.message, `${argument}.${cause.param}`, { cause });
  }
}
