import type { AppContext } from '../../app.ts';
import { invalidRequest } from '../../errors.ts';
import type { Delivery, Environment, Prisma } from '../../generated/prisma/client.ts';
import type { ActingScope } from '../audit/actor.ts';
import { newFields } from '../audit/changed-fields.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { nudgeRelay } from '../event/nudge-relay.ts';
import { assertReceives } from './assert-receives.ts';
import { lockLines } from './delivery/lines.ts';
import { findEndpoint } from './find-endpoint.ts';
import { isSampleType, sampleEvents, sampleTypes } from './sample-events.ts';

const TEST = 'endpoint.test';

/**
 * Sends a made-up event to one endpoint, whatever events it wants, and into the live stream: `endpoint.test`, or in TEST a sample of any event about a
 * subscription. In LIVE merchants grant access by those.
 *
 * @throws BillingError not_found, param `endpointId`; invalid_request, param `endpointId` or `type`
 */
export async function sendTestEvent(
  ctx: Pick<AppContext, 'db' | 'clock' | 'jobs' | 'log'>,
  by: ActingScope,
  { endpointId, type = TEST }: { readonly endpointId: string; readonly type?: string | undefined },
): Promise<Delivery> {
  const { merchantId, environment } = by;
  const data = sampleOf(type, endpointId, environment) as unknown as Prisma.InputJsonObject;
  const now = ctx.clock.now();
  const delivery = await ctx.db.$transaction(async (tx) => {
    await lockLines(tx, 'rearrange', [endpointId]);
    assertReceives(await findEndpoint(tx, by, endpointId, 'endpointId'), 'endpointId');
    const changes = newFields({ type });
    await recordAudit(ctx, tx, by, { action: 'endpoint.tested', targetId: endpointId, changes });
    const event = await tx.event.create({ data: { merchantId, environment, type, data, createdAt: now } });
    // It is relayed as well, into the live stream, but to no other endpoint: it has its delivery.
    return tx.delivery.create({
      data: { merchantId, environment, eventId: event.id, endpointId, nextAttemptAt: now, createdAt: now },
    });
  });
  await nudgeRelay(ctx);
  return delivery;
}

function sampleOf(type: string, endpointId: string, environment: Environment): object {
  if (type === TEST) return { endpointId };
  if (environment === 'LIVE') throw invalidRequest('type', `type may only be ${TEST} in LIVE.`);
  if (isSampleType(type)) return sampleEvents[type];
  throw invalidRequest('type', `type may be ${[TEST, ...sampleTypes].join(', ')}.`);
}
