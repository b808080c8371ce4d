import type { AppContext } from '../../../app.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { invalidRequest } from '../../../errors.ts';
import type { WebhookEndpoint } from '../../../generated/prisma/client.ts';
import { encryptSecret, generateWebhookSecret } from '../../../secrets.ts';
import { lockMerchant } from '../../accounts/merchant/lock-merchant.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { newFields } from '../../kernel/audit-log/changed-fields.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import {
  DEFAULT_CONCURRENCY,
  type EndpointSettings,
  type ValidSettings,
  validSettings,
} from './endpoint-settings.ts';

/** Maximum endpoints per merchant and environment: each event has a delivery to each of them. */
export const MAX_ENDPOINTS = 20;

export interface CreateEndpointInput extends ActingScope, Partial<EndpointSettings> {
  readonly url: string;
}

/** An endpoint and its new secret, which is shown only now. */
export interface EndpointWithSecret {
  readonly endpoint: WebhookEndpoint;
  readonly secret: string;
}

/**
 * Creates a webhook endpoint.
 *
 * @throws BillingError invalid_request, param `eventTypes`, `maxPerSecond`, `maxConcurrency`,
 *   `description`, or `url`, also if there are 20 endpoints already
 */
export async function createEndpoint(
  ctx: Pick<AppContext, 'config' | 'db' | 'clock'>,
  {
    url,
    eventTypes = [],
    maxPerSecond = null,
    maxConcurrency = DEFAULT_CONCURRENCY,
    description = null,
    ...scope
  }: CreateEndpointInput,
): Promise<EndpointWithSecret> {
  const { merchantId, environment } = scope;
  const settings = validSettings(ctx.config, environment, {
    url,
    eventTypes,
    maxPerSecond,
    maxConcurrency,
    description,
  }) as ValidSettings;
  const secret = generateWebhookSecret();
  const endpoint = await ctx.db.$transaction(async (tx) => {
    await assertRoom(tx, scope);
    const created = await tx.webhookEndpoint.create({
      data: {
        merchantId,
        environment,
        ...settings,
        encryptedSecret: encryptSecret(ctx.config.secretKey, secret),
        createdAt: ctx.clock.now(),
      },
    });
    const changes = newFields({ ...settings });
    await recordAudit(ctx, tx, scope, { action: 'endpoint.created', targetId: created.id, changes });
    return created;
  });
  return { endpoint, secret };
}

async function assertRoom(tx: DbTransaction, { merchantId, environment }: Scope): Promise<void> {
  await lockMerchant(tx, merchantId);
  const count = await tx.webhookEndpoint.count({
    where: { merchantId, environment, status: { not: 'DELETED' } },
  });
  if (count < MAX_ENDPOINTS) return;
  throw invalidRequest(
    'url',
    `${environment} has ${count} webhook endpoints, and at most ${MAX_ENDPOINTS} are allowed: remove one first.`,
  );
}
