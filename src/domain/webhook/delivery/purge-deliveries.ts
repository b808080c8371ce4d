import type { AppContext } from '../../../app.ts';
import type { DbTransaction } from '../../../db.ts';
import { cancelUnwanted } from './cancel-unwanted.ts';
import { LINES_BATCH } from './in-batches.ts';
import { lockLines, wakeLines } from './lines.ts';

const KEPT_MS = 90 * 86_400_000;

type PurgeContext = Pick<AppContext, 'db' | 'clock' | 'log'>;

/**
 * Removes deliveries that are older than 90 days, with their attempts, and endpoints that were deleted and have none left.
 * What has been waiting so long (for an endpoint that is off) goes as well; what still waits for one that was deleted, because
 * whoever deleted it died over it, is cancelled.
 */
export async function purgeDeliveries(ctx: PurgeContext): Promise<void> {
  const { db, clock, log } = ctx;
  const left = await db.webhookEndpoint.findMany({
    where: { status: 'DELETED', deliveries: { some: { status: 'PENDING' } } },
    select: { id: true },
  });
  for (const { id } of left) await cancelUnwanted(ctx, id);
  const now = clock.now();
  let purged = 0;
  for (;;) {
    const count = await purgeBatch(ctx, now);
    purged += count;
    if (count < LINES_BATCH) break;
  }
  await db.webhookEndpoint.deleteMany({ where: { status: 'DELETED', deliveries: { none: {} } } });
  if (purged > 0) log.info({ deliveries: purged }, 'old deliveries removed');
}

async function purgeBatch({ db }: PurgeContext, now: Date): Promise<number> {
  const old = await db.delivery.findMany({
    where: { createdAt: { lt: new Date(now.getTime() - KEPT_MS) } },
    select: { id: true, endpointId: true },
    take: LINES_BATCH,
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
  const gone = await tx.$queryRaw<Removed[]>`
    DELETE FROM "Delivery" WHERE "id" = ANY (${old.map(({ id }) => id)}::uuid[])
    RETURNING "endpointId", "subscriptionId", "status" = 'PENDING' AS "wasWaiting"`;
  const shortened = Map.groupBy(
    gone.filter(({ wasWaiting }) => wasWaiting),
    ({ endpointId }) => endpointId,
  );
  for (const [endpointId, removed] of shortened) {
    const lines = removed.map(({ subscriptionId }) => subscriptionId);
    await wakeLines(tx, endpointId, lines, now);
  }
}

interface Removed {
  readonly endpointId: string;
  readonly subscriptionId: string | null;
  readonly wasWaiting: boolean;
}
