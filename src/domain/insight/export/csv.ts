import { stringify } from 'csv-stringify/sync';

/** A cell; null is empty. */
export type Cell = string | number | bigint | boolean | Date | null;

/** The columns of a table in order: their names and values. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>;

/**
 * Rows as CSV (RFC 4180). Texts that a spreadsheet would treat as formulas get a leading
 * apostrophe (https://owasp.org/www-community/attacks/CSV_Injection).
 */
export function csvRows(rows: readonly (readonly Cell[])[]): string {
  return stringify(
    rows.map((row) => row.map(toCsvValue)),
    { record_delimiter: '\r\n', escape_formulas: true, quoted_match: /[\r\n]/ },
  );
}

/** Numbers stay numbers: as text, a negative amount would be escaped like a formula. */
function toCsvValue(cell: Cell): string | number | bigint {
  if (typeof cell === 'number' || typeof cell === 'bigint') return cell;
  if (cell === null) return '';
  return cell instanceof Date ? cell.toISOString() : String(cell);
}
