import type { AppContext } from '../app.ts';
import { authenticateApiKey } from '../domain/merchant/authenticate-api-key.ts';
import type { Scope } from '../domain/merchant/scope.ts';
import { BillingError } from '../errors.ts';

/**
 * Whose key an `Authorization` header holds; undefined where there is no header.
 *
 * @throws BillingError authentication_error where it holds anything but a key that is valid now
 */
export async function authenticate(
  ctx: AppContext,
  authorization: string | undefined,
): Promise<Scope | undefined> {
  if (authorization === undefined) return undefined;
  const [, key] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  if (key === undefined) {
    throw new BillingError('authentication_error', 'The Authorization header must be `Bearer <API key>`.');
  }
  const { merchantId, environment } = await authenticateApiKey(ctx, key);
  return { merchantId, environment };
}

/** Where a key is needed and none came. */
export function noKey(): BillingError {
  return new BillingError(
    'authentication_error',
    'This needs an API key: send the header `Authorization: Bearer sk_...`.',
  );
}
