import type { AppContext } from '../src/app.ts';

/**
 * What has still to happen at that time; null where all is done. The service's clock may be a second behind the chain's,
 * whose time decides what is due: ask for the later one.
 */
export async function unfinished({ db }: Pick<AppContext, 'db'>, now: Date): Promise<string | null> {
  const due = { status: { in: ['ACTIVE' as const, 'PAST_DUE' as const] }, nextAttemptAt: { lte: now } };
  if ((await db.subscription.count({ where: due })) > 0) return 'payments that are due';
  if ((await db.transferTransaction.count({ where: { status: 'SUBMITTED' } })) > 0) return 'transactions';
  if ((await db.event.count({ where: { relayedAt: null } })) > 0) return 'events to be relayed';
  // Whenever: one that is being sent has its next try in the future, and the merchant's server takes all at once.
  if ((await db.delivery.count({ where: { status: 'PENDING' } })) > 0) return 'webhooks';
  return null;
}
