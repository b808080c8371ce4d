import type { AppContext } from '../../../../app.ts';
import type { DbTransaction } from '../../../../db/db.ts';
import { inBatches } from '../../../../db/in-batches.ts';
import { cancelUnwanted } from './cancel-unwanted.ts';
import { LINES_BATCH, lockLines, wakeLines } from './delivery-lines.ts';

const KEPT_MS = 90 * 86_400_000;

type PurgeContext = Pick<AppContext, 'db' | 'clock' | 'log'>;

/**
 * Removes deliveries older than 90 days with their attempts, pending ones included, and deleted
 * endpoints without deliveries. Also cancels pending deliveries of deleted endpoints, which remain
 * if the process crashed while it deleted the endpoint. Removes at most `batches` batches; the next
 * call continues. Returns the number of removed deliveries.
 */
export async function purgeDeliveries(
  ctx: PurgeContext,
  { batches }: { readonly batches: number },
): Promise<number> {
  const { db, clock, log } = ctx;
  // OFFSET 0 makes PostgreSQL look up the deliveries of each endpoint by index: deleted endpoints
  // are few, but may have most of the deliveries.
  const withPending = await db.$queryRaw<{ id: string }[]>`
    SELECT w."id" FROM "WebhookEndpoint" w WHERE w."status" = 'DELETED' AND EXISTS (
      SELECT FROM "Delivery" d WHERE d."endpointId" = w."id" AND d."status" = 'PENDING' OFFSET 0)`;
  for (const { id } of withPending) await cancelUnwanted(ctx, id);
  const now = clock.now();
  const purged = await inBatches(LINES_BATCH, (size) => purgeBatch(ctx, now, size), batches);
  await db.$executeRaw`
    DELETE FROM "WebhookEndpoint" w WHERE w."status" = 'DELETED' AND (
      SELECT d."id" FROM "Delivery" d WHERE d."endpointId" = w."id" ORDER BY d."createdAt", d."id" LIMIT 1) IS NULL`;
  if (purged > 0) log.info({ deliveries: purged }, 'old deliveries removed');
  return purged;
}

async function purgeBatch({ db }: PurgeContext, now: Date, size: number): Promise<number> {
  const old = await db.delivery.findMany({
    where: { createdAt: { lt: new Date(now.getTime() - KEPT_MS) } },
    select: { id: true, endpointId: true },
    take: size,
  });
  if (old.length > 0) await db.$transaction((tx) => remove(tx, old, now));
  return old.length;
}

async function remove(
  tx: DbTransaction,
  old: readonly { readonly id: string; readonly endpointId: string }[],
  now: Date,
): Promise<void> {
  await lockLines(
    tx,
    'rearrange',
    old.map(({ endpointId }) => endpointId),
  );
  const removedRows = await tx.$queryRaw<RemovedRow[]>`
    DELETE FROM "Delivery" WHERE "id" = ANY (${old.map(({ id }) => id)}::uuid[])
    RETURNING "endpointId", "subscriptionId", "status" = 'PENDING' AS "wasWaiting"`;
  const shortened = Map.groupBy(
    removedRows.filter(({ wasWaiting }) => wasWaiting),
    ({ endpointId }) => endpointId,
  );
  for (const [endpointId, removed] of shortened) {
    const lines = removed.map(({ subscriptionId }) => subscriptionId);
    await wakeLines(tx, endpointId, lines, now);
  }
}

interface RemovedRow {
  readonly endpointId: string;
  readonly subscriptionId: string | null;
  readonly wasWaiting: boolean;
}
