import type { Event } from '../../generated/prisma/client.ts';

/** What a merchant receives of an event, on every try the same. */
export interface WebhookBody {
  /** UUIDv7; the same for every try and every endpoint, so that a receiver can tell what it has seen. */
  readonly id: string;
  readonly event: string;
  /** When it happened, in milliseconds since the Unix epoch. */
  readonly timestamp: number;
  /** +1 per subscription; null for an event about none. */
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
