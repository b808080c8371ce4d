import { type Address, address as toAddress } from '@solana/kit';
import { authorityAddress, tokenAccountAddress } from '../../../chain/accounts/addresses.ts';
import { dateOf, unixSeconds } from '../../../chain/chain-time.ts';
import { advisoryLock } from '../../../db/advisory-locks.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { derivedId } from '../../../db/derived-id.ts';
import {
  type CheckoutSession,
  type Plan,
  Prisma,
  type Subscription,
} from '../../../generated/prisma/client.ts';
import { afterCommit } from '../../../jobs/in-transaction.ts';
import { type CustomerOfCheckout, upsertCustomer } from '../../accounts/customer/upsert-customer.ts';
import { discountedPrice } from '../../catalog/money/discounted-price.ts';
import { metadataOf } from '../../kernel/input/metadata-of.ts';
import type { Book } from '../book/book.ts';
import { discountColumns, writeDiscount } from '../book/discount-columns.ts';
import { stopWaivers } from '../book/end-waivers.ts';
import { firstUnwritten } from '../book/first-unwritten.ts';
import { followDiscount } from '../book/follow-discount.ts';
import { readBooks } from '../book/read-books.ts';
import { COLLECTING } from '../book/status.ts';
import { recordSubscribed } from '../book/transition.ts';
import { markStates } from '../customer-state/record-states.ts';
import type { DiscountValue } from '../price/line-source.ts';
import { LINE_SOURCES } from '../price/line-sources.ts';
import { monthlyRevenue } from '../price/monthly-revenue.ts';
import { recurringPrice } from '../price/sources/discount.ts';
import { lastChanges } from '../read/last-reason.ts';
import { offsetOfNew, scheduleOf } from '../schedule/billable.ts';
import { enqueuePayments } from '../schedule/enqueue-payments.ts';
import { firstAttemptAt } from '../schedule/first-attempt.ts';
import { firstUnpaid } from '../schedule/first-unpaid.ts';
import { changeBooks } from './change-subscriptions.ts';
import { collectAgain } from './collect-again.ts';
import { endSubscription, paidThrough } from './end-subscription.ts';

/** The transaction with which a wallet reactivated an existing subscription. */
export interface Reactivation {
  /** Its time on chain, unix seconds; null if the node does not know it. */
  readonly at: bigint | null;
  /** Whether it also took back a cancellation. */
  readonly resumed: boolean;
  /** The latest change of the subscription when it was created, if dues knew it. */
  readonly after: string | undefined;
}

/** A subscription that was verified on chain. */
export interface ProvenSubscription {
  readonly address: Address;
  readonly wallet: Address;
  /** Creation time on chain, unix seconds. */
  readonly createdAt: bigint;
  /** The transaction that created or resumed it. */
  readonly signature: string;
  /**
   * The slot at which it was seen on chain. Its first payment may be due at once, and must not be
   * checked against an older state.
   */
  readonly slot: bigint;
  /**
   * Set if the wallet reactivated an existing subscription. dues may already have it, with a status
   * that has ended.
   */
  readonly returned?: Reactivation;
}

/** A discount that a checkout has reserved. */
export interface AgreedDiscount extends DiscountValue {
  readonly redemptionId: string;
  readonly discountId: string;
  /** What the customer reads. */
  readonly name: string;
  /** Number of payments that it reduces, from the first one; null for all. */
  readonly periods: number | null;
}

/** What was agreed at the checkout. */
type Agreement = CustomerOfCheckout &
  Pick<CheckoutSession, 'metadata' | 'priceId'> & {
    /** With the price of the session. */
    readonly plan: Plan;
    /** The discount that was shown when the wallet signed; null if there was none. */
    readonly discount: AgreedDiscount | null;
  };

export type Start =
  | {
      readonly kind: 'started';
      readonly subscription: Subscription;
      /** Whether the subscription was known, and had ended or was ending. */
      readonly isReactivated: boolean;
      /** The time of its first event: after all events of earlier subscriptions at the address. */
      readonly at: Date;
    }
  /** The subscription belongs to another session and is collected, or a newer one is known. */
  | { readonly kind: 'taken' }
  /** The subscription has ended since the transaction was created, so it is not reactivated. */
  | { readonly kind: 'outdated' };

