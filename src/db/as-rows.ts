/**
 * Writes rows as the single parameter of a statement over many rows:
 * `jsonb_to_recordset(${asRows(rows)}::jsonb)`.
 */
export function asRows(rows: readonly unknown[]): string {
  // A bigint is written as text, which the column's type converts exactly. A JSON number would lose
  // digits.
  return JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
