import type { AppContext } from '../../../app.ts';
import { invalidRequest, notFound } from '../../../errors.ts';
import type { Event } from '../../../generated/prisma/client.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { newFields } from '../../kernel/audit-log/changed-fields.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { newestSubscriptionNamed } from '../../kernel/input/subscription-named.ts';
import { notifyRelay } from '../event/notify-relay.ts';
import { recordEvent } from '../event/record-event.ts';
import { isSampleType, sampleAbout, sampleEvents, sampleTypes } from './sample-events.ts';

export interface TriggerInput {
  readonly type: string;
  /** Address, which names the newest subscription there, or our id of a subscription. */
  readonly subscriptionId?: string | undefined;
}

/**
 * Records a sample event. It goes to the endpoints and the live stream like a real one, and changes
 * nothing else. With a subscription it takes its next sequence number, so that endpoints see no
 * gap.
 *
 * @throws BillingError not_found, param `subscriptionId`; or invalid_request, param `type`, also in
 *   LIVE, because merchants grant access by events
 */
export async function triggerEvent(
  ctx: Pick<AppContext, 'db' | 'clock' | 'jobs' | 'log'>,
  scope: ActingScope,
  { type, subscriptionId }: TriggerInput,
): Promise<Event> {
  const { merchantId, environment } = scope;
  if (environment === 'LIVE') throw invalidRequest('type', 'Sample events can be recorded in TEST only.');
  if (!isSampleType(type)) throw invalidRequest('type', `type may be ${sampleTypes.join(', ')}.`);
  const subscription =
    subscriptionId === undefined
      ? undefined
      : await ctx.db.subscription.findFirst({
          ...newestSubscriptionNamed(scope, subscriptionId),
          include: { customer: true, plan: true },
        });
  if (subscription === null) throw notFound('subscription', 'subscriptionId');
  const event = await ctx.db.$transaction(async (tx) => {
    const recorded = await recordEvent(tx, {
      merchantId,
      environment,
      type,
      // A state is of a customer, and is no event of a subscription.
      ...(subscription && type !== 'customer.state_changed' && { subscriptionId: subscription.id }),
      data: subscription ? sampleAbout(type, subscription) : sampleEvents[type],
      at: ctx.clock.now(),
    });
    const changes = newFields({ type });
    await recordAudit(ctx, tx, scope, { action: 'event.triggered', targetId: recorded.id, changes });
    return recorded;
  });
  await notifyRelay(ctx);
  return event;
}
