import { v7 as uuidv7 } from 'uuid';
import type { AppContext } from '../../../app.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { invalidRequest } from '../../../errors.ts';
import type { Discount } from '../../../generated/prisma/client.ts';
import { inTransaction } from '../../../jobs/in-transaction.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { newFields } from '../../kernel/audit-log/changed-fields.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import type { Book } from '../book/book.ts';
import { discountAt } from '../book/discount-at.ts';
import { type GrantedDiscount, writeDiscount } from '../book/discount-columns.ts';
import { firstUnwritten } from '../book/first-unwritten.ts';
import { followDiscount } from '../book/follow-discount.ts';
import { readBooks } from '../book/read-books.ts';
import { COLLECTING } from '../book/status.ts';
import { changeBooks } from '../lifecycle/change-subscriptions.ts';
import { getSubscription } from '../read/get-subscription.ts';
import { publishSubscriptions } from '../read/publish-subscriptions.ts';
import type { BillableSubscription } from '../schedule/billable.ts';
import { findDiscount } from './find-discount.ts';
import { NOT_OFFERED, whyNotOffered } from './is-offered.ts';
import { recordUsedUp } from './record-used-up.ts';
import { takeRedemption } from './take-redemption.ts';

/**
 * Gives a running subscription a discount, from its first payment that is not written yet. It replaces
 * an earlier one. The merchant decides, so limits per customer do not apply. A repeated call changes
 * nothing while the discount applies.
 *
 * @param input.subscription its address on chain, or our id
 * @throws BillingError not_found, param `subscription` or `discountId`; invalid_request with the same
 *   params
 */
export async function applyDiscount(
  ctx: AppContext,
  scope: ActingScope,
  { subscription: name, discountId }: { readonly subscription: string; readonly discountId: string },
): Promise<BillableSubscription> {
  const { id, plan } = await getSubscription(ctx, scope, name);
  await change(ctx, id, async (tx, book, now) => {
    const discount = await findDiscount(tx, scope, discountId);
    const { status } = book.subscription;
    if (!COLLECTING.includes(status)) {
      throw invalidRequest('subscription', `The subscription is ${status}: nothing more is collected.`);
    }
    const from = await firstUnwritten(tx, book.subscription, now);
    if (await hasDiscount(tx, book, { discountId, from })) return false;
    const refusal = whyNotOffered(discount, plan, now);
    if (refusal) throw invalidRequest('discountId', NOT_OFFERED[refusal]);
    if (!(await takeRedemption(tx, discountId))) throw invalidRequest('discountId', NOT_OFFERED.USED_UP);
    const granted = await redeem(tx, { discount, subscriptionId: id, from, now });
    await recordUsedUp(tx, discountId, now);
    await writeDiscount(tx, id, { ...granted, waivers: book.subscription.waivers });
    const changes = newFields({ discountId, name: discount.name, from: Number(from) });
    await recordAudit(ctx, tx, scope, { action: 'subscription.discount_applied', targetId: id, changes });
    return true;
  });
  return getSubscription(ctx, scope, id);
}

/**
 * Takes the discount away from a subscription. Payments that are written keep their amounts. A call
 * without a discount changes nothing.
 *
 * @throws BillingError not_found, param `subscription`
 */
export async function removeDiscount(
  ctx: AppContext,
  scope: ActingScope,
  { subscription: name }: { readonly subscription: string },
): Promise<BillableSubscription> {
  const { id } = await getSubscription(ctx, scope, name);
  await change(ctx, id, async (tx, book) => {
    if (!book.subscription.discount) return false;
    await writeDiscount(tx, id, null);
    const changes = newFields({ name: book.subscription.discount.name });
    await recordAudit(ctx, tx, scope, { action: 'subscription.discount_removed', targetId: id, changes });
    return true;
  });
  return getSubscription(ctx, scope, id);
}

/** Changes the discount of a subscription under its lock, with everything that follows from it. */
async function change(
  ctx: AppContext,
  id: string,
  write: (tx: DbTransaction, book: Book, now: Date) => Promise<boolean>,
): Promise<void> {
  const changed = await inTransaction(ctx, async (tx) => {
    const now = ctx.clock.now();
    const [book] = (await readBooks(tx, [id])).values();
    if (!book || !(await write(tx, book, now))) return [];
    const withDiscount = await readBooks(tx, [id]);
    return changeBooks(tx, [...withDiscount.values()], now, (locked) => {
      followDiscount(locked.book);
      return true;
    });
  });
  await publishSubscriptions(ctx, changed);
}

/** Whether the subscription has this discount for its next payment already. */
async function hasDiscount(
  tx: DbTransaction,
  { subscription }: Book,
  { discountId, from }: { readonly discountId: string; readonly from: bigint },
): Promise<boolean> {
  if (!discountAt(subscription, from)) return false;
  const current = { some: { id: subscription.id } };
  return (await tx.discountRedemption.count({ where: { discountId, currentOf: current } })) > 0;
}

async function redeem(
  tx: DbTransaction,
  {
    discount,
    subscriptionId,
    from,
    now,
  }: {
    readonly discount: Discount;
    readonly subscriptionId: string;
    readonly from: bigint;
    readonly now: Date;
  },
): Promise<GrantedDiscount> {
  const redemptionId = uuidv7();
  await tx.discountRedemption.create({
    data: { id: redemptionId, discountId: discount.id, subscriptionId, status: 'REDEEMED', createdAt: now },
  });
  return { redemptionId, from, periods: discount.periods };
}
