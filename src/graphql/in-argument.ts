import { BillingError } from '../errors.ts';

/** Calls what knows a parameter only by its own name, and refuses with where it stands here: `filter.walletAddress`. */
export async function inArgument<T>(argument: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (!(cause instanceof BillingError) || cause.param === undefined) throw cause;
    throw new BillingError(cause.code, cause.message, `${argument}.${cause.param}`, { cause });
  }
}
