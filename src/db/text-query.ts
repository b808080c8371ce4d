import { type Connection, Query, type QueryConfig } from 'pg';
import type { TextRow } from './row-reader.ts';

/** The parts of `pg`'s query and connection that its types leave out. */
interface Internals {
  readonly name: string | undefined;
  readonly text: string;
  readonly values: readonly string[];
  readonly _result: { addRow(row: TextRow): void };
  hasBeenParsed(connection: Connection): boolean;
  /** Writes the messages that run the statement. */
  prepare(connection: Connection): void;
  handleDataRow(message: { readonly fields: TextRow }): void;
}
interface Writes {
  readonly submittedNamedStatements: Record<string, string>;
  readonly parsedStatements: Record<string, string>;
  parse(message: { readonly name: string | undefined; readonly text: string }): void;
  close(message: { readonly type: 'S'; readonly name: string }): void;
  bind(message: { readonly statement: string | undefined; readonly values: readonly string[] }): void;
  execute(message: object): void;
  sync(): void;
}

const PgQuery = Query as unknown as new (config: QueryConfig) => Query & Internals;

/**
 * A query of a named statement whose rows are the texts of their columns. `pg` lets PostgreSQL
 * describe the rows of every execution and reads the description, which for a wide page costs a tenth
 * of its time. Texts need none.
 */
export class TextQuery extends PgQuery {
  override prepare(connection: Connection): void {
    const { name, text, values } = this;
    const writes = connection as unknown as Writes;
    if (!this.hasBeenParsed(connection)) {
      closeEarlier(writes, text);
      writes.parse({ name, text });
      if (name !== undefined) writes.submittedNamedStatements[name] = text;
    }
    writes.bind({ statement: name, values });
    writes.execute({});
    writes.sync();
  }

  override handleDataRow({ fields }: { readonly fields: TextRow }): void {
    this._result.addRow(fields);
  }
}

/**
 * Closes the statement under its earlier names (`db.ts`): a plan of a page takes 300 kB of the connection's
 * memory, and pages have many sets of columns.
 */
function closeEarlier(writes: Writes, text: string): void {
  for (const [name, earlier] of Object.entries(writes.parsedStatements)) {
    if (earlier !== text) continue;
    writes.close({ type: 'S', name });
    delete writes.parsedStatements[name];
  }
}
