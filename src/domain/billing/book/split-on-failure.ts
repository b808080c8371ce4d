import { sqlStateOf } from '../../../db/sql-state.ts';

/** PostgreSQL's error classes for bad values: data exception, integrity constraint violation. */
const DATA_ERRORS = ['22', '23'];

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

/** Whether the database refuses the values, so that the same work fails again. */
export function isDataError(error: unknown): boolean {
  const sqlState = sqlStateOf(error);
  return sqlState !== undefined && DATA_ERRORS.includes(sqlState.slice(0, 2));
}
