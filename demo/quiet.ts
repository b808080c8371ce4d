import { setTimeout as wait } from 'node:timers/promises';
import type { Localnet } from '../localnet/localnet.ts';
import type { AppContext } from '../src/app.ts';
import { unfinished } from './unfinished.ts';

const QUIET_WITHIN_MS = 30_000;

/** Waits until nothing is due, under way or untold at the chain's present time, and no checkout that was signed for is open. */
export async function untilQuiet(ctx: AppContext, { network }: Pick<Localnet, 'network'>): Promise<void> {
  const deadline = performance.now() + QUIET_WITHIN_MS;
  for (;;) {
    const now = new Date(Math.max(ctx.clock.now().getTime(), network.clock.nowMs()));
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
