import { combineQueries } from '../../../db/combine-queries.ts';
import type { Db } from '../../../db/db.ts';

/** Maximum cached addresses. */
const MAX_CACHED = 10_000;

type Find = (subscriptionId: string) => Promise<string | undefined>;
const finders = new WeakMap<Db, Find>();
const readAddress = combineQueries(readAddresses);

/**
 * The address of a subscription by our id; undefined if there is none. It never changes, so it is
 * read once for all subscribers of a live topic.
 */
export function addressOf(db: Db, subscriptionId: string): Promise<string | undefined> {
  const find = finders.get(db) ?? withCache((id) => readAddress(db, id));
  finders.set(db, find);
  return find(subscriptionId);
}

function withCache(find: Find): Find {
  const known = new Map<string, Promise<string | undefined>>();
  return (subscriptionId) => {
    const cached = known.get(subscriptionId);
    if (cached) return cached;
    const found = find(subscriptionId);
    known.set(subscriptionId, found);
    const [oldest] = known.keys();
    if (known.size > MAX_CACHED && oldest !== undefined) known.delete(oldest);
    found.then(
      (address) => address ?? known.delete(subscriptionId),
      () => known.delete(subscriptionId),
    );
    return found;
  };
}

async function readAddresses(db: Db, ids: readonly string[]): Promise<(string | undefined)[]> {
  const rows = await db.subscription.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, address: true },
  });
  const found = new Map(rows.map(({ id, address }) => [id, address]));
  return ids.map((id) => found.get(id));
}
