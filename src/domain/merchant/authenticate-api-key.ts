import type { AppContext } from '../../app.ts';
import { BillingError } from '../../errors.ts';
import { hashApiKey } from '../../secrets.ts';
import type { Scope } from './scope.ts';

export interface Authenticated extends Scope {
  readonly keyId: string;
}

/**
 * Whose key it is, and for which environment.
 *
 * @throws BillingError authentication_error, in the same words whether the key is unknown, expired or revoked
 */
export async function authenticateApiKey(
  { config, db, clock }: Pick<AppContext, 'config' | 'db' | 'clock'>,
  apiKey: string,
): Promise<Authenticated> {
  const key = await db.apiKey.findUnique({ where: { hash: hashApiKey(config.secretKey, apiKey) } });
  const expired = key?.expiresAt && key.expiresAt <= clock.now();
  if (!key || key.revokedAt || expired) {
    throw new BillingError('authentication_error', 'Invalid or expired API key.');
  }
  const { id: keyId, merchantId, environment } = key;
  return { keyId, merchantId, environment };
}
