import type { Event } from '../../../generated/prisma/client.ts';

/** The body of a webhook, the same on every attempt. */
export interface WebhookBody {
  /**
   * A UUIDv7, the same for all attempts and endpoints, so that a receiver can recognise repeats.
   */
  readonly id: string;
  readonly event: string;
  /** Time of the event in milliseconds since the Unix epoch. */
  readonly timestamp: number;
  /** Consecutive number per subscription; null for an event without a subscription. */
  readonly sequence: number | null;
  readonly data: unknown;
}

export function webhookBody({
  id,
  type,
  createdAt,
  sequence,
  data,
}: Pick<Event, 'id' | 'type' | 'createdAt' | 'sequence'> & { readonly data: unknown }): WebhookBody {
  return { id, event: type, timestamp: createdAt.getTime(), sequence, data };
}
