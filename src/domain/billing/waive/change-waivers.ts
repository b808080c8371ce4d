import { v7 as uuidv7 } from 'uuid';
import type { AppContext } from '../../../app.ts';
import { unixSeconds } from '../../../chain/chain-time.ts';
import { chainWasRead } from '../../../db/timeline.ts';
import { invalidRequest } from '../../../errors.ts';
import { MAX_WAIVED } from '../../catalog/plan/plan-terms.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { validText } from '../../kernel/input/valid-text.ts';
import type { Book, BookedWaiver } from '../book/book.ts';
import { getSubscription } from '../read/get-subscription.ts';
import { type BillableSubscription, scheduleOf } from '../schedule/billable.ts';
import { paymentOfPeriod, periodIndexOf } from '../schedule/period.ts';
import { nextCharged, type WaivedRange } from '../schedule/waivers.ts';
import { applyWaiverChange, type WaiverChange } from './apply-waiver-change.ts';
import { restoreLostWaivers } from './restore-waivers.ts';

/** Maximum waivers of a subscription that have not ended. */
const MAX_OPEN = 24;
const MAX_REASON = 500;

/**
 * Applies a rule as `applyWaiverChange`. While a restored database has not read the chain, the waivers that it lost
 * are made first: the change replaces what is kept of them.
 *
 * @throws BillingError as `applyWaiverChange`; errors of the store of the jobs after a restore
 */
export async function changeWaivers(
  ctx: AppContext,
  scope: ActingScope,
  name: string,
  change: WaiverChange,
): Promise<BillableSubscription> {
  if (!(await chainWasRead(ctx.db, scope.environment))) {
    const { id } = await getSubscription(ctx, scope, name);
    await restoreLostWaivers(ctx, id);
  }
  return applyWaiverChange(ctx, scope, name, change);
}

/**
 * The number of the first payment that a waiver may have: the next one that is not due yet. What is due
 * is collected, or waived by `waivePayment`.
 */
export function firstWaivable(book: Book, now: Date): bigint {
  const schedule = scheduleOf(book.subscription);
  // A worker with another clock may have begun with a payment that is not due yet by this one.
  const open = book.payments.flatMap(({ ordinal, status, periodStart }) =>
    ordinal === 0 && status === 'DUE' ? (paymentOfPeriod(schedule, periodStart)?.index ?? []) : [],
  );
  const next = periodIndexOf(schedule, unixSeconds(book.subscription.nextPaymentAt));
  const after = [periodIndexOf(schedule, unixSeconds(now)), ...open].map((index) => index + 1n);
  return [next, ...after].toSorted((a, b) => Number(b - a))[0] ?? next;
}

export interface WaiverTerms extends Pick<BookedWaiver, 'kind' | 'keepsAccess' | 'reason'> {
  /** The number of payments; null: all until the waiver is ended. */
  readonly count: number | null;
  readonly actor: ActingScope['actor'];
}

/**
 * Waives the next payments that would be charged. Returns their ranges.
 *
 * @throws BillingError invalid_request, param `subscription`
 */
export function waiveNext(book: Book, terms: WaiverTerms, now: Date): readonly WaivedRange[] {
  const { count, actor, ...waiver } = terms;
  const { waivers } = book.subscription;
  const ranges = nextCharged(waivers, firstWaivable(book, now), count);
  if (ranges.length === 0) {
    throw invalidRequest('subscription', 'The subscription is paused until it is resumed: resume it first.');
  }
  if (waivers.length + ranges.length > MAX_OPEN) {
    throw invalidRequest(
      'subscription',
      `The subscription has ${waivers.length} waivers, and may have ${MAX_OPEN} that have not ended.`,
    );
  }
  for (const range of ranges) {
    const { kind = 'OPERATOR' } = actor ?? {};
    book.addWaiver({ id: uuidv7(), ...waiver, ...range, actor: kind, createdAt: now, endedAt: null });
  }
  return ranges;
}

/** @throws BillingError invalid_request */
export function validPeriods(param: string, periods: number, max = MAX_WAIVED): number {
  if (Number.isInteger(periods) && periods >= 1 && periods <= max) return periods;
  throw invalidRequest(param, `${param} is ${periods}, and must be a whole number from 1 to ${max}.`);
}

/** A reason without spaces around it; null if there is none. @throws BillingError invalid_request, param `reason` */
export function validReason(reason: string | null | undefined): string | null {
  const trimmed = reason?.trim();
  return trimmed ? validText('reason', trimmed, MAX_REASON) : null;
}
