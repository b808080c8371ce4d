import type { AppContext } from '../../app.ts';
import type { Place } from '../merchant/place.ts';
import { type Columns, csvRows } from './csv.ts';

/** What can be exported: the columns of a table, and how to read on in it. */
export interface CsvSource<Row extends Place> {
  readonly columns: Columns<Row>;
  /** The first rows beyond a place, or of all, oldest first; `take` of them unless there are no more. */
  read(beyond: Place | undefined, take: number): Promise<Row[]>;
}

const BATCH = 1_000;

/**
 * A table as CSV in UTF-8, a batch of rows at a time and only when it is asked for: whatever its length, a batch is all
 * that is held, and between two of them nothing is open. Who stops asking leaves nothing behind.
 */
export async function* exportCsv<Row extends Place>(
  { log }: Pick<AppContext, 'log'>,
  { columns, read }: CsvSource<Row>,
): AsyncGenerator<Uint8Array> {
  const cells = Object.values(columns);
  yield Buffer.from(csvRows([Object.keys(columns)]));
  let last: Row | undefined;
  try {
    for (;;) {
      const rows = await read(last, BATCH);
      if (rows.length > 0) yield Buffer.from(csvRows(rows.map((row) => cells.map((cell) => cell(row)))));
      if (rows.length < BATCH) return;
      last = rows.at(-1);
    }
  } catch (err) {
    // The answer has begun: all that is left is to break it off, which the reader sees.
    log.error({ err }, 'export broke off');
    throw err;
  }
}
