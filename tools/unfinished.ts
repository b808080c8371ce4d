import type { AppContext } from '../src/app.ts';
import { countDue } from '../src/domain/billing/collect/claim-due.ts';
import { Environment } from '../src/generated/prisma/enums.ts';

/**
 * The remaining work at that time, or null. The service's clock may be a second behind the chain's,
 * which decides what is due: pass the later one.
 */
export async function unfinished({ db }: Pick<AppContext, 'db'>, now: Date): Promise<string | null> {
  const atNow = { db, clock: { now: () => now } };
  for (const environment of Object.values(Environment)) {
    if ((await countDue(atNow, environment, 1)) > 0) return 'payments that are due';
  }
  if ((await db.subscription.count({ where: { claimedUntil: { gt: now } } })) > 0) return 'claimed payments';
  if ((await db.transferTransaction.count({ where: { status: 'SUBMITTED' } })) > 0) return 'transactions';
  if ((await db.outbox.count()) > 0) return 'events to be relayed';
  // At any time: a delivery in flight has its next attempt in the future, and the merchant's server
  // accepts all at once.
  if ((await db.delivery.count({ where: { status: 'PENDING' } })) > 0) return 'webhooks';
  const dueMails = { status: 'QUEUED', nextAttemptAt: { lte: now } } as const;
  if ((await db.mail.count({ where: dueMails })) > 0) return 'mails';
  return null;
}
