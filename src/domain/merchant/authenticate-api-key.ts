import type { AppContext } from '../../app.ts';
import { runPrepared } from '../../db.ts';
import { BillingError } from '../../errors.ts';
import type { ApiKey } from '../../generated/prisma/client.ts';
import { hashApiKey } from '../../secrets.ts';
import type { ApiKeyCaller } from './caller.ts';

type KeyRow = Pick<ApiKey, 'id' | 'merchantId' | 'environment' | 'scopes' | 'revokedAt' | 'expiresAt'>;

const FIND_KEY = {
  name: 'api-key.find',
  text: `SELECT "id", "merchantId", "environment", "scopes"::text[], "revokedAt", "expiresAt" FROM "ApiKey" WHERE "hash" = $1`,
};

/**
 * Whose key it is, for which environment, and what for. Asks the database each time: what is revoked by one process is
 * revoked for all.
 *
 * @throws BillingError authentication_error, in the same words whether the key is unknown, expired or revoked
 */
export async function authenticateApiKey(
  { config, db, clock }: Pick<AppContext, 'config' | 'db' | 'clock'>,
  apiKey: string,
): Promise<ApiKeyCaller> {
  const [key] = await runPrepared<KeyRow>(db, FIND_KEY, [hashApiKey(config.secretKey, apiKey)]);
  if (!key || !isValid(key, clock.now())) {
    throw new BillingError('authentication_error', 'Invalid or expired API key.');
  }
  const { id: keyId, merchantId, environment, scopes } = key;
  return { kind: 'api_key', keyId, merchantId, environment, scopes };
}

/** Whether a key opens anything at that time. */
export function isValid(
  { revokedAt, expiresAt }: { readonly revokedAt: Date | null; readonly expiresAt: Date | null },
  now: Date,
): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now);
}
