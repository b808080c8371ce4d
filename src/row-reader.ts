/** How the text of a column becomes its value; `null` stays. */
export type ReadColumn = (text: string) => unknown;

/** A row as PostgreSQL words it, column by column. */
export type TextRow = readonly (string | null)[];

/**
 * Reads some columns of a row that stand together, `at` the place of the first. The columns are named in the order in which the statement has them.
 */
export function rowReader<Row extends object>(
  columns: { readonly [Name in keyof Row]-?: ReadColumn },
  at: number,
): (row: TextRow, into?: object) => Row {
  const entries = Object.entries<ReadColumn>(columns);
  return (row, into = {}) => {
    const object = into as Record<string, unknown>;
    for (let index = 0; index < entries.length; index++) {
      const [name, read] = entries[index] as [string, ReadColumn];
      const text = row[at + index];
      object[name] = text === null || text === undefined ? null : read(text);
    }
    return object as Row;
  };
}
