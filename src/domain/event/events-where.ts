import type { DbTransaction } from '../../db/db.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import type { Scope } from '../access/scope.ts';
import { ofSubscription } from '../input/subscription-named.ts';
import { createdIn, type TimeRange } from '../input/time-filter.ts';
import { knownEventTypes } from './known-event-types.ts';

export interface EventFilter extends TimeRange {
  readonly type?: string | undefined;
  /** A subscription's address, for all subscriptions there, or our id of one. */
  readonly subscriptionId?: string | undefined;
}

/** @throws BillingError invalid_request, param `type`, `subscriptionId` or `to` */
export async function eventsWhere(
  db: Pick<DbTransaction, 'subscription'>,
  scope: Scope,
  { type, subscriptionId, from, to }: EventFilter,
): Promise<Prisma.EventWhereInput> {
  if (type !== undefined) knownEventTypes('type', [type]);
  const range = createdIn({ from, to });
  const { merchantId, environment } = scope;
  const bySubscription = subscriptionId === undefined ? {} : await ofSubscription(db, scope, subscriptionId);
  return { merchantId, environment, ...range, ...(type && { type }), ...bySubscription };
}
