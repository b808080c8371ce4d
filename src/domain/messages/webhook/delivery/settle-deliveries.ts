import type { AppContext } from '../../../../app.ts';
import type { DbTransaction } from '../../../../db/db.ts';
import { notifyRelay } from '../../event/notify-relay.ts';
import { recordEvent } from '../../event/record-event.ts';
import type { PostResult } from '../post/post-webhook.ts';
import type { RequestSignatures } from '../post/signed-request.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';
import { lockLines } from './delivery-lines.ts';
import { type HealthTimes, healthAfter, isStillHealthy } from './endpoint-health.ts';
import { holdLines } from './hold-lines.ts';
import { outcomeOf } from './outcome.ts';

export const INTERRUPTED = 'interrupted: the sender stopped before it could record the result';

/** A delivery attempt that has ended, with its result. */
export interface EndedAttempt {
  readonly claimed: ClaimedDelivery;
  readonly result: PostResult;
  /** The signatures of its request; null if it was not signed. */
  readonly signatures: RequestSignatures | null;
  readonly durationMs: number;
}

type SettleContext = Pick<AppContext, 'db' | 'clock' | 'wallClock' | 'jobs' | 'log'>;

/**
 * Settles delivery attempts in one database transaction: writes the attempts, the deliveries that
 * are still claimed by them (not resent or cancelled meanwhile), the times of the next deliveries
 * of their lines, and the health of the endpoints. Earlier attempts without an outcome are marked
 * as interrupted, because their worker has crashed.
 */
export async function settleDeliveries(ctx: SettleContext, ended: readonly EndedAttempt[]): Promise<void> {
  const now = ctx.clock.now();
  const wallTime = ctx.wallClock.now();
  const disabledEndpoints = await ctx.db.$transaction(async (tx) => {
    await lockLines(
      tx,
      'settle',
      ended.map(({ claimed }) => claimed.endpointId),
    );
    await settle(tx, ended, now);
    return updateHealth(tx, ended, { now, wallTime });
  });
  for (const { id, off } of disabledEndpoints)
    ctx.log.warn({ endpointId: id, reason: off }, 'endpoint disabled');
  if (disabledEndpoints.length > 0) await notifyRelay(ctx);
}

async function settle(tx: DbTransaction, ended: readonly EndedAttempt[], now: Date): Promise<void> {
  // If a claim expired while its worker was running, two workers settle the same deliveries. They
  // lock them in a fixed order, so that they cannot deadlock.
  const ids = ended.map(({ claimed }) => claimed.id);
  await tx.$executeRaw`
    SELECT FROM "Delivery" WHERE "id" = ANY (${ids}::uuid[]) ORDER BY "id" FOR NO KEY UPDATE`;
  const rows = ended.map(({ claimed, result, signatures, durationMs }) => ({
    id: claimed.id,
    number: claimed.attemptCount,
    durationMs,
    statusCode: result.statusCode,
    error: result.error,
    responseBody: result.responseBody,
    ...signatures,
    ...outcomeOf(result, { failureCount: claimed.failureCount, now, jitter: Math.random() }),
  }));
  await tx.$executeRaw`
    WITH ended AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json) AS ended(
        "id" uuid, "number" int, "durationMs" int, "statusCode" int, "error" text, "responseBody" text,
        "signature" text, "standardSignature" text, "status" "DeliveryStatus", "failureCount" int, "nextAttemptAt" timestamptz)
    ),
    recorded AS (
      UPDATE "DeliveryAttempt" a
      SET "durationMs" = ended."durationMs", "statusCode" = ended."statusCode", "error" = ended."error",
        "responseBody" = ended."responseBody", "signature" = ended."signature",
        "standardSignature" = ended."standardSignature"
      FROM ended WHERE a."deliveryId" = ended."id" AND a."number" = ended."number"
    ),
    settled AS (
      UPDATE "Delivery" d
      SET "status" = ended."status", "failureCount" = ended."failureCount",
        "nextAttemptAt" = ended."nextAttemptAt", "claimedUntil" = NULL, "lastStatusCode" = ended."statusCode"
      FROM ended WHERE d."id" = ended."id" AND d."status" = 'PENDING' AND d."attemptCount" = ended."number"
        AND d."claimedUntil" IS NOT NULL
      RETURNING d.*
    ),
    interrupted AS (
      UPDATE "DeliveryAttempt" a SET "error" = ${INTERRUPTED}
      FROM settled WHERE settled."attemptCount" > 1 AND a."deliveryId" = settled."id"
        AND a."number" < settled."attemptCount" AND a."durationMs" IS NULL AND a."error" IS NULL
    )
    UPDATE "Delivery" d SET "nextAttemptAt" = ${now}
    FROM settled CROSS JOIN LATERAL (
      SELECT behind."id" FROM "Delivery" behind
      WHERE behind."endpointId" = settled."endpointId" AND behind."subscriptionId" = settled."subscriptionId"
        AND behind."replayed" = settled."replayed" AND behind."sequence" > settled."sequence"
        AND behind."status" = 'PENDING'
      ORDER BY behind."sequence" LIMIT 1
    ) next
    WHERE settled."status" <> 'PENDING' AND d."id" = next."id" AND d."nextAttemptAt" IS NULL`;
}

async function updateHealth(tx: DbTransaction, ended: readonly EndedAttempt[], times: HealthTimes) {
  const unhealthy = [...Map.groupBy(ended, ({ claimed }) => claimed.endpointId)]
    .filter(([, attempts]) => !attempts.every(({ claimed, result }) => isStillHealthy(claimed, result)))
    // Locked in a fixed order, so that two workers cannot deadlock.
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const disabledEndpoints = [];
  for (const [id, attempts] of unhealthy) {
    const [before] = await tx.$queryRaw<EndpointRow[]>`
      SELECT "merchantId", "environment"::text, "url", "failingSince", "slowdown", "pausedUntil"
      FROM "WebhookEndpoint" WHERE "id" = ${id}::uuid AND "status" = 'ENABLED' FOR NO KEY UPDATE`;
    // A response of an earlier URL does not concern this one.
    const ofThisUrl = attempts.filter(({ claimed }) => claimed.url === before?.url);
    if (!before || ofThisUrl.length === 0) continue;
    const { off, ...health } = healthAfter(
      before,
      ofThisUrl.map(({ result }) => result),
      times,
    );
    const disabled = off && ({ status: 'DISABLED', disabledReason: off, disabledAt: times.now } as const);
    await tx.webhookEndpoint.update({ where: { id }, data: { ...health, ...disabled } });
    if (!off) continue;
    await holdLines(tx, id);
    disabledEndpoints.push({ id, off });
    await recordEvent(tx, {
      merchantId: before.merchantId,
      environment: before.environment,
      type: 'endpoint.disabled',
      data: {
        endpointId: id,
        url: before.url,
        reason: off,
        failingSince: health.failingSince?.toISOString() ?? null,
      },
      at: times.now,
    });
  }
  return disabledEndpoints;
}

type EndpointRow = Pick<
  ClaimedDelivery,
  'merchantId' | 'environment' | 'url' | 'failingSince' | 'slowdown' | 'pausedUntil'
>;
