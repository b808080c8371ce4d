import { isDataError } from '../../../db/is-data-error.ts';

/**
 * Does the work for all items in one database transaction. If the database refuses the values of
 * an item, the work is repeated for each half, and so on, until the item is alone. That item is
 * passed to `onFailure`; all others are done. Any other error is thrown.
 */
export async function splitOnFailure<T, R>(
  items: readonly T[],
  work: (items: readonly T[]) => Promise<readonly R[]>,
  onFailure: (item: T, error: unknown) => void,
): Promise<R[]> {
  if (items.length === 0) return [];
  try {
    return [...(await work(items))];
  } catch (error) {
    if (!isDataError(error)) throw error;
    const [failed] = items;
    if (items.length === 1 && failed !== undefined) {
      onFailure(failed, error);
      return [];
    }
    const middle = Math.ceil(items.length / 2);
    const firstResults = await splitOnFailure(items.slice(0, middle), work, onFailure);
    return [...firstResults, ...(await splitOnFailure(items.slice(middle), work, onFailure))];
  }
}
