import type { Config } from '../../../config.ts';
import { invalidRequest } from '../../../errors.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import { validText } from '../../kernel/input/valid-text.ts';
import { knownEventTypes } from '../event/known-event-types.ts';
import type { EventType } from '../event/types.ts';
import { problemOfUrl } from './post/webhook-url.ts';

const MAX_PER_SECOND = 1000;
/** Half of the attempts that a worker has in flight. */
export const MAX_CONCURRENCY = 256;
export const DEFAULT_CONCURRENCY = 32;
const MAX_DESCRIPTION = 500;

/** A merchant's settings of an endpoint. */
export interface EndpointSettings {
  readonly url: string;
  /** Types of the events it receives; empty for all. */
  readonly eventTypes: readonly string[];
  /** Maximum webhooks per second, 1 to 1000; null for no limit. */
  readonly maxPerSecond: number | null;
  /** Maximum webhooks that wait for its response at the same time, 1 to 256. */
  readonly maxConcurrency: number;
  /** The merchant's note about it; null for none. */
  readonly description: string | null;
}

export interface ValidSettings {
  readonly url: string;
  readonly eventTypes: EventType[];
  readonly maxPerSecond: number | null;
  readonly maxConcurrency: number;
  readonly description: string | null;
}

/**
 * Validates the settings that are given.
 *
 * @throws BillingError invalid_request, param `url`, `eventTypes`, `maxPerSecond`, `maxConcurrency` or
 *   `description`
 */
export function validSettings(
  { webhookHostsAllowed: hostsAllowed }: Pick<Config, 'webhookHostsAllowed'>,
  environment: Environment,
  { url, eventTypes, maxPerSecond, maxConcurrency, description }: Partial<EndpointSettings>,
): Partial<ValidSettings> {
  const problem = url === undefined ? undefined : problemOfUrl(url, { environment, hostsAllowed });
  if (problem) throw invalidRequest('url', `url ${problem}.`);
  if (maxPerSecond != null) assertFromOne('maxPerSecond', maxPerSecond, MAX_PER_SECOND);
  if (maxConcurrency !== undefined) assertFromOne('maxConcurrency', maxConcurrency, MAX_CONCURRENCY);
  return {
    ...(url !== undefined && { url: new URL(url).href }),
    ...(eventTypes !== undefined && { eventTypes: knownEventTypes('eventTypes', [...new Set(eventTypes)]) }),
    ...(maxPerSecond !== undefined && { maxPerSecond }),
    ...(maxConcurrency !== undefined && { maxConcurrency }),
    ...(description !== undefined && {
      description: description === null ? null : validText('description', description, MAX_DESCRIPTION, 0),
    }),
  };
}

function assertFromOne(param: string, value: number, max: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= max) return;
  throw invalidRequest(param, `${param} must be a whole number from 1 to ${max}, not ${value}.`);
}
