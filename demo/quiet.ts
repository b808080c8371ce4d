import { setTimeout as wait } from 'node:timers/promises';
import type { AppContext } from '../src/app.ts';

const QUIET_WITHIN_MS = 30_000;

/** Waits until nothing is due, under way or untold at the chain's present time. */
export async function untilQuiet(ctx: AppContext): Promise<void> {
  const deadline = performance.now() + QUIET_WITHIN_MS;
  for (;;) {
    const waitingFor = await unfinished(ctx);
    if (waitingFor === null) return;
    if (performance.now() > deadline) throw new Error(`still waiting for ${waitingFor}`);
    await wait(50);
  }
}

/** What has still to happen now; null where all is done. */
async function unfinished({ db, clock }: AppContext): Promise<string | null> {
  const now = clock.now();
  const due = { status: { in: ['ACTIVE' as const, 'PAST_DUE' as const] }, nextAttemptAt: { lte: now } };
  if ((await db.subscription.count({ where: due })) > 0) return 'payments that are due';
  if ((await db.transferTransaction.count({ where: { status: 'SUBMITTED' } })) > 0) return 'transactions';
  if ((await db.event.count({ where: { relayedAt: null } })) > 0) return 'events to be relayed';
  const pending = { status: 'PENDING' as const, nextAttemptAt: { lte: now } };
  if ((await db.delivery.count({ where: pending })) > 0) return 'webhooks';
  const open = await db.checkoutSession.count({ where: { status: 'OPEN', walletAddress: { not: null } } });
  return open > 0 ? 'checkouts' : null;
}
