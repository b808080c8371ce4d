import type { AppContext } from '../../app.ts';
import type { DbTransaction } from '../../db.ts';
import { invalidRequest } from '../../errors.ts';
import type { WebhookEndpoint } from '../../generated/prisma/client.ts';
import { encryptSecret, generateWebhookSecret } from '../../secrets.ts';
import type { ActingScope } from '../audit/actor.ts';
import { newFields } from '../audit/changed-fields.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Scope } from '../merchant/scope.ts';
import { type EndpointSettings, type ValidSettings, validSettings } from './endpoint-settings.ts';

/** Of a merchant in one environment: each event is written down and posted once for every endpoint. */
export const MOST_ENDPOINTS = 20;

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
 * @throws BillingError invalid_request, param `url`, also where there are 20 already, `eventTypes` or `maxPerSecond`
 */
export async function createEndpoint(
  ctx: Pick<AppContext, 'config' | 'db' | 'clock'>,
  { url, eventTypes = [], maxPerSecond = null, ...by }: CreateEndpointInput,
): Promise<EndpointWithSecret> {
  const { merchantId, environment } = by;
  const settings = validSettings(ctx.config, environment, { url, eventTypes, maxPerSecond }) as ValidSettings;
  const secret = generateWebhookSecret();
  const endpoint = await ctx.db.$transaction(async (tx) => {
    await assertRoom(tx, by);
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

/** Of several that are added at once, each has to see the others: they take turns by the merchant's row. */
async function assertRoom(tx: DbTransaction, { merchantId, environment }: Scope): Promise<void> {
  await tx.$executeRaw`SELECT FROM "Merchant" WHERE "id" = ${merchantId}::uuid FOR NO KEY UPDATE`;
  const count = await tx.webhookEndpoint.count({
    where: { merchantId, environment, status: { not: 'DELETED' } },
  });
  if (count < MOST_ENDPOINTS) return;
  throw invalidRequest(
    'url',
    `There are ${count} webhook endpoints in ${environment}, and there may be ${MOST_ENDPOINTS}: remove one first.`,
  );
}
