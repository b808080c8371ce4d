import type { AppContext } from '../../../app.ts';
import { type Columns, csvRows } from './csv.ts';

/** An export: the columns of a table and a reader of its pages. */
export interface CsvSource<Row> {
  readonly columns: Columns<Row>;
  /**
   * The first `take` rows after the last one read, or from the start, oldest first; fewer only at
   * the end.
   */
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
  let header = csvRows([Object.keys(columns)]);
  let last: Row | undefined;
  try {
    for (;;) {
      const rows = await read(last, BATCH);
      const text = header + csvRows(rows.map((row) => cells.map((cell) => cell(row))));
      header = '';
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
