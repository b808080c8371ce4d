import type { AppContext } from '../../../app.ts';
import { unixSeconds } from '../../../chain/chain-time.ts';
import { invalidRequest } from '../../../errors.ts';
import { MAX_WAIVED } from '../../catalog/plan/plan-terms.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import type { Book } from '../book/book.ts';
import { getSubscription } from '../read/get-subscription.ts';
import { type BillableSubscription, scheduleOf } from '../schedule/billable.ts';
import { paymentPeriod } from '../schedule/period.ts';
import { firstCharged, waivedTimes } from '../schedule/waivers.ts';
import { changeWaivers, firstWaivable, validPeriods, validReason, waiveNext } from './change-waivers.ts';
import { recordPaused } from './record-paused.ts';

export interface PauseInput {
  /** Its address on chain, or our id. */
  readonly subscription: string;
  /** The number of payments, from 1 to 12. */
  readonly periods?: number | null | undefined;
  /** Instead of `periods`: payments due before this time. Without both: until it is resumed. */
  readonly until?: Date | null | undefined;
  readonly keepsAccess: boolean;
  readonly reason?: string | null | undefined;
}

/**
 * Pauses a subscription from its next due date. A payment that is due already is still collected. A
 * customer may only pause for a number of periods that the plan allows.
 *
 * @throws BillingError not_found, param `subscription`; invalid_request, param `periods`, `until` or
 *   `reason`, or `subscription` if it has ended, ends with its period, or is paused already
 */
export async function pauseSubscription(
  ctx: AppContext,
  scope: ActingScope,
  { subscription, periods = null, until = null, keepsAccess, reason: text }: PauseInput,
): Promise<BillableSubscription> {
  const reason = validReason(text);
  if (periods !== null && until !== null) {
    throw invalidRequest('until', 'A pause has either periods or until.');
  }
  const { plan } = await getSubscription(ctx, scope, subscription);
  const byCustomer = scope.actor?.kind === 'CUSTOMER';
  if (byCustomer && plan.maxPausedPeriods === 0) {
    throw invalidRequest('subscription', 'Subscriptions to this plan cannot be paused here.');
  }
  const max = byCustomer ? plan.maxPausedPeriods : MAX_WAIVED;
  if (byCustomer || periods !== null) validPeriods('periods', periods ?? 0, max);
  return changeWaivers(ctx, scope, subscription, {
    action: 'subscription.paused',
    rule: (book, now) => {
      assertNotPaused(book);
      const count = until === null ? periods : paymentsBefore(book, until, now);
      waiveNext(book, { kind: 'PAUSE', count, keepsAccess, reason, actor: scope.actor }, now);
      recordPaused(book, reason, now);
      return { periods: count, keepsAccess, ...(reason && { reason }) };
    },
  });
}

function assertNotPaused({ subscription }: Book): void {
  const { pausedFrom, pausedUntil } = waivedTimes(scheduleOf(subscription), subscription.waivers);
  if (!pausedFrom) return;
  const end = pausedUntil ? `until ${pausedUntil.toISOString()}` : 'until it is resumed';
  throw invalidRequest('subscription', `The subscription is paused already, ${end}: resume it first.`);
}

/** The number of payments that would be charged before a time. */
function paymentsBefore(book: Book, until: Date, now: Date): number {
  const { subscription } = book;
  const schedule = scheduleOf(subscription);
  let count = 0;
  let next = firstCharged(subscription.waivers, firstWaivable(book, now));
  while (next !== null && paymentPeriod(schedule, next).dueAt < unixSeconds(until) && count <= MAX_WAIVED) {
    count += 1;
    next = firstCharged(subscription.waivers, next + 1n);
  }
  if (count >= 1 && count <= MAX_WAIVED) return count;
  const found = count === 0 ? 'no payment' : `more than ${MAX_WAIVED} payments`;
  throw invalidRequest(
    'until',
    `until is ${until.toISOString()}, and ${found} would be due before it: it must be 1 to ${MAX_WAIVED}.`,
  );
}
