import type { AppContext } from '../../app.ts';
import { type Columns, csvRows } from './csv.ts';

/** An export: the columns of a table and a reader of its pages. */
export interface CsvSource<Row> {
  readonly columns: Columns<Row>;
  /** The first rows after the last one read, or of all, oldest first; fewer than `take` only at the end. */
  read(last: Row | undefined, take: number): Promise<Row[]>;
}

const BATCH = 1_000;

/**
 * Exports a table as CSV in UTF-8, one batch of rows at a time and at the reader's speed. It holds
 * at most one batch, and keeps nothing open between batches.
 */
export async function* exportCsv<Row>(
  { log }: Pick<AppContext, 'log'>,
  { columns, read }: CsvSource<Row>,
): AsyncGenerator<Uint8Array, void> {
  const cells = Object.values(columns);
  let begin = csvRows([Object.keys(columns)]);
  let last: Row | undefined;
  try {
    for (;;) {
      const rows = await read(last, BATCH);
      const text = begin + csvRows(rows.map((row) => cells.map((cell) => cell(row))));
      begin = '';
      if (text !== '') yield Buffer.from(text);
      if (rows.length < BATCH) return;
      last = rows.at(-1);
    }
  } catch (err) {
    // The response has begun, so it can only be aborted, which the client notices.
    log.error({ err }, 'export aborted');
    throw err;
  }
}
