/** Adds an entry to a map as its newest one. Beyond `max` entries the oldest is removed. */
export function keepNewest<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, max: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= max) return;
  const [oldest] = map.keys();
  map.delete(oldest as Key);
}
