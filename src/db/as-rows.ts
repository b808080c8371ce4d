/**
 * The one parameter of a statement over many rows: `jsonb_to_recordset(${asRows(rows)}::jsonb)`.
 */
export function asRows(rows: readonly unknown[]): string {
  // Bigints are texts: the column's type converts them exactly, JSON numbers would lose digits.
  return JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
