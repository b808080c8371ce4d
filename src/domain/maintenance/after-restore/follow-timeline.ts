import type { AppContext } from '../../../app.ts';
import type { Chain } from '../../../chain/chain.ts';
import { readSlot } from '../../../chain/rpc/read-slot.ts';
import type { DbTransaction } from '../../../db/db.ts';
import type { DatabaseTimeline, Environment } from '../../../generated/prisma/client.ts';
import { afterCommit, inTransaction } from '../../../jobs/in-transaction.ts';
import { type KeptChange, keptChanges } from '../../../jobs/kept-changes.ts';
import { enqueueDuePayments } from '../../billing/collect/enqueue-due-payments.ts';
import { upToDate } from '../../chain-state/mirror/known-slot.ts';
import { notifyRelay } from '../../messages/event/notify-relay.ts';
import { recordEvents } from '../../messages/event/record-event.ts';
import type { EventData } from '../../messages/event/types.ts';
import {
  type NotPutBack,
  putCancellationsBack,
  putRevocationsBack,
  putWaiversBack,
} from './put-changes-back.ts';

/**
 * After the database came back, possibly without its newest rows: waits until the indexer has read
 * the chain up to the present, puts back the changes that are kept outside the database, and then
 * lets payments be collected again. Until then nothing is claimed (`claim-due.ts`), and no receipt is
 * issued. Changes nothing in a timeline that was read.
 *
 * @returns whether the environment still waits
 * @throws NodeBehind, and errors of the cluster, the database or the store of the jobs
 */
export async function followTimeline(ctx: AppContext, chain: Chain): Promise<boolean> {
  const { environment } = chain;
  const open = await ctx.db.databaseTimeline.findFirst({
    where: { environment, readAt: null },
    orderBy: { number: 'desc' },
  });
  if (!open) return false;
  if (open.slot === null) {
    await putRevocationsBack(ctx, await keptOf(ctx, environment));
    await beginReading(ctx, chain, open);
    return true;
  }
  if (!(await isReadTo(ctx, environment, open.slot))) return true;
  // Again, for changes that were kept since. Subscriptions of the lost time are known now, and none is
  // collected yet.
  const kept = await keptOf(ctx, environment);
  const notPutBack = [
    ...(await putRevocationsBack(ctx, kept)),
    ...(await putWaiversBack(ctx, kept)),
    ...(await putCancellationsBack(ctx, kept)),
  ];
  await endReading(ctx, open, notPutBack);
  await enqueueDuePayments(ctx, environment);
  return false;
}

async function keptOf(ctx: AppContext, environment: Environment): Promise<KeptChange[]> {
  return (await keptChanges(ctx)).filter((change) => change.environment === environment);
}

/** Stores how far the chain must be read: what is lost happened before. */
async function beginReading(ctx: AppContext, chain: Chain, { number, lostFrom }: DatabaseTimeline) {
  const { environment } = chain;
  const slot = await readSlot(await upToDate(ctx, chain));
  const lostUntil = ctx.clock.now();
  await ctx.db.databaseTimeline.updateMany({
    where: { environment, number, slot: null },
    data: { slot, lostUntil },
  });
  ctx.log.error(
    { environment, lostFrom, lostUntil, slot: `${slot}` },
    'the database came back and may lack its newest rows: nothing is collected until the chain was read',
  );
}

/**
 * Whether the indexer has read the chain up to the slot. A transaction that could not be applied does
 * not hold all others up: the chain refuses a second pull of its period.
 */
async function isReadTo(
  { db }: Pick<AppContext, 'db'>,
  environment: Environment,
  slot: bigint,
): Promise<boolean> {
  const position = await db.streamPosition.findUnique({ where: { environment } });
  return position !== null && position.slot >= slot && position.doubt === null;
}

