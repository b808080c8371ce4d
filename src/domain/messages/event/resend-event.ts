import type { AppContext } from '../../../app.ts';
import { notFound } from '../../../errors.ts';
import type { Event } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { isId } from '../../kernel/input/valid-text.ts';

/**
 * Publishes an event again to the subscribers of `eventsResent`, for example `dues listen`.
 * `resendDelivery` does the same for endpoints.
 *
 * @throws BillingError not_found, param `eventId`
 */
export async function resendEvent(
  { db, live }: Pick<AppContext, 'db' | 'live'>,
  { merchantId, environment }: Scope,
  id: string,
): Promise<Event> {
  const event = isId(id) ? await db.event.findFirst({ where: { id, merchantId, environment } }) : null;
  if (!event) throw notFound('event', 'eventId');
  await live.publish('event.resent', { merchantId, environment, eventId: id });
  return event;
}
