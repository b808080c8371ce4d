import type { AppContext } from '../../../app.ts';
import { invalidRequest } from '../../../errors.ts';
import type { Delivery, Environment } from '../../../generated/prisma/client.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { newFields } from '../../kernel/audit-log/changed-fields.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { notifyRelay } from '../event/notify-relay.ts';
import { recordEvent } from '../event/record-event.ts';
import type { EventData, EventType } from '../event/types.ts';
import { assertReceives } from './assert-receives.ts';
import { lockLines } from './delivery/delivery-lines.ts';
import { enqueueDeliveries } from './delivery/enqueue-deliveries.ts';
import { findEndpoint } from './find-endpoint.ts';
import { isSampleType, sampleEvents, sampleTypes } from './sample-events.ts';

const TEST = 'endpoint.test';

/**
 * Sends a sample event to one endpoint, even if the endpoint does not receive its type, and to the
 * live stream: `endpoint.test`, or in TEST a sample of any event about a subscription. In LIVE
 * these samples are refused, because merchants grant access by such events.
 *
 * @throws BillingError not_found, param `endpointId`; invalid_request, param `endpointId` or `type`
 */
export async function sendTestEvent(
  ctx: Pick<AppContext, 'db' | 'clock' | 'jobs' | 'log'>,
  scope: ActingScope,
  { endpointId, type = TEST }: { readonly endpointId: string; readonly type?: string | undefined },
): Promise<Delivery> {
  const { merchantId, environment } = scope;
  const sample = sampleOf(type, endpointId, environment);
  const now = ctx.clock.now();
  const delivery = await ctx.db.$transaction(async (tx) => {
    await lockLines(tx, 'rearrange', [endpointId]);
    assertReceives(await findEndpoint(tx, scope, endpointId, 'endpointId'), 'endpointId');
    const changes = newFields({ type });
    await recordAudit(ctx, tx, scope, { action: 'endpoint.tested', targetId: endpointId, changes });
    const event = await recordEvent(tx, { merchantId, environment, ...sample, at: now });
    // The relay publishes the event to the live stream and adds no deliveries, because it has this
    // one.
    return tx.delivery.create({
      data: { merchantId, environment, eventId: event.id, endpointId, nextAttemptAt: now, createdAt: now },
    });
  });
  await Promise.all([enqueueDeliveries(ctx, [{ endpointId }]), notifyRelay(ctx)]);
  return delivery;
}

interface Sample {
  readonly type: EventType;
  readonly data: EventData[EventType];
}

function sampleOf(type: string, endpointId: string, environment: Environment): Sample {
  if (type === TEST) return { type, data: { endpointId } };
  if (environment === 'LIVE') throw invalidRequest('type', `type may only be ${TEST} in LIVE.`);
  if (isSampleType(type)) return { type, data: sampleEvents[type] };
  throw invalidRequest('type', `type may be ${[TEST, ...sampleTypes].join(', ')}.`);
}