async function endReading(
  ctx: AppContext,
  { environment, number, lostUntil }: DatabaseTimeline,
  notPutBack: readonly NotPutBack[],
): Promise<void> {
  const readAt = ctx.clock.now();
  await inTransaction(ctx, async (tx) => {
    // One worker ends it; the others find it ended. Earlier timelines may still wait.
    const [ended] = await tx.$queryRaw<{ lostFrom: Date | null; fromSlot: bigint | null; count: number }[]>`
      WITH ended AS (
        UPDATE "DatabaseTimeline" SET "readAt" = ${readAt}
        WHERE "environment" = ${environment}::"Environment" AND "number" <= ${number} AND "readAt" IS NULL
        RETURNING "lostFrom", "fromSlot"
      )
      SELECT min("lostFrom") AS "lostFrom", min("fromSlot") AS "fromSlot", count(*)::int AS "count" FROM ended`;
    if (!ended?.count) return;
    await tx.databaseTimeline.update({
      where: { environment_number: { environment, number } },
      data: { notPutBack: notPutBack.map((change) => ({ ...change })) },
    });
    await voidReceipts(tx, environment, ended.fromSlot ?? 0n, readAt);
    const data = {
      lostFrom: ended.lostFrom?.toISOString() ?? null,
      lostUntil: (lostUntil ?? readAt).toISOString(),
    };
    await tellMerchants(tx, environment, data, readAt);
    afterCommit(tx, notifyRelay);
  });
  ctx.log.warn({ environment, lostUntil }, 'the chain was read: payments are collected again');
}

/** Records an event for each merchant of the environment: nobody knows what was lost of whom. */
async function tellMerchants(
  tx: DbTransaction,
  environment: Environment,
  data: EventData['service.restored'],
  at: Date,
): Promise<void> {
  const merchants = await tx.$queryRaw<{ merchantId: string }[]>`
    SELECT "merchantId" FROM "ApiKey" WHERE "environment" = ${environment}::"Environment"
    UNION SELECT "merchantId" FROM "Plan" WHERE "environment" = ${environment}::"Environment"
    UNION SELECT "merchantId" FROM "WebhookEndpoint" WHERE "environment" = ${environment}::"Environment"`;
  const about = { environment, subscriptionId: null, sequence: null, at, data };
  await recordEvents(
    tx,
    merchants.map(({ merchantId }) => ({ ...about, merchantId, type: 'service.restored' })),
  );
}

/**
 * Skips as many receipt numbers of each merchant as the lost rows may have used. Those can only be
 * receipts of payments that have none now, or of transfers of the lost time whose subscription is not
 * known. Literals, so that the partial indexes of payments without a receipt are used.
 */
async function voidReceipts(
  tx: DbTransaction,
  environment: Environment,
  fromSlot: bigint,
  at: Date,
): Promise<void> {
  await tx.$executeRaw`
    WITH unnumbered AS (
      SELECT "merchantId", "environment", count(*)::int AS "count" FROM (
        SELECT "merchantId", "environment" FROM "Payment"
        WHERE "environment" = ${environment}::"Environment" AND "status" = 'SUCCEEDED' AND NOT "finalized"
        UNION ALL
        SELECT "merchantId", "environment" FROM "Payment"
        WHERE "environment" = ${environment}::"Environment" AND "status" = 'SUCCEEDED' AND "finalized"
          AND "receiptNumber" IS NULL
        UNION ALL
        SELECT p."merchantId", p."environment" FROM "ChainTransfer" t
          JOIN "Plan" p ON p."environment" = t."environment" AND p."address" = t."planAddress"
        WHERE t."environment" = ${environment}::"Environment" AND t."paymentId" IS NULL AND t."slot" >= ${fromSlot}
      ) AS without GROUP BY 1, 2
    ), raised AS (
      INSERT INTO "ReceiptCounter" AS c ("merchantId", "environment", "last")
      SELECT "merchantId", "environment", "count" FROM unnumbered ORDER BY "merchantId"
      ON CONFLICT ("merchantId", "environment") DO UPDATE SET "last" = c."last" + excluded."last"
      RETURNING "merchantId", "environment", "last"
    )
    INSERT INTO "VoidReceipts" ("merchantId", "environment", "first", "last", "createdAt")
    SELECT r."merchantId", r."environment", r."last" - u."count" + 1, r."last", ${at}
    FROM raised r JOIN unnumbered u ON u."merchantId" = r."merchantId"`;
}