/**
 * Creates a subscription with its first payment due, or reactivates the known one if `returned` is
 * set. Earlier subscriptions at the address end. The address is locked until the transaction ends.
 */
export async function startSubscription(
  tx: DbTransaction,
  agreement: Agreement,
  proven: ProvenSubscription,
  now: Date,
): Promise<Start> {
  const { environment } = agreement;
  const { address, createdAt: chainCreatedAt, returned } = proven;
  await tx.$executeRaw(
    Prisma.sql`SELECT ${Prisma.raw(advisoryLock('address', 'locked.address'))} FROM (SELECT ${address}::text AS address) AS locked`,
  );
  const known = await tx.subscription.findMany({ where: { environment, address } });
  if (known.some((other) => other.chainCreatedAt > chainCreatedAt)) return { kind: 'taken' };
  // The proof belongs to an earlier subscription.
  if (returned && (returned.at === null || returned.at < chainCreatedAt)) return { kind: 'outdated' };

  const earlier = known.filter((other) => other.chainCreatedAt < chainCreatedAt);
  const running = earlier.filter(({ status }) => COLLECTING.includes(status)).map(({ id }) => id);
  await changeBooks(tx, [...(await readBooks(tx, running)).values()], now, ({ book }, at) => {
    const accessUntil = paidThrough(book.subscription, at);
    return endSubscription(book, { reason: 'delegation_closed', accessUntil, at });
  });
  const existing = known.find((other) => other.chainCreatedAt === chainCreatedAt);
  // With the signature: one subscription may be started again for another customer.
  const newCustomer = derivedId(
    chainCreatedAt,
    'customer',
    environment,
    address,
    chainCreatedAt,
    proven.signature,
    agreement.customerEmail,
  );
  const customerId = await upsertCustomer(tx, agreement, proven.wallet, newCustomer, now);
  const subscription = existing
    ? await reactivate(tx, agreement, proven, existing.id, customerId, now)
    : await createSubscription(tx, agreement, proven, { customerId, isFirst: known.length === 0 }, now);
  if (typeof subscription === 'string') return { kind: subscription };
  const isReactivated = existing !== undefined;
  return { kind: 'started', subscription, isReactivated, at: await timeAfterEvents(tx, earlier, now) };
}

/**
 * Reactivates a known subscription for the customer of this checkout. The transaction must have been
 * created after the subscription's latest change. Otherwise an old transaction could undo any later
 * end.
 */
async function reactivate(
  tx: DbTransaction,
  agreement: Agreement,
  { returned }: ProvenSubscription,
  id: string,
  customerId: string,
  now: Date,
): Promise<Subscription | 'taken' | 'outdated'> {
  const book = (await readBooks(tx, [id])).get(id);
  if (!book || !returned || book.subscription.closedAt) return 'taken';
  const [last, before] = await lastChanges(tx, id, 2);
  const metadata = metadataOf(agreement) as Prisma.InputJsonObject;
  const { status } = book.subscription;
  const { priceId, discount } = agreement;
  const again = { priceId, discount, customerId };
  // The state of the customer who had it.
  await markStates(tx, [id], now);
  if (status === 'CANCELLED' || status === 'EXPIRED') {
    if (returned.after === undefined || returned.after !== last?.id) return 'outdated';
    const change = { from: status, reason: 'reactivated' } as const;
    // Before the change is recorded, which counts the revenue of the new price.
    await agreeAgain(tx, book, again, now, (agreed, at) => {
      stopWaivers(agreed, at);
      collectAgain(agreed, change, at);
    });
  } else {
    // The indexer may already have applied the resumption of this transaction.
    const undidLast = returned.after !== undefined && returned.after === before?.id;
    if (!returned.resumed || last?.reason !== 'resumed_on_chain' || !undidLast) return 'taken';
    await agreeAgain(tx, book, again, now, stopWaivers);
  }
  return tx.subscription.update({ where: { id }, data: { metadata, cancelAtPeriodEnd: false } });
}

/**
 * Gives a known subscription the price and the discount of a new checkout, from the first payment that is
 * not written yet: what the running period owes was fixed before, and is collected first.
 */
