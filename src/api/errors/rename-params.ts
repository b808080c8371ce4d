import { BillingError } from '../../errors.ts';

/**
 * Replaces the param names in a use case's error with those of the API:
 * `promise.catch(renameParams({ idempotency_key: 'idempotencyKey' }))`. A use case has one name for
 * a parameter; REST and GraphQL may use others.
 */
export function renameParams(names: Readonly<Record<string, string>>) {
  return (error: unknown): never => {
    const name = error instanceof BillingError ? names[error.param ?? ''] : undefined;
    if (!(error instanceof BillingError) || name === undefined) throw error;
    const message = error.message.replaceAll(error.param ?? '', name);
    throw new BillingError(error.code, message, name, { cause: error });
  };
}
