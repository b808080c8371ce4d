import type { DbTransaction } from '../../../../db/db.ts';
import { invalidRequest } from '../../../../errors.ts';
import type { DeliveryStatus, Prisma } from '../../../../generated/prisma/client.ts';
import type { Scope } from '../../../kernel/access/scope.ts';
import { ofSubscription } from '../../../kernel/input/subscription-named.ts';
import { createdIn, type TimeRange } from '../../../kernel/input/time-filter.ts';
import { isId } from '../../../kernel/input/valid-text.ts';
import { knownEventTypes } from '../../event/known-event-types.ts';

export interface DeliveryFilter extends TimeRange {
  readonly endpointId?: string | undefined;
  readonly eventId?: string | undefined;
  readonly eventType?: string | undefined;
  /** Address, which names all subscriptions there, or our id of a subscription. */
  readonly subscriptionId?: string | undefined;
  readonly status?: DeliveryStatus | undefined;
  /** HTTP status of the last response. */
  readonly statusCode?: number | undefined;
}

/**
 * @throws BillingError invalid_request, param `endpointId`, `eventId`, `eventType`,
 *   `subscriptionId`, `statusCode` or `to`
 */
export async function deliveriesWhere(
  db: Pick<DbTransaction, 'subscription'>,
  scope: Scope,
  { endpointId, eventId, eventType, subscriptionId, status, statusCode, from, to }: DeliveryFilter,
): Promise<Prisma.DeliveryWhereInput> {
  for (const [param, id] of Object.entries({ endpointId, eventId })) {
    if (id !== undefined && !isId(id)) throw invalidRequest(param, `${param} must be a UUID.`);
  }
  if (eventType !== undefined) knownEventTypes('eventType', [eventType]);
  const { merchantId, environment } = scope;
  const bySubscription = subscriptionId === undefined ? {} : await ofSubscription(db, scope, subscriptionId);
  return {
    merchantId,
    environment,
    ...createdIn({ from, to }),
    ...bySubscription,
    ...(endpointId && { endpointId }),
    ...(eventId && { eventId }),
    ...(eventType && { event: { type: eventType } }),
    ...(status && { status }),
    ...(statusCode !== undefined && { lastStatusCode: validStatusCode(statusCode) }),
  };
}

function validStatusCode(code: number): number {
  if (Number.isInteger(code) && code >= 100 && code <= 599) return code;
  throw invalidRequest('statusCode', 'statusCode must be a whole number from 100 to 599.');
}
