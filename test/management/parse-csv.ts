/** Parses strict RFC 4180: rows of cells, each row ended by CRLF. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/y;
  while (cell.lastIndex < text.length) {
    const position = cell.lastIndex;
    const [, quoted = '', end] = cell.exec(text) ?? [];
    if (end === undefined) throw new Error(`Not CSV at ${position}: ${text.slice(position, position + 40)}`);
    row.push(quoted.startsWith('"') ? quoted.slice(1, -1).replaceAll('""', '"') : quoted);
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
