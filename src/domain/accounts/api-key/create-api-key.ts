import type { AppContext } from '../../../app.ts';
import type { Config } from '../../../config.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { invalidRequest } from '../../../errors.ts';
import type { ApiKey, ApiKeyScope } from '../../../generated/prisma/client.ts';
import { generateApiKey, hashApiKey } from '../../../secrets.ts';
import { ALL_SCOPES } from '../../kernel/access/caller.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { newFields } from '../../kernel/audit-log/changed-fields.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { validText } from '../../kernel/input/valid-text.ts';

const MAX_NAME = 100;

/** The part of the context that creates keys. */
type KeyContext = Pick<AppContext, 'wallClock'> & { readonly config: Pick<Config, 'secretKey'> };

export interface CreateApiKeyInput {
  /** A name for the merchant. */
  readonly name: string;
  /** Permissions; default all of `grantable`. */
  readonly scopes?: readonly ApiKeyScope[] | undefined;
  /** Default: the expiry of the key that creates it, if any. */
  readonly expiresAt?: Date | undefined;
}

export interface NewApiKey {
  readonly key: ApiKey;
  /** The secret, shown only now. */
  readonly apiKey: string;
}

/**
 * Creates an API key for this merchant and environment.
 *
 * @param grantable the scopes that the caller may grant: those of its own key
 * @throws BillingError invalid_request, param `name`, `scopes` or `expiresAt`
 */
export async function createApiKey(
  ctx: KeyContext & Pick<AppContext, 'db' | 'clock'>,
  scope: ActingScope,
  input: CreateApiKeyInput,
  grantable: readonly ApiKeyScope[] = ALL_SCOPES,
): Promise<NewApiKey> {
  const name = validText('name', input.name, MAX_NAME);
  const scopes = validScopes(input.scopes ?? grantable, grantable);
  return ctx.db.$transaction(async (tx) => {
    const callerExpiry = await expiryOfCaller(tx, scope);
    const expiresAt = input.expiresAt ?? callerExpiry;
    assertNotAfter(callerExpiry, expiresAt);
    const fields = { name, scopes, expiresAt };
    const created = await insertApiKey(ctx, tx, scope, fields);
    const changes = newFields(fields);
    await recordAudit(ctx, tx, scope, { action: 'api_key.created', targetId: created.key.id, changes });
    return created;
  });
}

/** The expiry of the calling key; null if it has none or the caller is not a key. */
export async function expiryOfCaller(
  tx: Pick<DbTransaction, 'apiKey'>,
  { actor }: Pick<ActingScope, 'actor'>,
): Promise<Date | null> {
  if (actor?.kind !== 'API_KEY' || actor.id === null) return null;
  const callingKey = await tx.apiKey.findUnique({ where: { id: actor.id }, select: { expiresAt: true } });
  return callingKey?.expiresAt ?? null;
}

/**
 * A key must not outlive the key that creates it.
 *
 * @throws BillingError invalid_request, param `expiresAt`
 */
export function assertNotAfter(callerExpiry: Date | null, expiresAt: Date | null): void {
  if (!callerExpiry || (expiresAt && expiresAt <= callerExpiry)) return;
  const limit = callerExpiry.toISOString();
  throw invalidRequest('expiresAt', `expiresAt must not be later than the expiry of your key, ${limit}.`);
}

/**
 * Stores a new key as a hash.
 *
 * @throws BillingError invalid_request, param `expiresAt`, if it is in the past
 */
export async function insertApiKey(
  { config, wallClock }: KeyContext,
  db: Pick<DbTransaction, 'apiKey'>,
  { merchantId, environment }: Scope,
  key: { readonly name: string; readonly scopes: ApiKeyScope[]; readonly expiresAt: Date | null },
): Promise<NewApiKey> {
  const createdAt = wallClock.now();
  if (key.expiresAt && !(key.expiresAt > createdAt)) {
    throw invalidRequest('expiresAt', 'expiresAt must be in the future.');
  }
  const apiKey = generateApiKey(environment);
  const hash = hashApiKey(config.secretKey, apiKey);
  const lastFour = apiKey.slice(-4);
  const row = await db.apiKey.create({
    data: { ...key, merchantId, environment, hash, lastFour, createdAt },
  });
  return { key: row, apiKey };
}

/**
 * The scopes without duplicates.
 *
 * @throws BillingError if there is none, or one that the caller lacks
 */
export function validScopes(
  scopes: readonly ApiKeyScope[],
  grantable: readonly ApiKeyScope[],
): ApiKeyScope[] {
  const unique = [...new Set(scopes)];
  if (unique.length > 0 && unique.every((scope) => grantable.includes(scope))) return unique;
  throw invalidRequest('scopes', `scopes must be some of the scopes of your key: ${grantable.join(', ')}.`);
}
