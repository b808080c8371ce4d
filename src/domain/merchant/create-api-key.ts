import type { AppContext } from '../../app.ts';
import type { Config } from '../../config.ts';
import type { DbTransaction } from '../../db.ts';
import { invalidRequest } from '../../errors.ts';
import type { ApiKey, ApiKeyScope } from '../../generated/prisma/client.ts';
import { generateApiKey, hashApiKey } from '../../secrets.ts';
import type { ActingScope } from '../audit/actor.ts';
import { newFields } from '../audit/changed-fields.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { ALL_SCOPES } from './caller.ts';
import type { Scope } from './scope.ts';
import { validText } from './valid-text.ts';

const MAX_NAME = 100;

/** What a key is made with. */
type KeyContext = Pick<AppContext, 'clock'> & { readonly config: Pick<Config, 'secretKey'> };

export interface CreateApiKeyInput {
  /** For the merchant's own list. */
  readonly name: string;
  /** What it may be used for; all that `grantable` allows where it is left out. */
  readonly scopes?: readonly ApiKeyScope[] | undefined;
  /** Where it is left out: with the key that makes it, else never. */
  readonly expiresAt?: Date | undefined;
}

export interface NewApiKey {
  readonly key: ApiKey;
  /** The key itself: shown now and never again. */
  readonly apiKey: string;
}

/**
 * Makes a key that opens this merchant's environment.
 *
 * @param grantable what the maker may hand on: a key's own scopes
 * @throws BillingError invalid_request, param `name`, `scopes` or `expiresAt`
 */
export async function createApiKey(
  ctx: KeyContext & Pick<AppContext, 'db'>,
  by: ActingScope,
  input: CreateApiKeyInput,
  grantable: readonly ApiKeyScope[] = ALL_SCOPES,
): Promise<NewApiKey> {
  const name = validText('name', input.name, MAX_NAME);
  const scopes = validScopes(input.scopes ?? grantable, grantable);
  return ctx.db.$transaction(async (tx) => {
    const end = await endOfMaker(tx, by);
    const expiresAt = input.expiresAt ?? end;
    assertNotAfter(end, expiresAt);
    const fields = { name, scopes, expiresAt };
    const made = await insertApiKey(ctx, tx, by, fields);
    const changes = newFields(fields);
    await recordAudit(ctx, tx, by, { action: 'api_key.created', targetId: made.key.id, changes });
    return made;
  });
}

/** When the key ends that makes another one; null where it does not, or somebody else makes it. */
export async function endOfMaker(
  tx: Pick<DbTransaction, 'apiKey'>,
  { actor }: Pick<ActingScope, 'actor'>,
): Promise<Date | null> {
  if (actor?.kind !== 'API_KEY' || actor.id === null) return null;
  const maker = await tx.apiKey.findUnique({ where: { id: actor.id }, select: { expiresAt: true } });
  return maker?.expiresAt ?? null;
}

/** A key that was to end must not go on in another one. @throws BillingError invalid_request, param `expiresAt` */
export function assertNotAfter(end: Date | null, expiresAt: Date | null): void {
  if (!end || (expiresAt && expiresAt <= end)) return;
  const limit = end.toISOString();
  throw invalidRequest('expiresAt', `expiresAt must not be later than your own key's, ${limit}.`);
}

/**
 * Writes a new key down, hashed.
 *
 * @throws BillingError invalid_request, param `expiresAt`, where that is over already
 */
export async function insertApiKey(
  { config, clock }: KeyContext,
  db: Pick<DbTransaction, 'apiKey'>,
  { merchantId, environment }: Scope,
  key: { readonly name: string; readonly scopes: ApiKeyScope[]; readonly expiresAt: Date | null },
): Promise<NewApiKey> {
  const createdAt = clock.now();
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

/** Each once. @throws BillingError where there is none, or one that the maker has not itself */
export function validScopes(
  scopes: readonly ApiKeyScope[],
  grantable: readonly ApiKeyScope[],
): ApiKeyScope[] {
  const wanted = [...new Set(scopes)];
  if (wanted.length > 0 && wanted.every((scope) => grantable.includes(scope))) return wanted;
  throw invalidRequest('scopes', `scopes must be some of your own key's: ${grantable.join(', ')}.`);
}
