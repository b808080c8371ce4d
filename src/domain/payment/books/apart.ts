import { sqlStateOf } from '../../../sql-state.ts';

/** PostgreSQL's classes of errors that a row's values cause: data exception, integrity constraint violation. */
const DATA_ERRORS = ['22', '23'];

/**
 * Does the work on all items together, in a database transaction of its own. Where the values of one of them make the
 * database refuse it, the halves are tried apart, and theirs, until the culprit stands alone and is told of; the others
 * are not harmed. Anything else that goes wrong is not the items' fault, and is thrown.
 */
export async function apart<T, R>(
  items: readonly T[],
  work: (items: readonly T[]) => Promise<readonly R[]>,
  onCulprit: (item: T, error: unknown) => void,
): Promise<R[]> {
  if (items.length === 0) return [];
  try {
    return [...(await work(items))];
  } catch (error) {
    if (!blamesData(error)) throw error;
    const [culprit] = items;
    if (items.length === 1 && culprit !== undefined) {
      onCulprit(culprit, error);
      return [];
    }
    const middle = Math.ceil(items.length / 2);
    const first = await apart(items.slice(0, middle), work, onCulprit);
    return [...first, ...(await apart(items.slice(middle), work, onCulprit))];
  }
}

function blamesData(error: unknown): boolean {
  const sqlState = sqlStateOf(error);
  return sqlState !== undefined && DATA_ERRORS.includes(sqlState.slice(0, 2));
}
