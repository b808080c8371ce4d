import type { AppContext } from '../../app.ts';
import { systemClock } from '../../clock.ts';
import type { DbTransaction } from '../../db.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { decryptSecret } from '../../secrets.ts';
import { webhookBody } from '../event/webhook-body.ts';
import { retryDelayMs } from './backoff.ts';
import { deliverable } from './deliverable.ts';
import { handDeliveries } from './hand-deliveries.ts';
import { type PostResult, postWebhook } from './post-webhook.ts';
import { signatureHeaders } from './signature.ts';

const TIMEOUT_MS = 15_000;
/** How long a claim holds: longer than any try takes. */
const LEASE_MS = 60_000;

type DeliverContext = Pick<AppContext, 'config' | 'db' | 'jobs' | 'clock' | 'log'>;
type Claimed = Prisma.DeliveryGetPayload<{ include: { event: true; endpoint: true } }>;

/**
 * Makes one try of a delivery, if it may be tried now.
 *
 * 1. Claim: `nextAttemptAt` moves to the end of a lease, where it still is due. Of two workers one gets it; where that one
 *    dies, the lease runs out and the sweep finds the delivery again. Nothing is counted that was not written down.
 * 2. Post. Dying between this and the next step sends the event twice, under the same id.
 * 3. Settle in one database transaction, if the claim is still ours: the attempt, the status, the next try.
 */
export async function deliverWebhook(ctx: DeliverContext, deliveryId: string): Promise<void> {
  const claimed = await claim(ctx, deliveryId);
  if (!claimed) return;
  const startedAt = ctx.clock.now();
  const started = performance.now();
  const result = await post(ctx, claimed);
  const attempt = { startedAt, durationMs: Math.round(performance.now() - started), ...result };
  const settled = await ctx.db.$transaction((tx) => settle(tx, claimed, attempt, ctx.clock.now()));
  const line = { deliveryId, endpointId: claimed.endpointId, eventId: claimed.eventId, error: result.error };
  if (!settled) return ctx.log.warn(line, 'webhook tried under a claim that had run out');
  ctx.log.debug(line, 'webhook tried');
  if (settled.over) await handNext(ctx, claimed);
}

async function claim({ db, clock }: DeliverContext, deliveryId: string): Promise<Claimed | null> {
  const now = clock.now();
  const claimedRows = await db.$executeRaw`
    UPDATE "Delivery" d SET "nextAttemptAt" = ${new Date(now.getTime() + LEASE_MS)}
    WHERE d."id" = ${deliveryId}::uuid AND ${deliverable(now)}`;
  if (claimedRows === 0) return null;
  return db.delivery.findUniqueOrThrow({
    where: { id: deliveryId },
    include: { event: true, endpoint: true },
  });
}

function post({ config }: DeliverContext, { event, endpoint }: Claimed): Promise<PostResult> {
  const body = JSON.stringify(webhookBody(event));
  const signed = signatureHeaders({
    id: event.id,
    // The receiver's clock, not the billing clock: it refuses what was signed long ago by its own time.
    timestampSeconds: Math.floor(systemClock.now().getTime() / 1000),
    body,
    secret: decryptSecret(config.secretKey, endpoint.encryptedSecret),
  });
  return postWebhook({
    url: endpoint.url,
    headers: { 'content-type': 'application/json', 'user-agent': 'dues-webhooks/1', ...signed },
    body,
    hostsAllowed: config.webhookHostsAllowed,
    timeoutMs: TIMEOUT_MS,
  });
}

type Attempt = PostResult & { readonly startedAt: Date; readonly durationMs: number };

async function settle(tx: DbTransaction, claimed: Claimed, attempt: Attempt, now: Date) {
  const number = claimed.attemptCount + 1;
  const delayMs = attempt.error === null ? undefined : retryDelayMs(number, Math.random());
  const nextAttemptAt = delayMs === undefined ? null : new Date(now.getTime() + delayMs);
  const status = attempt.error === null ? 'SUCCEEDED' : nextAttemptAt ? 'PENDING' : 'FAILED';
  const { count } = await tx.delivery.updateMany({
    where: { id: claimed.id, status: 'PENDING', nextAttemptAt: claimed.nextAttemptAt },
    data: { status, nextAttemptAt, attemptCount: number },
  });
  if (count === 0) return undefined;
  await tx.deliveryAttempt.create({ data: { deliveryId: claimed.id, number, ...attempt } });
  return { over: nextAttemptAt === null };
}

/** What waited for this one need not wait for the sweep. */
async function handNext(
  ctx: DeliverContext,
  { endpointId, subscriptionId, sequence }: Claimed,
): Promise<void> {
  if (subscriptionId === null || sequence === null) return;
  const next = await ctx.db.delivery.findFirst({
    where: { endpointId, subscriptionId, status: 'PENDING', sequence: { gt: sequence } },
    orderBy: { sequence: 'asc' },
    select: { id: true },
  });
  if (next) await handDeliveries(ctx, [next.id]);
}
