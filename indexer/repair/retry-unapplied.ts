import { mapConcurrently } from '../../src/async/map-concurrently.ts';
import type { Mirror } from '../apply/mirror.ts';
import type { Subject } from '../apply/set-aside.ts';

/** Maximum pause between two attempts. */
const MAX_PAUSE_MS = 10 * 60_000;
/**
 * Maximum retries per turn, however many rows are open. The row with the oldest attempt comes
 * first.
 */
const RETRIED_PER_TURN = 50;
const CONCURRENCY = 4;

interface OpenUpdate {
  readonly id: string;
  readonly kind: string;
  readonly slot: bigint;
  readonly payload: object;
}

/**
 * Reads again the updates that could not be applied. Those that still fail stay open and are logged
 * again. An update that was just set aside is due at once, because most fail while a node is behind
 * or unreachable. After an attempt the pause is the update's age at that attempt, so it doubles
 * each time up to the maximum. If our clock went back to before the last attempt, the update is
 * due.
 */
export async function retryUnapplied(mirror: Mirror): Promise<void> {
  const { ctx, environment } = mirror;
  const now = ctx.clock.now();
  const rows = await ctx.db.$queryRaw<OpenUpdate[]>`
    SELECT "id", "kind", "slot", "payload" FROM "UnappliedUpdate"
    WHERE "environment" = ${environment}::"Environment" AND "resolvedAt" IS NULL
      AND ("triedAt" + least("triedAt" - "createdAt", ${MAX_PAUSE_MS} * interval '1 millisecond') <= ${now}
        OR "triedAt" > ${now})
    ORDER BY "triedAt" LIMIT ${RETRIED_PER_TURN}`;
  await mapConcurrently(rows, CONCURRENCY, async ({ id, kind, slot, payload }) => {
    const triedAt = ctx.clock.now();
    try {
      await mirror.applyAgain({ kind, ...payload } as Subject, slot);
      await ctx.db.unappliedUpdate.update({ where: { id }, data: { triedAt, resolvedAt: triedAt } });
    } catch (err) {
      if (mirror.isStopped) throw err;
      await ctx.db.unappliedUpdate.update({ where: { id }, data: { triedAt } });
      ctx.log.error({ err, environment, unappliedUpdate: id }, 'update still not applied');
    }
  });
}
