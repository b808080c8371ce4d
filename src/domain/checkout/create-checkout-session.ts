import { randomBytes } from 'node:crypto';
import type { AppContext } from '../../app.ts';
import type { DbTransaction } from '../../db.ts';
import { BillingError, invalidRequest } from '../../errors.ts';
import { type IdempotencyKey, Prisma } from '../../generated/prisma/client.ts';
import type { Scope } from '../merchant/scope.ts';
import { acceptsSubscribers } from '../plan/accepts-subscribers.ts';
import { getPlan } from '../plan/get-plan.ts';
import { type CheckoutRequest, fingerprintOf, type ValidRequest, validRequest } from './session-request.ts';

const LIFETIME_MS = 30 * 60 * 1000;

export interface CreatedSession {
  readonly sessionId: string;
  /** The hosted page that the customer is sent to. */
  readonly url: string;
  readonly expiresAt: Date;
}

/**
 * Opens a checkout. The same request with the same key is answered with the same session until that session's time is
 * over; without a key, while it is open.
 *
 * @throws BillingError invalid_request, param as in the API
 */
export async function createCheckoutSession(
  ctx: AppContext,
  scope: Scope,
  input: CheckoutRequest,
): Promise<CreatedSession> {
  const request = validRequest(input);
  const planId = await subscribablePlan(ctx, scope, request.planId);
  if (input.merchantWallet !== undefined) await requireOwnWallet(ctx, scope, input.merchantWallet);
  const fingerprint = fingerprintOf(request);
  const key = input.idempotencyKey;
  const session = await ctx.db.$transaction(async (tx) => {
    const now = ctx.clock.now();
    const claim = {
      ...scope,
      // A merchant's key must not meet the fingerprint of another request.
      key: key === undefined ? `request:${fingerprint.toString('hex')}` : `key:${key}`,
      fingerprint,
      sessionId: `cs_${randomBytes(32).toString('base64url')}`,
      expiresAt: new Date(now.getTime() + LIFETIME_MS),
    };
    const claimed = await claimKey(tx, claim, now, key === undefined);
    if (!claimed) return keyHolder(tx, claim);
    return openSession(tx, claim, request, planId, now);
  });
  const { id: sessionId, expiresAt } = session;
  return { sessionId, url: `${ctx.config.publicUrl}/checkout/${sessionId}`, expiresAt };
}

async function subscribablePlan(ctx: AppContext, scope: Scope, planId: string): Promise<string> {
  const plan = await getPlan(ctx, scope, planId).catch((cause) => {
    if (cause instanceof BillingError) throw invalidRequest('planId', 'There is no such plan.');
    throw cause;
  });
  if (acceptsSubscribers(plan, ctx.clock.now())) return plan.id;
  throw invalidRequest('planId', `The plan ${planId} is not active.`);
}

async function requireOwnWallet({ db }: AppContext, { merchantId }: Scope, wallet: string): Promise<void> {
  const { walletAddress } = await db.merchant.findUniqueOrThrow({ where: { id: merchantId } });
  if (wallet !== walletAddress) throw invalidRequest('merchantWallet', 'merchantWallet is not yours.');
}

/**
 * Takes the key unless somebody holds it. One statement, so that of two at once the second waits for the first and then
 * finds it taken. Whether the holder's session is over is asked in a way that a session which this statement cannot see
 * yet counts as open.
 */
async function claimKey(
  tx: DbTransaction,
  { merchantId, environment, key, fingerprint, sessionId, expiresAt }: IdempotencyKey,
  now: Date,
  onlyWhileOpen: boolean,
): Promise<boolean> {
  const overBefore = onlyWhileOpen
    ? Prisma.sql`OR EXISTS (SELECT 1 FROM "CheckoutSession"
        WHERE "CheckoutSession"."id" = "IdempotencyKey"."sessionId" AND "status" <> 'OPEN')`
    : Prisma.empty;
  const count = await tx.$executeRaw(Prisma.sql`
    INSERT INTO "IdempotencyKey" ("merchantId", "environment", "key", "fingerprint", "sessionId", "expiresAt")
    VALUES (${merchantId}::uuid, ${environment}::"Environment", ${key}, ${fingerprint}, ${sessionId}, ${expiresAt})
    ON CONFLICT ("merchantId", "environment", "key") DO UPDATE
      SET "fingerprint" = EXCLUDED."fingerprint", "sessionId" = EXCLUDED."sessionId",
          "expiresAt" = EXCLUDED."expiresAt"
      WHERE "IdempotencyKey"."expiresAt" <= ${now} ${overBefore}`);
  return count === 1;
}

/** The session of whoever has the key. @throws BillingError where the key came with another request */
async function keyHolder(
  tx: DbTransaction,
  { merchantId, environment, key, fingerprint }: IdempotencyKey,
): Promise<{ id: string; expiresAt: Date }> {
  const holder = await tx.idempotencyKey.findUniqueOrThrow({
    where: { merchantId_environment_key: { merchantId, environment, key } },
  });
  if (!fingerprint.every((byte, at) => holder.fingerprint[at] === byte)) {
    throw invalidRequest('idempotency_key', 'idempotency_key was used with another request.');
  }
  return { id: holder.sessionId, expiresAt: holder.expiresAt };
}

function openSession(
  tx: DbTransaction,
  { merchantId, environment, sessionId, expiresAt }: IdempotencyKey,
  { planId: _, ...request }: ValidRequest,
  planId: string,
  createdAt: Date,
): Promise<{ id: string; expiresAt: Date }> {
  return tx.checkoutSession.create({
    data: { id: sessionId, merchantId, environment, planId, createdAt, expiresAt, ...request },
    select: { id: true, expiresAt: true },
  });
}
