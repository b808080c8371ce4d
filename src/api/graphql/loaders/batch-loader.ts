import DataLoader from 'dataloader';
import type { GraphqlContext } from '../context.ts';

/**
 * Creates a function that loads one value by its key. All keys of one response are read together.
 * Nothing is cached, because a live stream sends many responses in one context.
 */
export function batchLoader<Key, Value>(
  read: (context: GraphqlContext, keys: readonly Key[]) => Promise<Value[]>,
): (context: GraphqlContext, key: Key) => Promise<Value> {
  const loaders = new WeakMap<GraphqlContext, DataLoader<Key, Value>>();
  return (context, key) => {
    const readKeys = (keys: readonly Key[]) => read(context, keys);
    const loader = loaders.get(context) ?? new DataLoader<Key, Value>(readKeys, { cache: false });
    loaders.set(context, loader);
    return loader.load(key);
  };
}
