import type { DbTransaction } from '../../db.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { isLegal, type StatusChange } from './status.ts';

export type StatusFields = Omit<Prisma.SubscriptionUncheckedUpdateManyInput, 'status' | 'id'>;

/**
 * The only writer of a subscription's status: moves it along a legal edge, with `fields` and a history row, in the
 * caller's database transaction. Answers false, having written nothing, where the subscription is not in `from` any
 * more: somebody else was first, or this is a replay.
 *
 * @throws Error where no such edge exists: a bug of the caller
 */
export async function transition(
  tx: DbTransaction,
  subscriptionId: string,
  change: StatusChange & { readonly from: NonNullable<StatusChange['from']> },
  at: Date,
  fields: StatusFields = {},
): Promise<boolean> {
  if (!isLegal(change)) {
    throw new Error(`no subscription goes from ${change.from} to ${change.to} because ${change.reason}`);
  }
  const { count } = await tx.subscription.updateMany({
    where: { id: subscriptionId, status: change.from },
    data: { ...fields, status: change.to },
  });
  if (count === 0) return false;
  await tx.subscriptionTransition.create({ data: { subscriptionId, ...change, at } });
  return true;
}
