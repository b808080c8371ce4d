import type { AppContext } from '../../app.ts';
import { invalidRequest, notFound } from '../../errors.ts';
import type { Event } from '../../generated/prisma/client.ts';
import type { ActingScope } from '../audit/actor.ts';
import { newFields } from '../audit/changed-fields.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { nudgeRelay } from '../event/nudge-relay.ts';
import { recordEvent } from '../event/record-event.ts';
import { subscriptionNamed } from '../subscription/subscription-named.ts';
import { isSampleType, sampleAbout, sampleEvents, sampleTypes } from './sample-events.ts';

export interface TriggerInput {
  readonly type: string;
  /** Address of a subscription, whose newest life is meant; or our id of one life. */
  readonly subscriptionId?: string | undefined;
}

/**
 * Records a made-up event, which then goes wherever a real one would: to the endpoints that want its type, and into the live
 * stream. Nothing else comes of it. About a subscription it takes that one's next sequence, so that a receiver sees no gap.
 *
 * @throws BillingError not_found, param `subscriptionId`; invalid_request, param `type`, also in LIVE, where merchants grant
 * access by events
 */
export async function triggerEvent(
  ctx: Pick<AppContext, 'db' | 'clock' | 'jobs' | 'log'>,
  by: ActingScope,
  { type, subscriptionId }: TriggerInput,
): Promise<Event> {
  const { merchantId, environment } = by;
  if (environment === 'LIVE') throw invalidRequest('type', 'Sample events are made in TEST only.');
  if (!isSampleType(type)) throw invalidRequest('type', `type may be ${sampleTypes.join(', ')}.`);
  const subscription =
    subscriptionId === undefined
      ? undefined
      : await ctx.db.subscription.findFirst({
          where: { merchantId, environment, ...subscriptionNamed(subscriptionId) },
          orderBy: { chainCreatedAt: 'desc' },
          include: { customer: true, plan: true },
        });
  if (subscription === null) throw notFound('subscription', 'subscriptionId');
  const event = await ctx.db.$transaction(async (tx) => {
    const recorded = await recordEvent(tx, {
      merchantId,
      environment,
      type,
      ...(subscription && { subscriptionId: subscription.id }),
      data: subscription ? sampleAbout(type, subscription) : sampleEvents[type],
      at: ctx.clock.now(),
    });
    const changes = newFields({ type });
    await recordAudit(ctx, tx, by, { action: 'event.triggered', targetId: recorded.id, changes });
    return recorded;
  });
  await nudgeRelay(ctx);
  return event;
}
