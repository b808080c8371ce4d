import type { AppContext } from '../../../app.ts';
import { combineQueries } from '../../../db/combine-queries.ts';
import { type Db, type PreparedStatement, runPrepared } from '../../../db/db.ts';
import { BillingError } from '../../../errors.ts';
import type { ApiKey } from '../../../generated/prisma/client.ts';
import { hashApiKey } from '../../../secrets.ts';
import type { ApiKeyCaller } from '../../kernel/access/caller.ts';

type KeyRow = Pick<ApiKey, 'id' | 'merchantId' | 'environment' | 'scopes' | 'revokedAt' | 'expiresAt'>;

const FIND_KEYS: PreparedStatement = {
  name: 'api-keys.find',
  text: `
    SELECT "at", "id", "merchantId", "environment", "scopes"::text[], "revokedAt", "expiresAt"
    FROM unnest($1::bytea[]) WITH ORDINALITY AS "asked"("hash", "at") JOIN "ApiKey" USING ("hash")`,
};

const findKey = combineQueries(findKeys);

async function findKeys(db: Db, hashes: readonly Buffer[]): Promise<(KeyRow | undefined)[]> {
  const rows = await runPrepared<KeyRow & { at: string }>(db, FIND_KEYS, [hashes]);
  const found = new Map(rows.map((row) => [Number(row.at), row]));
  return hashes.map((_, index) => found.get(index + 1));
}

/**
 * The caller that an API key authenticates. Every call queries the database, so that a revocation
 * takes effect in all processes.
 *
 * @throws BillingError authentication_error, with the same message for an unknown, expired or
 *   revoked key
 */
export async function authenticateApiKey(
  { config, db, wallClock }: Pick<AppContext, 'config' | 'db' | 'wallClock'>,
  apiKey: string,
): Promise<ApiKeyCaller> {
  const key = await findKey(db, hashApiKey(config.secretKey, apiKey));
  if (!key || !isValid(key, wallClock.now())) {
    throw new BillingError('authentication_error', 'Invalid or expired API key.');
  }
  const { id: keyId, merchantId, environment, scopes } = key;
  return { kind: 'api_key', keyId, merchantId, environment, scopes };
}

/** Whether a key is neither revoked nor expired. */
export function isValid(
  { revokedAt, expiresAt }: { readonly revokedAt: Date | null; readonly expiresAt: Date | null },
  now: Date,
): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now);
}
