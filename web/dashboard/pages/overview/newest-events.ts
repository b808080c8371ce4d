/** Events in the feed. */
export const SHOWN = 10;

interface Dated {
  readonly id: string;
  /** ISO 8601 in UTC. */
  readonly createdAt: string;
}

/**
 * The newest ten, each once, in the order in which the API lists events. Those of a query and those
 * of the stream overlap, and the stream may report an event after a newer one. So a page that was
 * open for long shows the same as one that was just loaded.
 */
export function newestEvents<T extends Dated>(events: readonly T[]): readonly T[] {
  const each = [...new Map(events.map((event) => [event.id, event])).values()];
  return each.sort((one, other) => (isNewer(one, other) ? -1 : 1)).slice(0, SHOWN);
}

function isNewer(one: Dated, other: Dated): boolean {
  if (one.createdAt !== other.createdAt) return one.createdAt > other.createdAt;
  return one.id > other.id;
}
