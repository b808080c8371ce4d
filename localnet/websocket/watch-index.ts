import type { Commitment } from '../accounts.ts';
import type { Watch } from './topic.ts';

/** Watches by commitment and key, so that an unwatched change costs at most one lookup. */
export class WatchIndex<Key, Params extends { readonly commitment: Commitment }> {
  #watches: Record<Commitment, Map<Key, Set<Watch<Params>>>> = {
    processed: new Map(),
    confirmed: new Map(),
    finalized: new Map(),
  };
  #keyOf: (params: Params) => Key;

  constructor(keyOf: (params: Params) => Key) {
    this.#keyOf = keyOf;
  }

  add(watch: Watch<Params>): void {
    const byKey = this.#watches[watch.params.commitment];
    const key = this.#keyOf(watch.params);
    const watches = byKey.get(key);
    if (watches) watches.add(watch);
    else byKey.set(key, new Set([watch]));
  }

  remove(watch: Watch<Params>): void {
    const byKey = this.#watches[watch.params.commitment];
    const key = this.#keyOf(watch.params);
    const watches = byKey.get(key);
    watches?.delete(watch);
    if (watches?.size === 0) byKey.delete(key);
  }

  /** Whether there is no watch at the commitment. */
  isEmpty(commitment: Commitment): boolean {
    return this.#watches[commitment].size === 0;
  }

  get(commitment: Commitment, key: Key): Iterable<Watch<Params>> {
    return this.#watches[commitment].get(key) ?? [];
  }
}
