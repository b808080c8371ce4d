/** Converts the text of a column to its value. It is not called for `null`. */
export type ReadColumn = (text: string) => unknown;

/** A row as the texts of its columns. */
export type TextRow = readonly (string | null)[];

/**
 * Creates a reader of adjacent columns. `at` is the index of the first. The columns must have the
 * order of the statement. The reader adds the values to `target`, or to a new object.
 */
export function rowReader<Row extends object>(
  columns: { readonly [Name in keyof Row]-?: ReadColumn },
  at: number,
): (row: TextRow, target?: object) => Row {
  const entries = Object.entries<ReadColumn>(columns);
  return (row, target = {}) => {
    const object = target as Record<string, unknown>;
    for (let index = 0; index < entries.length; index++) {
      const [name, read] = entries[index] as [string, ReadColumn];
      const text = row[at + index];
      object[name] = text === null || text === undefined ? null : read(text);
    }
    return object as Row;
  };
}
