/** What the history of a subscription needs of an entry to find its charge. */
interface Entry {
  readonly item: { readonly __typename: string; readonly type?: string; readonly reason?: string };
}

/** One row of the history: an entry, and what belongs to it if it is a payment, newest first. */
export interface Row<E extends Entry> {
  readonly entry: E;
  readonly parts: readonly E[];
}

/**
 * Groups a history that is newest first into one row for each charge. The payments of a
 * subscription follow one another, so an attempt, and an event or change that a payment causes,
 * belong to the newest payment before them. Without one, which is then on the next page, they have
 * their own rows.
 */
export function groupByCharge<E extends Entry>(entries: readonly E[]): Row<E>[] {
  const rows: { entry: E; parts: E[] }[] = [];
  let charge: { entry: E; parts: E[] } | undefined;
  for (const entry of entries.toReversed()) {
    if (charge && isOfCharge(entry)) {
      charge.parts.unshift(entry);
      continue;
    }
    const row = { entry, parts: [] };
    rows.push(row);
    if (entry.item.__typename === 'Payment') charge = row;
  }
  return rows.toReversed();
}

const CHANGES = ['payment_failed', 'payment_recovered'];

function isOfCharge({ item }: Entry): boolean {
  if (item.__typename === 'Attempt') return true;
  if (item.__typename === 'Event') return item.type?.startsWith('subscription.payment_') ?? false;
  return item.__typename === 'SubscriptionTransition' && CHANGES.includes(item.reason ?? '');
}
