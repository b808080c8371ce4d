import type { DbTransaction } from '../../../db.ts';
import { invalidRequest } from '../../../errors.ts';
import type { DeliveryStatus, Prisma } from '../../../generated/prisma/client.ts';
import { knownEventTypes } from '../../event/known-event-types.ts';
import { createdIn, type MomentRange } from '../../merchant/moment-range.ts';
import type { Scope } from '../../merchant/scope.ts';
import { isId } from '../../merchant/valid-text.ts';
import { ofSubscription } from '../../subscription/subscription-named.ts';

export interface DeliveryFilter extends MomentRange {
  readonly endpointId?: string | undefined;
  readonly eventId?: string | undefined;
  readonly eventType?: string | undefined;
  /** Address of a subscription, all its lives; or our id of one. */
  readonly subscriptionId?: string | undefined;
  readonly status?: DeliveryStatus | undefined;
}

/** @throws BillingError invalid_request, param `endpointId`, `eventId`, `eventType`, `subscriptionId` or `to` */
export async function deliveriesWhere(
  db: Pick<DbTransaction, 'subscription'>,
  scope: Scope,
  { endpointId, eventId, eventType, subscriptionId, status, from, to }: DeliveryFilter,
): Promise<Prisma.DeliveryWhereInput> {
  for (const [param, id] of Object.entries({ endpointId, eventId })) {
    if (id !== undefined && !isId(id)) throw invalidRequest(param, `${param} must be a UUID.`);
  }
  if (eventType !== undefined) knownEventTypes('eventType', [eventType]);
  const { merchantId, environment } = scope;
  const of = subscriptionId === undefined ? {} : await ofSubscription(db, scope, subscriptionId);
  return {
    merchantId,
    environment,
    ...createdIn({ from, to }),
    ...of,
    ...(endpointId && { endpointId }),
    ...(eventId && { eventId }),
    ...(eventType && { event: { type: eventType } }),
    ...(status && { status }),
  };
}
