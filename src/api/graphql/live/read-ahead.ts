/** Maximum rows per query. */
const MAX_ROWS = 100;

/**
 * Loads the rows that a stream's messages refer to: the row of the current message together with
 * those of the waiting messages. GraphQL answers one message after the other, and a query for each
 * would delay the last one. A row is always loaded after its message arrived, so it is never older
 * than the message.
 */
export class ReadAhead<Row extends { readonly id: string }> {
  readonly #waiting: () => readonly string[];
  #rows = new Map<string, Row>();

  /** @param waiting row ids of the messages that wait, the next one first */
  constructor(waiting: () => readonly string[]) {
    this.#waiting = waiting;
  }

  /** Returns the row, or undefined if it does not exist. */
  async read(id: string, find: (ids: string[]) => Promise<Row[]>): Promise<Row | undefined> {
    if (!this.#rows.has(id)) {
      const ids = new Set([id, ...this.#waiting().slice(0, MAX_ROWS - 1)]);
      this.#rows = new Map((await find([...ids])).map((row) => [row.id, row]));
    }
    const row = this.#rows.get(id);
    // A later message about the same row means that it has changed: it is loaded again.
    this.#rows.delete(id);
    return row;
  }
}
