import type { AppContext } from '../../app.ts';
import type { WebhookEndpoint } from '../../generated/prisma/client.ts';
import { encryptSecret, generateWebhookSecret } from '../../secrets.ts';
import type { ActingScope } from '../audit/actor.ts';
import { newFields } from '../audit/changed-fields.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { type EndpointSettings, type ValidSettings, validSettings } from './endpoint-settings.ts';

export interface CreateEndpointInput extends ActingScope, Partial<EndpointSettings> {
  readonly url: string;
}

/** An endpoint and its secret, which is told here and never again. */
export interface EndpointWithSecret {
  readonly endpoint: WebhookEndpoint;
  readonly secret: string;
}

/**
 * Adds a place where a merchant receives webhooks.
 *
 * @throws BillingError invalid_request, param `url`, `eventTypes` or `maxPerSecond`
 */
export async function createEndpoint(
  ctx: Pick<AppContext, 'config' | 'db' | 'clock'>,
  { url, eventTypes = [], maxPerSecond = null, ...by }: CreateEndpointInput,
): Promise<EndpointWithSecret> {
  const { merchantId, environment } = by;
  const settings = validSettings(ctx.config, environment, { url, eventTypes, maxPerSecond }) as ValidSettings;
  const secret = generateWebhookSecret();
  const endpoint = await ctx.db.$transaction(async (tx) => {
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
    await recordAudit(ctx, tx, by, { action: 'endpoint.created', targetId: created.id, changes });
    return created;
  });
  return { endpoint, secret };
}
