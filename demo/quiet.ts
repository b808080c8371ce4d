import { setTimeout as wait } from 'node:timers/promises';
import type { AppContext } from '../src/app.ts';
import { measureUnchangedMs } from '../tools/measure-unchanged.ts';
import { unfinished } from '../tools/unfinished.ts';
import type { StoryNetwork } from './story-network.ts';

/** How long work may be left without any progress. */
const STILL_MS = 30_000;

/**
 * Waits until nothing is due, running or undelivered at the chain's time, and no signed checkout is
 * open. A slow machine may take as long as it needs.
 *
 * @throws if work is left and nothing changes any more
 */
export async function untilQuiet(ctx: AppContext, network: Pick<StoryNetwork, 'nowMs'>): Promise<void> {
  const stillFor = measureUnchangedMs();
  for (;;) {
    const now = new Date(Math.max(ctx.clock.now().getTime(), network.nowMs()));
    const waitingFor = (await unfinished(ctx, now)) ?? (await openCheckouts(ctx));
    if (waitingFor === null) return;
    if (stillFor(`${waitingFor} ${await doneSoFar(ctx)}`) > STILL_MS) {
      throw new Error(`no progress for ${STILL_MS / 1_000} s, still waiting for ${waitingFor}`);
    }
    await wait(50);
  }
}

async function openCheckouts({ db }: AppContext): Promise<string | null> {
  const open = await db.checkoutSession.count({ where: { status: 'OPEN', walletAddress: { not: null } } });
  return open > 0 ? 'checkouts' : null;
}

/** What was done until now, as text: it changes with every step. */
async function doneSoFar({ db }: AppContext): Promise<string> {
  const counts = await db.$queryRaw`
    SELECT (SELECT count(*)::int FROM "Event") AS "events",
      (SELECT count(*)::int FROM "Outbox") AS "outbox",
      (SELECT count(*)::int FROM "Attempt") AS "attempts",
      (SELECT count(*)::int FROM "TransferTransaction" WHERE "status" = 'SUBMITTED') AS "submitted",
      (SELECT count(*)::int FROM "Delivery" WHERE "status" = 'SUCCEEDED') AS "delivered",
      (SELECT count(*)::int FROM "Mail" WHERE "status" = 'SENT') AS "mailed"`;
  return JSON.stringify(counts);
}
