import type { AppContext } from '../../../app.ts';
import { invalidRequest } from '../../../errors.ts';
import type { Prisma, WebhookEndpoint } from '../../../generated/prisma/client.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { changedFields } from '../../kernel/audit-log/changed-fields.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { cancelUnwanted } from './delivery/cancel-unwanted.ts';
import { lockLines } from './delivery/delivery-lines.ts';
import { enqueueDeliveries } from './delivery/enqueue-deliveries.ts';
import { holdLines, releaseLines } from './delivery/hold-lines.ts';
import { type EndpointSettings, validSettings } from './endpoint-settings.ts';
import { findEndpoint } from './find-endpoint.ts';

export interface EndpointChanges extends Partial<EndpointSettings> {
  /** While it is DISABLED, pending deliveries wait, and new events have no delivery to it. */
  readonly status?: 'ENABLED' | 'DISABLED' | undefined;
}

type UpdateContext = Pick<AppContext, 'config' | 'db' | 'clock' | 'jobs' | 'log'>;

/**
 * Changes an endpoint. Pending deliveries go to the new URL, wait while the endpoint is disabled,
 * and are cancelled if it no longer wants their events. Enabling it or changing its URL resets its
 * health.
 *
 * @throws BillingError not_found, param `id`; or invalid_request, param `url`, `eventTypes`,
 *   `maxPerSecond`, `maxConcurrency`, `description` or `status`
 */
export async function updateEndpoint(
  ctx: UpdateContext,
  scope: ActingScope,
  id: string,
  { status, ...changes }: EndpointChanges,
): Promise<WebhookEndpoint> {
  const settings = validSettings(ctx.config, scope.environment, changes);
  if (status !== undefined && !['ENABLED', 'DISABLED'].includes(status)) {
    throw invalidRequest('status', 'status must be ENABLED or DISABLED. To remove it, delete it.');
  }
  const endpoint = await ctx.db.$transaction(async (tx) => {
    await lockLines(tx, 'rearrange', [id]);
    const before = await findEndpoint(tx, scope, id, 'id');
    const now = ctx.clock.now();
    const state = status === undefined || status === before.status ? {} : statusChange(status, now);
    const hasMoved = settings.url !== undefined && settings.url !== before.url;
    const data = { ...settings, ...(hasMoved && HEALTHY), ...state };
    const changed = await tx.webhookEndpoint.update({ where: { id }, data });
    if (before.status !== 'DISABLED' && changed.status === 'DISABLED') await holdLines(tx, id);
    if (before.status === 'DISABLED' && changed.status === 'ENABLED') await releaseLines(tx, id, now);
    const { url, eventTypes, maxPerSecond, maxConcurrency, description } = changed;
    const audited = changedFields(before, {
      url,
      eventTypes,
      maxPerSecond,
      maxConcurrency,
      description,
      status: changed.status,
    });
    if (Object.keys(audited).length > 0) {
      await recordAudit(ctx, tx, scope, { action: 'endpoint.updated', targetId: id, changes: audited });
    }
    return changed;
  });
  // Also if the types are unchanged: an earlier call may have stopped before this.
  if (settings.eventTypes !== undefined) await cancelUnwanted(ctx, id);
  // Deliveries that were held, paused, or behind a cancelled one may be due now.
  if (endpoint.status === 'ENABLED') await enqueueDeliveries(ctx, [{ endpointId: id }]);
  return endpoint;
}

const HEALTHY = { failingSince: null, slowdown: 0, pausedUntil: null };

function statusChange(status: 'ENABLED' | 'DISABLED', now: Date): Prisma.WebhookEndpointUpdateInput {
  if (status === 'DISABLED') return { status, disabledReason: 'MERCHANT', disabledAt: now };
  return {
    status,
    disabledReason: null,
    disabledAt: null,
    ...HEALTHY,
  };
}
