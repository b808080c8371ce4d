import type { AppContext } from '../../src/app.ts';
import { countDue } from '../../src/domain/billing/collect/claim-due.ts';
import { Environment } from '../../src/generated/prisma/enums.ts';

/**
 * A description of work that remains at `now`, or null. The service's clock may be a second behind
 * the chain's, which decides what is due: pass the later of the two times.
 */
export async function findUnfinishedWork({ db }: Pick<AppContext, 'db'>, now: Date): Promise<string | null> {
  const ctxAtNow = { db, clock: { now: () => now } };
  for (const environment of Object.values(Environment)) {
    if ((await countDue(ctxAtNow, environment, 1)) > 0) return 'payments that are due';
  }
  if ((await db.subscription.count({ where: { claimedUntil: { gt: now } } })) > 0) return 'claimed payments';
  if ((await db.transferTransaction.count({ where: { status: 'SUBMITTED' } })) > 0) return 'transactions';
  if ((await db.outbox.count()) > 0) return 'events to be relayed';
  // Deliveries count whenever they are due: one in flight has its next attempt in the future, and
  // the merchant's server accepts all of them at once.
  if ((await db.delivery.count({ where: { status: 'PENDING' } })) > 0) return 'webhooks';
  const dueMails = { status: 'QUEUED', nextAttemptAt: { lte: now } } as const;
  if ((await db.mail.count({ where: dueMails })) > 0) return 'mails';
  return null;
}
