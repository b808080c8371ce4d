import type { DbTransaction } from '../../../db/db.ts';
import { invalidRequest } from '../../../errors.ts';
import type { Prisma } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { ofSubscription } from '../../kernel/input/subscription-named.ts';
import { createdIn, type TimeRange } from '../../kernel/input/time-filter.ts';
import { isId } from '../../kernel/input/valid-text.ts';
import { eventsOfPayments } from './events-of-payments.ts';
import { knownEventTypes } from './known-event-types.ts';

export interface EventFilter extends TimeRange {
  readonly type?: string | undefined;
  /** A subscription's address, for all subscriptions there, or our id of one. */
  readonly subscriptionId?: string | undefined;
  readonly paymentId?: string | undefined;
}

/** @throws BillingError invalid_request, param `type`, `subscriptionId`, `paymentId` or `to` */
export async function eventsWhere(
  db: Pick<DbTransaction, 'subscription' | '$queryRaw'>,
  scope: Scope,
  { type, subscriptionId, paymentId, from, to }: EventFilter,
): Promise<Prisma.EventWhereInput> {
  if (type !== undefined) knownEventTypes('type', [type]);
  const range = createdIn({ from, to });
  const { merchantId, environment } = scope;
  const bySubscription = subscriptionId === undefined ? {} : await ofSubscription(db, scope, subscriptionId);
  const byPayment = paymentId === undefined ? {} : await ofPayment(db, paymentId);
  return { merchantId, environment, ...range, ...(type && { type }), ...bySubscription, ...byPayment };
}

/** The filter for the events about a payment; an unknown id matches nothing. */
async function ofPayment(
  db: Pick<DbTransaction, '$queryRaw'>,
  paymentId: string,
): Promise<{ id: { in: string[] } }> {
  if (!isId(paymentId)) throw invalidRequest('paymentId', 'paymentId must be the id of a payment, a UUID.');
  const events = await eventsOfPayments(db, [paymentId]);
  return { id: { in: [...events.values()].flat() } };
}
