import type { AppContext } from '../../../app.ts';
import { unixSeconds } from '../../../chain/chain-time.ts';
import { invalidRequest } from '../../../errors.ts';
import type { WAIVER_CHANGES } from '../../../jobs/catalog.ts';
import { inTransaction } from '../../../jobs/in-transaction.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { newFields } from '../../kernel/audit-log/changed-fields.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import type { Book, BookedWaiver } from '../book/book.ts';
import { movedEnd } from '../book/discount-at.ts';
import { loadPayments, readBooks } from '../book/read-books.ts';
import { COLLECTING } from '../book/status.ts';
import { changeBooks } from '../lifecycle/change-subscriptions.ts';
import { getSubscription } from '../read/get-subscription.ts';
import { publishSubscriptions } from '../read/publish-subscriptions.ts';
import { type BillableSubscription, scheduleOf } from '../schedule/billable.ts';
import { runningPeriod } from '../schedule/collectable-period.ts';
import { paymentDueAt } from '../schedule/period.ts';
import { keepWaivers } from './keep-waivers.ts';
import { takeWaiveKey, type WaiveRequest } from './take-waive-key.ts';

/** What changes, for the audit log; undefined if nothing does. */
type Changes = Readonly<Record<string, string | number | boolean | null>> | undefined;

export interface WaiverChange {
  readonly action: (typeof WAIVER_CHANGES)[number];
  readonly rule: (book: Book, now: Date) => Changes;
  /** The request, if it has an idempotency key. */
  readonly request?: WaiveRequest | undefined;
}

/**
 * Applies a rule to a locked subscription that is collected. A repeated request with its idempotency key
 * changes nothing. Its due payments, and those of the running period and of the due one, have been read.
 *
 * @throws BillingError not_found, or invalid_request if the subscription has ended or ends with the period;
 *   param `subscription`; errors of the rule
 */
export async function applyWaiverChange(
  ctx: AppContext,
  scope: ActingScope,
  name: string,
  { action, rule, request }: WaiverChange,
): Promise<BillableSubscription> {
  const { id } = await getSubscription(ctx, scope, name);
  const at = ctx.clock.now();
  const changed = await inTransaction(ctx, async (tx) => {
    const books = await readBooks(tx, [id]);
    const now = ctx.clock.now();
    if (request && !(await takeWaiveKey(tx, scope, { subscriptionId: id, ...request }, now))) return [];
    await loadPayments(
      tx,
      books,
      [...books.values()].flatMap((book) =>
        periodStarts(book, now).map((periodStart) => ({ subscriptionId: id, periodStart })),
      ),
    );
    let changes: Changes;
    const changed = await changeBooks(tx, [...books.values()], now, ({ book }, at) => {
      assertContinues(book);
      const { waivers } = book.subscription;
      changes = rule(book, at);
      moveDiscount(book, waivers);
      return changes !== undefined;
    });
    if (changes) await recordAudit(ctx, tx, scope, { action, targetId: id, changes: newFields(changes) });
    return changed;
  });
  if (changed.length > 0) await keepWaivers(ctx, scope, { kind: action, id, at });
  await publishSubscriptions(ctx, changed);
  return getSubscription(ctx, scope, id);
}

/** Moves the end of the discount with the pauses. */
function moveDiscount(book: Book, before: readonly BookedWaiver[]): void {
  const { discount } = book.subscription;
  const { newWaivers, changedWaivers } = book.changes;
  if (!discount || newWaivers.length + changedWaivers.length === 0) return;
  // The last entry of a waiver is its newest state.
  const after = new Map([...before, ...newWaivers, ...changedWaivers].map((waiver) => [waiver.id, waiver]));
  const until = movedEnd(discount, before, [...after.values()]);
  if (until !== null) book.setDiscountEnd(until);
}

function periodStarts({ subscription }: Book, now: Date): readonly bigint[] {
  const running = runningPeriod(subscription, now).periodStart;
  const due =
    paymentDueAt(scheduleOf(subscription), unixSeconds(subscription.nextPaymentAt))?.periodStart ?? running;
  return [...new Set([running, due])];
}

function assertContinues({ subscription: { status, cancelAtPeriodEnd } }: Book): void {
  const refuse = (why: string) => invalidRequest('subscription', `${why}.`);
  if (!COLLECTING.includes(status)) throw refuse('The subscription has ended: nothing is collected from it');
  if (cancelAtPeriodEnd) throw refuse('The subscription is cancelled at the end of its period');
}
