import type { AppContext } from '../../../app.ts';
import type { DbTransaction } from '../../../db.ts';
import { nudgeRelay } from '../../event/nudge-relay.ts';
import { recordEvent } from '../../event/record-event.ts';
import type { PostResult } from '../post/post-webhook.ts';
import type { Claimed } from './claim-deliveries.ts';
import { healthAfter, isWell } from './endpoint-health.ts';
import { holdLines } from './hold-lines.ts';
import { lockLines } from './lines.ts';
import { outcomeOf } from './outcome.ts';

export const INTERRUPTED = 'interrupted: the sender stopped before it could write down what came of it';

/** A try that has been made. */
export interface Tried {
  readonly claimed: Claimed;
  readonly result: PostResult;
  readonly durationMs: number;
}

type SettleContext = Pick<AppContext, 'db' | 'clock' | 'jobs' | 'log'>;

/**
 * Writes down what came of some tries, all in one database transaction: the attempts, the deliveries where the claim is still
 * theirs (nobody has sent it again or cancelled it meanwhile), a time for the next of each line that moved on, and how the endpoints are doing. Earlier tries of theirs that
 * never came to an end are marked: their worker has died.
 */
export async function settleDeliveries(ctx: SettleContext, tried: readonly Tried[]): Promise<void> {
  const now = ctx.clock.now();
  const switchedOff = await ctx.db.$transaction(async (tx) => {
    await lockLines(
      tx,
      'settle',
      tried.map(({ claimed }) => claimed.endpointId),
    );
    await settle(tx, tried, now);
    return updateHealth(tx, tried, now);
  });
  for (const { id, off } of switchedOff)
    ctx.log.warn({ endpointId: id, reason: off }, 'endpoint switched off');
  if (switchedOff.length > 0) await nudgeRelay(ctx);
}

async function settle(tx: DbTransaction, tried: readonly Tried[], now: Date): Promise<void> {
  // Where a claim has run out while its worker lives, two of them settle the same deliveries: in the same order, or each would
  // wait for the other.
  const ids = tried.map(({ claimed }) => claimed.id);
  await tx.$executeRaw`
    SELECT FROM "Delivery" WHERE "id" = ANY (${ids}::uuid[]) ORDER BY "id" FOR NO KEY UPDATE`;
  const rows = tried.map(({ claimed, result, durationMs }) => ({
    id: claimed.id,
    number: claimed.attemptCount,
    durationMs,
    statusCode: result.statusCode,
    error: result.error,
    responseBody: result.responseBody,
    ...outcomeOf(result, { failureCount: claimed.failureCount, now, jitter: Math.random() }),
  }));
  await tx.$executeRaw`
    WITH tried AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json) AS tried(
        "id" uuid, "number" int, "durationMs" int, "statusCode" int, "error" text, "responseBody" text,
        "status" "DeliveryStatus", "failureCount" int, "nextAttemptAt" timestamptz)
    ),
    told AS (
      UPDATE "DeliveryAttempt" a
      SET "durationMs" = tried."durationMs", "statusCode" = tried."statusCode", "error" = tried."error",
        "responseBody" = tried."responseBody"
      FROM tried WHERE a."deliveryId" = tried."id" AND a."number" = tried."number"
    ),
    settled AS (
      UPDATE "Delivery" d
      SET "status" = tried."status", "failureCount" = tried."failureCount", "nextAttemptAt" = tried."nextAttemptAt",
        "claimedUntil" = NULL
      FROM tried WHERE d."id" = tried."id" AND d."status" = 'PENDING' AND d."attemptCount" = tried."number"
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

async function updateHealth(tx: DbTransaction, tried: readonly Tried[], now: Date) {
  const troubled = [...Map.groupBy(tried, ({ claimed }) => claimed.endpointId)]
    .filter(([, tries]) => !tries.every(({ claimed, result }) => isWell(claimed, result)))
    // Everybody locks them in the same order.
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const switchedOff = [];
  for (const [id, tries] of troubled) {
    const [before] = await tx.$queryRaw<EndpointRow[]>`
      SELECT "merchantId", "environment"::text, "url", "failingSince", "slowdown", "pausedUntil"
      FROM "WebhookEndpoint" WHERE "id" = ${id}::uuid AND "status" = 'ENABLED' FOR NO KEY UPDATE`;
    // What another URL answered says nothing of this one.
    const here = tries.filter(({ claimed }) => claimed.url === before?.url);
    if (!before || here.length === 0) continue;
    const { off, ...health } = healthAfter(
      before,
      here.map(({ result }) => result),
      now,
    );
    const disabled = off && ({ status: 'DISABLED', disabledReason: off, disabledAt: now } as const);
    await tx.webhookEndpoint.update({ where: { id }, data: { ...health, ...disabled } });
    if (!off) continue;
    await holdLines(tx, id);
    switchedOff.push({ id, off });
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
      at: now,
    });
  }
  return switchedOff;
}

type EndpointRow = Pick<
  Claimed,
  'merchantId' | 'environment' | 'url' | 'failingSince' | 'slowdown' | 'pausedUntil'
>;
