import type { Config } from '../../config.ts';
import { invalidRequest } from '../../errors.ts';
import type { Environment } from '../../generated/prisma/client.ts';
import { knownEventTypes } from '../event/known-event-types.ts';
import type { EventType } from '../event/types.ts';
import { problemOfUrl } from './post/webhook-url.ts';

const MAX_PER_SECOND = 1000;

/** What a merchant decides about an endpoint. */
export interface EndpointSettings {
  readonly url: string;
  /** Which events it receives; none named means all. */
  readonly eventTypes: readonly string[];
  /** Webhooks that it receives in a second at most, 1 to 1000; null means as many as come. */
  readonly maxPerSecond: number | null;
}

export interface ValidSettings {
  readonly url: string;
  readonly eventTypes: EventType[];
  readonly maxPerSecond: number | null;
}

/**
 * Checks those that are given.
 *
 * @throws BillingError invalid_request, param `url`, `eventTypes` or `maxPerSecond`
 */
export function validSettings(
  { webhookHostsAllowed: hostsAllowed }: Pick<Config, 'webhookHostsAllowed'>,
  environment: Environment,
  { url, eventTypes, maxPerSecond }: Partial<EndpointSettings>,
): Partial<ValidSettings> {
  const problem = url === undefined ? undefined : problemOfUrl(url, { environment, hostsAllowed });
  if (problem) throw invalidRequest('url', `url ${problem}.`);
  const isRate = (n: number) => Number.isInteger(n) && n >= 1 && n <= MAX_PER_SECOND;
  if (maxPerSecond != null && !isRate(maxPerSecond)) {
    throw invalidRequest('maxPerSecond', `maxPerSecond must be a whole number from 1 to ${MAX_PER_SECOND}.`);
  }
  return {
    ...(url !== undefined && { url: new URL(url).href }),
    ...(eventTypes !== undefined && { eventTypes: knownEventTypes('eventTypes', [...new Set(eventTypes)]) }),
    ...(maxPerSecond !== undefined && { maxPerSecond }),
  };
}
