import type { AppContext } from '../../../app.ts';
import { invalidRequest, notFound } from '../../../errors.ts';
import { type ApiKey, type ApiKeyScope, Prisma } from '../../../generated/prisma/client.ts';
import { ALL_SCOPES } from '../../kernel/access/caller.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { changedFields } from '../../kernel/audit-log/changed-fields.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { isId } from '../../kernel/input/valid-text.ts';
import { isValid } from './authenticate-api-key.ts';
import {
  assertNotAfter,
  expiryOfCaller,
  insertApiKey,
  type NewApiKey,
  validScopes,
} from './create-api-key.ts';

const DEFAULT_OVERLAP_SECONDS = 24 * 3600;
const MAX_OVERLAP_SECONDS = 30 * 24 * 3600;

export interface RotateApiKeyInput {
  readonly id: string;
  /** Seconds until the old key expires; default 24 hours, at most 30 days. */
  readonly overlapSeconds?: number | undefined;
  /**
   * Expiry of the new key. The default is the whole lifetime of the old key from now, but not later
   * than the expiry of the calling key; never if neither expires.
   */
  readonly expiresAt?: Date | undefined;
}

export interface RotatedApiKey extends NewApiKey {
  readonly previous: ApiKey;
}

/**
 * Replaces a key with a new one. The old key keeps working during the overlap, so that backends can
 * switch without an interruption.
 *
 * @param grantable the scopes that the caller may grant: those of its own key
 * @throws BillingError not_found, param `id`; invalid_request, param `id` (revoked, expired or
 *   already rotated), `overlapSeconds`, `expiresAt`, or `scopes` if the old key has scopes that the
 *   caller lacks
 */
export async function rotateApiKey(
  ctx: Pick<AppContext, 'config' | 'db' | 'clock' | 'wallClock'>,
  scope: ActingScope,
  { id, overlapSeconds = DEFAULT_OVERLAP_SECONDS, expiresAt }: RotateApiKeyInput,
  grantable: readonly ApiKeyScope[] = ALL_SCOPES,
): Promise<RotatedApiKey> {
  if (!Number.isInteger(overlapSeconds) || overlapSeconds < 0 || overlapSeconds > MAX_OVERLAP_SECONDS) {
    const allowed = `a whole number from 0 to ${MAX_OVERLAP_SECONDS}`;
    throw invalidRequest('overlapSeconds', `overlapSeconds must be ${allowed}.`);
  }
  if (!isId(id)) throw notFound('API key', 'id');
  const { merchantId, environment } = scope;
  return ctx.db.$transaction(async (tx) => {
    // Locked until the end, so that the second of two concurrent rotations is refused.
    await tx.$queryRaw(Prisma.sql`SELECT 1 FROM "ApiKey" WHERE "id" = ${id}::uuid FOR UPDATE`);
    const old = await tx.apiKey.findFirst({ where: { id, merchantId, environment } });
    if (!old) throw notFound('API key', 'id');
    const now = ctx.wallClock.now();
    if (!isValid(old, now)) throw invalidRequest('id', 'This API key is revoked or expired.');
    if (old.replacedById) throw invalidRequest('id', 'This API key was already rotated: rotate the new one.');
    const callerExpiry = await expiryOfCaller(tx, scope);
    const newExpiry = expiresAt ?? earlier(sameLifetime(old, now), callerExpiry);
    assertNotAfter(callerExpiry, newExpiry);
    const created = await insertApiKey(
      ctx,
      tx,
      { merchantId, environment },
      {
        name: old.name,
        scopes: validScopes(old.scopes, grantable),
        expiresAt: newExpiry,
      },
    );
    const overlapEndsAt = new Date(now.getTime() + overlapSeconds * 1000);
    const previous = await tx.apiKey.update({
      where: { id },
      data: {
        replacedById: created.key.id,
        expiresAt: old.expiresAt && old.expiresAt < overlapEndsAt ? old.expiresAt : overlapEndsAt,
      },
    });
    const { replacedById, expiresAt: oldExpiry } = previous;
    const changes = changedFields(old, { replacedById, expiresAt: oldExpiry });
    await recordAudit(ctx, tx, scope, { action: 'api_key.rotated', targetId: id, changes });
    return { ...created, previous };
  });
}

function earlier(a: Date | null, b: Date | null): Date | null {
  if (!a || !b) return a ?? b;
  return a < b ? a : b;
}

function sameLifetime({ createdAt, expiresAt }: ApiKey, now: Date): Date | null {
  return expiresAt && new Date(now.getTime() + expiresAt.getTime() - createdAt.getTime());
}
