/** Number of events in the feed. */
export const FEED_SIZE = 10;

interface Dated {
  readonly id: string;
  /** ISO 8601 in UTC. */
  readonly createdAt: string;
}

/**
 * The newest ten events, each once, in the order of the API. Events of the query and of the stream
 * overlap, and the stream may report an event after a newer one. With this order, a page that has
 * been open for long shows the same as a page that was just loaded.
 */
export function newestEvents<T extends Dated>(events: readonly T[]): readonly T[] {
  const unique = [...new Map(events.map((event) => [event.id, event])).values()];
  return unique.sort((one, other) => (isNewer(one, other) ? -1 : 1)).slice(0, FEED_SIZE);
}

function isNewer(one: Dated, other: Dated): boolean {
  if (one.createdAt !== other.createdAt) return one.createdAt > other.createdAt;
  return one.id > other.id;
}
