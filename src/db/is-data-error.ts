import { sqlStateOf } from './sql-state.ts';

/** PostgreSQL's error classes for bad values: data exception, integrity constraint violation. */
const DATA_ERRORS = ['22', '23'];

/** Whether the database refuses the values, so that the same work fails again. */
export function isDataError(error: unknown): boolean {
  const sqlState = sqlStateOf(error);
  return sqlState !== undefined && DATA_ERRORS.includes(sqlState.slice(0, 2));
}
