/** The one parameter of a statement over many rows: `jsonb_to_recordset(${asRows(rows)}::jsonb)`. */
export function asRows(rows: readonly unknown[]): string {
  // A column's type makes a number of the text again, whole; JSON's own numbers would not be.
  return JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
