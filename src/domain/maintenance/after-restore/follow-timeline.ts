import type { AppContext } from '../../../app.ts';
import type { Chain } from '../../../chain/chain.ts';
import { readSlot } from '../../../chain/rpc/read-slot.ts';
import type { DbTransaction } from '../../../db/db.ts';
import type { DatabaseTimeline, Environment } from '../../../generated/prisma/client.ts';
import { afterCommit, inTransaction } from '../../../jobs/in-transaction.ts';
import { enqueueDuePayments } from '../../billing/collect/enqueue-due-payments.ts';
import { upToDate } from '../../chain-state/mirror/known-slot.ts';
import { notifyRelay } from '../../messages/event/notify-relay.ts';
import { recordEvents } from '../../messages/event/record-event.ts';
import type { EventData } from '../../messages/event/types.ts';

/**
 * After the database came back, possibly without its newest rows: waits until the indexer has read
 * the chain up to the present, and then lets payments be collected again. Until then nothing is
 * claimed (`claim-due.ts`), and no receipt is issued. Changes nothing in a timeline that was read.
 *
 * @returns whether the environment still waits
 * @throws NodeBehind, and errors of the cluster or the database
 */
export async function followTimeline(ctx: AppContext, chain: Chain): Promise<boolean> {
  const { environment } = chain;
  const open = await ctx.db.databaseTimeline.findFirst({
    where: { environment, readAt: null },
    orderBy: { number: 'desc' },
  });
  if (!open) return false;
  if (open.slot === null) {
    await beginReading(ctx, chain, open);
    return true;
  }
  if (!(await isReadTo(ctx, environment, { ...open, slot: open.slot }))) return true;
  await endReading(ctx, open);
  await enqueueDuePayments(ctx, environment);
  return false;
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

type Target = Pick<DatabaseTimeline, 'detectedAt'> & { readonly slot: bigint };

/** Whether all transactions up to the slot are in the ledger. */
async function isReadTo(
  { db }: Pick<AppContext, 'db'>,
  environment: Environment,
  { slot, detectedAt }: Target,
): Promise<boolean> {
  const position = await db.streamPosition.findUnique({ where: { environment } });
  if (!position || position.slot < slot || position.doubt !== null) return false;
  const setAside = await db.unappliedUpdate.count({
    where: { environment, kind: 'transaction', resolvedAt: null, createdAt: { gte: detectedAt } },
  });
  return setAside === 0;
}

async function endReading(ctx: AppContext, { environment, number, lostFrom, lostUntil }: DatabaseTimeline) {
  const readAt = ctx.clock.now();
  await inTransaction(ctx, async (tx) => {
    // One worker ends it; the others find it ended.
    const { count } = await tx.databaseTimeline.updateMany({
      where: { environment, number: { lte: number }, readAt: null },
      data: { readAt },
    });
    if (count === 0) return;
    await voidReceipts(tx, environment, readAt);
    const data = {
      lostFrom: lostFrom?.toISOString() ?? null,
      lostUntil: (lostUntil ?? readAt).toISOString(),
    };
    await tellMerchants(tx, environment, data, readAt);
    afterCommit(tx, notifyRelay);
  });
  ctx.log.warn({ environment, lostFrom, lostUntil }, 'the chain was read: payments are collected again');
}

/** Records an event for each merchant that has a plan: nobody knows any more what the others did. */
async function tellMerchants(
  tx: DbTransaction,
  environment: Environment,
  data: EventData['service.restored'],
  at: Date,
): Promise<void> {
  const merchants = await tx.plan.findMany({
    where: { environment },
    distinct: 'merchantId',
    select: { merchantId: true },
  });
  const about = { environment, subscriptionId: null, sequence: null, at, data };
  await recordEvents(
    tx,
    merchants.map(({ merchantId }) => ({ ...about, merchantId, type: 'service.restored' })),
  );
}

/**
 * Skips as many receipt numbers of each merchant as the lost rows may have used. Those can only be
 * receipts of payments that have none now, or of transfers that wait for their subscription: the
 * ledger has every transfer of the lost time again.
 */
async function voidReceipts(tx: DbTransaction, environment: Environment, at: Date): Promise<void> {
  await tx.$executeRaw`
    WITH unnumbered AS (
      SELECT "merchantId", "environment", count(*)::int AS "count" FROM (
        SELECT "merchantId", "environment" FROM "Payment"
        WHERE "environment" = ${environment}::"Environment" AND "status" = 'SUCCEEDED' AND "receiptNumber" IS NULL
        UNION ALL
        SELECT p."merchantId", p."environment" FROM "ChainTransfer" t
          JOIN "Plan" p ON p."environment" = t."environment" AND p."address" = t."planAddress"
        WHERE t."environment" = ${environment}::"Environment" AND t."paymentId" IS NULL
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
