import type { AppContext } from '../../../app.ts';
import type { DbTransaction } from '../../../db.ts';
import { lockLines, wakeLines } from './lines.ts';

const KEPT_MS = 90 * 86_400_000;
/** At a time, so that nobody waits long for the lock. */
const BATCH = 5000;

/**
 * Removes deliveries that are older than 90 days, with their attempts, and endpoints that were deleted and have none left.
 * What has been waiting so long (for an endpoint that is off) goes as well.
 */
export async function purgeDeliveries({
  db,
  clock,
  log,
}: Pick<AppContext, 'db' | 'clock' | 'log'>): Promise<void> {
  const now = clock.now();
  let purged = 0;
  for (;;) {
    const count = await db.$transaction((tx) => purgeBatch(tx, now));
    purged += count;
    if (count < BATCH) break;
  }
  await db.webhookEndpoint.deleteMany({ where: { status: 'DELETED', deliveries: { none: {} } } });
  if (purged > 0) log.info({ deliveries: purged }, 'old deliveries removed');
}

async function purgeBatch(tx: DbTransaction, now: Date): Promise<number> {
  await lockLines(tx, 'rearrange');
  const before = new Date(now.getTime() - KEPT_MS);
  const gone = await tx.$queryRaw<{ endpointId: string; wasWaiting: boolean }[]>`
    DELETE FROM "Delivery" WHERE "id" IN (
      SELECT "id" FROM "Delivery" WHERE "createdAt" < ${before} LIMIT ${BATCH})
    RETURNING "endpointId", "status" = 'PENDING' AS "wasWaiting"`;
  const shortened = new Set(gone.filter(({ wasWaiting }) => wasWaiting).map(({ endpointId }) => endpointId));
  for (const endpointId of shortened) await wakeLines(tx, endpointId, now);
  return gone.length;
}
