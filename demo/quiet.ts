import { setTimeout as wait } from 'node:timers/promises';
import type { AppContext } from '../src/app.ts';
import { unfinished } from '../tools/unfinished.ts';
import type { StoryNetwork } from './story-network.ts';

const QUIET_WITHIN_MS = 30_000;

/**
 * Waits until nothing is due, running or undelivered at the chain's time, and no signed checkout is
 * open.
 */
export async function untilQuiet(ctx: AppContext, network: Pick<StoryNetwork, 'nowMs'>): Promise<void> {
  const deadline = performance.now() + QUIET_WITHIN_MS;
  for (;;) {
    const now = new Date(Math.max(ctx.clock.now().getTime(), network.nowMs()));
    const waitingFor = (await unfinished(ctx, now)) ?? (await openCheckouts(ctx));
    if (waitingFor === null) return;
    if (performance.now() > deadline) throw new Error(`still waiting for ${waitingFor}`);
    await wait(50);
  }
}

async function openCheckouts({ db }: AppContext): Promise<string | null> {
  const open = await db.checkoutSession.count({ where: { status: 'OPEN', walletAddress: { not: null } } });
  return open > 0 ? 'checkouts' : null;
}