async function agreeAgain(
  tx: DbTransaction,
  { subscription }: Book,
  {
    priceId,
    discount,
    customerId,
  }: Pick<Agreement, 'priceId' | 'discount'> & { readonly customerId: string },
  now: Date,
  restart: (book: Book, at: Date) => void,
): Promise<void> {
  const { id } = subscription;
  // The database also writes the revenue of the price, and its movement.
  await tx.subscription.update({ where: { id }, data: { priceId, customerId } });
  const from = discount && (await firstUnwritten(tx, subscription, now));
  await writeDiscount(tx, id, discount && from !== null ? { ...discount, from } : null);
  const agreed = await readBooks(tx, [id]);
  await changeBooks(tx, [...agreed.values()], now, ({ book }, at) => {
    restart(book, at);
    followDiscount(book);
    return true;
  });
}

async function createSubscription(
  tx: DbTransaction,
  agreement: Agreement,
  { address, wallet, createdAt }: ProvenSubscription,
  { customerId, isFirst }: { readonly customerId: string; readonly isFirst: boolean },
  now: Date,
): Promise<Subscription> {
  const { plan, priceId, merchantId, environment, discount } = agreement;
  // The address belongs to one wallet and one plan. If it is known, the wallet has had its trial.
  const trialGranted = isFirst;
  const anchorOffsetSeconds = offsetOfNew(plan, trialGranted);
  const schedule = scheduleOf({ chainCreatedAt: createdAt, anchorOffsetSeconds, plan });
  const first = firstUnpaid(schedule, unixSeconds(now));
  const firstPaymentAt = dateOf(first.dueAt);
  const nextAmount = discount ? discountedPrice(plan.amount, discount) : plan.amount;
  const mint = toAddress(plan.mint);
  const id = derivedId(createdAt, 'subscription', environment, address, createdAt);
  const started = {
    id,
    status: 'ACTIVE',
    cancelAtPeriodEnd: false,
    chainCreatedAt: createdAt,
    anchorOffsetSeconds,
  };
  // A payment that is due already is what the customer waits for.
  const firstAttempt =
    firstPaymentAt > now ? firstAttemptAt({ ...started, plan }, firstPaymentAt) : firstPaymentAt;
  const subscription = await tx.subscription.create({
    data: {
      id,
      merchantId,
      environment,
      planId: plan.id,
      priceId,
      nextAmount,
      ...(discount && {
        ...discountColumns({ ...discount, from: first.index }),
        lineSources: LINE_SOURCES.DISCOUNT,
        mrr: revenueOf(plan, discount),
      }),
      customerId,
      address,
      chainCreatedAt: createdAt,
      walletAddress: wallet,
      tokenAccount: await tokenAccountAddress(wallet, mint, toAddress(plan.tokenProgram)),
      authority: await authorityAddress(wallet, mint),
      trialGranted,
      anchorOffsetSeconds,
      metadata: metadataOf(agreement) as Prisma.InputJsonObject,
      startedAt: dateOf(createdAt),
      nextPaymentAt: firstPaymentAt,
      nextAttemptAt: firstAttempt,
      createdAt: now,
    },
  });
  // The database takes 0 of a new row for a missing amount.
  if (nextAmount === 0n)
    await tx.subscription.update({ where: { id: subscription.id }, data: { nextAmount } });
  await recordSubscribed(tx, subscription.id, now);
  const due = { environment, at: firstAttempt, isRetry: false };
  afterCommit(tx, (ctx) => enqueuePayments(ctx, [due]));
  return subscription;
}

function revenueOf({ amount, intervalSeconds }: Plan, discount: AgreedDiscount): string {
  return String(monthlyRevenue(recurringPrice(amount, discount, discount.periods), intervalSeconds));
}

/**
 * Returns the time of the new subscription's first event: now, but after all events of the earlier
 * subscriptions at the address. The relay orders events by time, so the end of an earlier one comes
 * first for those who follow the merchant's events.
 */
async function timeAfterEvents(
  tx: DbTransaction,
  earlier: readonly Subscription[],
  now: Date,
): Promise<Date> {
  if (earlier.length === 0) return now;
  const { _max: newest } = await tx.event.aggregate({
    where: { subscriptionId: { in: earlier.map(({ id }) => id) } },
    _max: { createdAt: true },
  });
  return new Date(Math.max(now.getTime(), newest.createdAt ? newest.createdAt.getTime() + 1 : 0));
}
