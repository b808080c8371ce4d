import type { AppContext } from '../../app.ts';
import { inCountedTransaction } from '../../metrics/count-when-committed.ts';
import { endPeriod } from '../subscription/cancel-subscription.ts';
import { COLLECTING } from '../subscription/status.ts';
import { dateOf, scheduleOf, unixSeconds } from './billable.ts';
import { apart } from './books/apart.ts';
import type { Book, BookedPayment, BookedSubscription } from './books/book.ts';
import { loadPayments, openBooks } from './books/read-books.ts';
import { writeBooks } from './books/write-books.ts';
import { miss, paymentOf } from './miss-payment.ts';
import { decide, LANDING_SECONDS, type PaymentWindow } from './period.ts';

/** A payment that is to be collected now. */
export interface DuePayment {
  readonly subscription: BookedSubscription;
  readonly payment: BookedPayment;
  readonly window: PaymentWindow;
}

/**
 * Decides what claimed subscriptions owe now. Answers with the payments that are to be collected; the others have been
 * put where they belong (too early, missed, ended, already paid). One that cannot be decided is told of, and stays
 * claimed until its claim runs out.
 */
export async function preparePayments(
  ctx: AppContext,
  subscriptionIds: readonly string[],
): Promise<DuePayment[]> {
  const complain = (subscription: string, err: unknown) =>
    ctx.log.error({ err, subscription }, 'what is due of a subscription cannot be decided');
  const decided = await apart(subscriptionIds, (ids) => prepareTogether(ctx, ids, complain), complain);
  const due: DuePayment[] = [];
  for (const one of decided) {
    if (one.kind === 'collect') due.push(one);
    else if (one.kind === 'end') {
      const { subscriptionId } = one;
      await endPeriod(ctx, subscriptionId).catch((err: unknown) => complain(subscriptionId, err));
    }
  }
  return due;
}

type Prepared =
  | ({ readonly kind: 'collect' } & DuePayment)
  /** The merchant let the period run out, and it has. */
  | { readonly kind: 'end'; readonly subscriptionId: string }
  | { readonly kind: 'done' };

function prepareTogether(
  ctx: AppContext,
  ids: readonly string[],
  complain: (subscription: string, error: unknown) => void,
): Promise<Prepared[]> {
  return inCountedTransaction(ctx.db, async (tx) => {
    const books = await openBooks(tx, ids);
    const now = ctx.clock.now();
    await loadPayments(
      tx,
      books,
      [...books.values()].flatMap(
        (book) =>
          book.apply(({ subscription }) =>
            windowsAtIssue(subscription, now).map(({ periodStart }) => ({
              subscriptionId: subscription.id,
              periodStart,
            })),
          ) ?? [],
      ),
    );
    const prepared = [...books.values()].flatMap((book) => book.apply(() => prepare(book, now)) ?? []);
    await writeBooks(tx, books.values(), now);
    for (const { subscription, spoiltBy } of books.values()) {
      if (spoiltBy !== undefined) complain(subscription.id, spoiltBy);
    }
    return prepared;
  });
}

/** Those that were missed, and the one that comes now. */
function windowsAtIssue(subscription: BookedSubscription, now: Date): PaymentWindow[] {
  const decision = decideNow(subscription, now);
  return decision.kind === 'missed' ? [...decision.missed, decision.next] : [decision.window];
}

function decideNow(subscription: BookedSubscription, now: Date) {
  return decide(
    scheduleOf(subscription),
    unixSeconds(subscription.nextPaymentAt),
    unixSeconds(now),
    LANDING_SECONDS,
  );
}

/** The rule for one subscription. Its payments of `windowsAtIssue` have been read. */
function prepare(book: Book, now: Date): Prepared {
  const { id, status, nextAttemptAt, cancelAtPeriodEnd } = book.subscription;
  const done: Prepared = { kind: 'done' };
  if (!COLLECTING.includes(status) || !nextAttemptAt) return done;
  let decision = decideNow(book.subscription, now);
  if (cancelAtPeriodEnd && decision.kind !== 'wait') return { kind: 'end', subscriptionId: id };
  if (decision.kind === 'missed') {
    for (const window of decision.missed) miss(book, window);
    const dueAt = dateOf(decision.next.dueAt);
    book.set({ nextPaymentAt: dueAt, nextAttemptAt: dueAt });
    decision = decideNow(book.subscription, now);
  }
  switch (decision.kind) {
    case 'wait':
      book.set({ nextAttemptAt: dateOf(decision.window.dueAt), claimedUntil: null });
      return done;
    case 'too_late_to_send':
      book.set({ nextAttemptAt: dateOf(decision.window.periodEnd), claimedUntil: null });
      return done;
    case 'missed':
      throw new Error('a period that just began is over already');
    case 'collect':
      return collect(book, decision.window);
  }
}

function collect(book: Book, window: PaymentWindow): Prepared {
  const { plan } = book.subscription;
  const payment = paymentOf(book, window);
  if (payment.submitted) {
    // Its transaction may still land: the follower decides, and says when to try again.
    book.set({ nextAttemptAt: null, claimedUntil: null });
    return { kind: 'done' };
  }
  if (payment.status !== 'DUE') {
    const next = dateOf(window.dueAt + BigInt(plan.intervalSeconds));
    book.set({ nextPaymentAt: next, nextAttemptAt: next, claimedUntil: null });
    return { kind: 'done' };
  }
  return { kind: 'collect', subscription: book.subscription, payment, window };
}
