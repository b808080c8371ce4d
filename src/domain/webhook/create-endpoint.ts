import type { AppContext } from '../../app.ts';
import { invalidRequest } from '../../errors.ts';
import type { Environment, WebhookEndpoint } from '../../generated/prisma/client.ts';
import { encryptSecret, generateWebhookSecret } from '../../secrets.ts';
import { type EventType, eventTypes } from '../event/types.ts';
import { isAllowedHost, isRefusedLiteral } from './address-guard.ts';

const MAX_URL_LENGTH = 2048;

export interface CreateEndpointInput {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly url: string;
  /** Which events it receives; none named means all. */
  readonly eventTypes?: readonly string[];
}

/**
 * Adds a place where a merchant receives webhooks. The secret is given out here and never again.
 *
 * @throws BillingError invalid_request, param `url` or `eventTypes`
 */
export async function createEndpoint(
  ctx: Pick<AppContext, 'config' | 'db' | 'clock'>,
  input: CreateEndpointInput,
): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
  const secret = generateWebhookSecret();
  const endpoint = await ctx.db.webhookEndpoint.create({
    data: {
      merchantId: input.merchantId,
      environment: input.environment,
      url: endpointUrl(input.url, ctx.config.webhookHostsAllowed),
      eventTypes: [...new Set(knownTypes(input.eventTypes ?? []))],
      encryptedSecret: encryptSecret(ctx.config.secretKey, secret),
      createdAt: ctx.clock.now(),
    },
  });
  return { endpoint, secret };
}

function endpointUrl(text: string, hostsAllowed: readonly string[]): string {
  const url = text.length <= MAX_URL_LENGTH ? URL.parse(text) : null;
  if (!url || !['https:', 'http:'].includes(url.protocol)) {
    throw invalidRequest('url', `must be an https URL of at most ${MAX_URL_LENGTH} characters.`);
  }
  if (url.username || url.password) throw invalidRequest('url', 'must not carry a user name or password.');
  if (isAllowedHost(url, hostsAllowed)) return url.href;
  if (url.protocol !== 'https:') throw invalidRequest('url', 'must be https.');
  if (isRefusedLiteral(url)) throw invalidRequest('url', 'must be on the public internet.');
  return url.href;
}

function knownTypes(names: readonly string[]): EventType[] {
  const unknown = names.find((name) => !eventTypes.some((type) => type === name));
  if (unknown !== undefined) {
    throw invalidRequest('eventTypes', `may hold ${eventTypes.join(', ')}.`);
  }
  return names as EventType[];
}
