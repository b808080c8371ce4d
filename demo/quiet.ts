import { setTimeout as wait } from 'node:timers/promises';
import type { AppContext } from '../src/app.ts';
import { measureUnchangedMs } from '../tools/measure-unchanged.ts';
import { findUnfinishedWork } from '../tools/world/find-unfinished-work.ts';
import type { StoryNetwork } from './story-network.ts';

/** How long work may remain without any progress. */
const MAX_UNCHANGED_MS = 30_000;

/**
 * Waits until nothing is due, running or undelivered at the chain's time, and no signed checkout is
 * open. There is no limit as long as work makes progress, because machines differ in speed.
 *
 * @throws Error if work remains and nothing has changed for 30 seconds
 */
export async function untilQuiet(ctx: AppContext, network: Pick<StoryNetwork, 'nowMs'>): Promise<void> {
  const unchangedMs = measureUnchangedMs();
  for (;;) {
    const now = new Date(Math.max(ctx.clock.now().getTime(), network.nowMs()));
    const waitingFor = (await findUnfinishedWork(ctx, now)) ?? (await openCheckouts(ctx));
    if (waitingFor === null) return;
    if (unchangedMs(`${waitingFor} ${await describeProgress(ctx)}`) > MAX_UNCHANGED_MS) {
      throw new Error(`no progress for ${MAX_UNCHANGED_MS / 1_000} s, still waiting for ${waitingFor}`);
    }
    await wait(50);
  }
}

async function openCheckouts({ db }: AppContext): Promise<string | null> {
  const count = await db.checkoutSession.count({ where: { status: 'OPEN', walletAddress: { not: null } } });
  return count > 0 ? 'checkouts' : null;
}

/** Counts of the finished work, as a text that changes with every step. */
async function describeProgress({ db }: AppContext): Promise<string> {
  const counts = await db.$queryRaw`
    SELECT (SELECT count(*)::int FROM "Event") AS "events",
      (SELECT count(*)::int FROM "Outbox") AS "outbox",
      (SELECT count(*)::int FROM "Attempt") AS "attempts",
      (SELECT count(*)::int FROM "TransferTransaction" WHERE "status" = 'SUBMITTED') AS "submitted",
      (SELECT count(*)::int FROM "Delivery" WHERE "status" = 'SUCCEEDED') AS "delivered",
      (SELECT count(*)::int FROM "Mail" WHERE "status" = 'SENT') AS "mailed"`;
  return JSON.stringify(counts);
}
