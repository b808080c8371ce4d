import { useState } from 'react';

/**
 * The newest value, held back while `isBusy`: for a search while somebody types. The first letter
 * is searched at once. The letters typed while that search is under way are searched together,
 * when it has been answered.
 */
export function useNewest<Value>(value: Value, isBusy: boolean): Value {
  const [newest, setNewest] = useState(value);
  if (isBusy || newest === value) return newest;
  setNewest(value);
  return value;
}
