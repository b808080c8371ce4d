/** So many rows are read at a time. */
const MOST = 100;

/**
 * Reads what a stream's messages are about: with the row of the message whose turn it is those of the messages that wait
 * behind it. GraphQL answers one message after the other, and a statement each would make the last of many wait for all.
 * Each row is read after its message came, so it is no older than what the message tells of.
 */
export class ReadAhead<Row extends { readonly id: string }> {
  readonly #waiting: () => readonly string[];
  #rows = new Map<string, Row>();

  /** @param waiting the rows of the messages that have come and not had their turn, the next one first */
  constructor(waiting: () => readonly string[]) {
    this.#waiting = waiting;
  }

  /** The row, or undefined where there is none. */
  async read(id: string, find: (ids: string[]) => Promise<Row[]>): Promise<Row | undefined> {
    if (!this.#rows.has(id)) {
      const ids = new Set([id, ...this.#waiting().slice(0, MOST - 1)]);
      this.#rows = new Map((await find([...ids])).map((row) => [row.id, row]));
    }
    const row = this.#rows.get(id);
    // A row that another message tells of later has changed since: it is read again.
    this.#rows.delete(id);
    return row;
  }
}
