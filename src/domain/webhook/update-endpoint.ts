import type { AppContext } from '../../app.ts';
import type { DbTransaction } from '../../db.ts';
import { invalidRequest } from '../../errors.ts';
import type { Prisma, WebhookEndpoint } from '../../generated/prisma/client.ts';
import type { ActingScope } from '../audit/actor.ts';
import { changedFields } from '../audit/changed-fields.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { cancelWaiting } from './delivery/cancel-waiting.ts';
import { lockLines } from './delivery/lines.ts';
import { type EndpointSettings, validSettings } from './endpoint-settings.ts';
import { findEndpoint } from './find-endpoint.ts';

export interface EndpointChanges extends Partial<EndpointSettings> {
  /** Off: nothing is sent, what waits goes on waiting, and new events are not kept for it. */
  readonly status?: 'ENABLED' | 'DISABLED' | undefined;
}

type UpdateContext = Pick<AppContext, 'config' | 'db' | 'clock'>;

/**
 * Changes an endpoint, also for what already waits: that goes to the new URL, is held while the endpoint is off, and is
 * cancelled where the endpoint no longer wants its event. Switched on again, an endpoint starts with a clean record.
 *
 * @throws BillingError not_found, param `id`; invalid_request, param `url`, `eventTypes`, `maxPerSecond` or `status`
 */
export function updateEndpoint(
  ctx: UpdateContext,
  by: ActingScope,
  id: string,
  { status, ...changes }: EndpointChanges,
): Promise<WebhookEndpoint> {
  const settings = validSettings(ctx.config, by.environment, changes);
  if (status !== undefined && !['ENABLED', 'DISABLED'].includes(status)) {
    throw invalidRequest('status', 'status may be ENABLED or DISABLED; removing it is another call.');
  }
  return ctx.db.$transaction(async (tx) => {
    await lockLines(tx, 'rearrange');
    const before = await findEndpoint(tx, by, id, 'id');
    const now = ctx.clock.now();
    const state = status === undefined || status === before.status ? {} : stateOf(status, now);
    const endpoint = await tx.webhookEndpoint.update({ where: { id }, data: { ...settings, ...state } });
    await cancelUnwanted(tx, endpoint, now);
    const { url, eventTypes, maxPerSecond } = endpoint;
    const audited = changedFields(before, { url, eventTypes, maxPerSecond, status: endpoint.status });
    if (Object.keys(audited).length > 0) {
      await recordAudit(ctx, tx, by, { action: 'endpoint.updated', targetId: id, changes: audited });
    }
    return endpoint;
  });
}

function stateOf(status: 'ENABLED' | 'DISABLED', now: Date): Prisma.WebhookEndpointUpdateInput {
  if (status === 'DISABLED') return { status, disabledReason: 'MERCHANT', disabledAt: now };
  return {
    status,
    disabledReason: null,
    disabledAt: null,
    failingSince: null,
    slowdown: 0,
    pausedUntil: null,
  };
}

async function cancelUnwanted(
  tx: DbTransaction,
  { id, eventTypes }: WebhookEndpoint,
  now: Date,
): Promise<void> {
  if (eventTypes.length > 0) await cancelWaiting(tx, id, { exceptTypes: eventTypes, now });
}
