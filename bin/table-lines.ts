/** Lines of a table whose last `numberColumns` columns are aligned to the right. */
export function tableLines(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  numberColumns: number,
): string[] {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const isNumber = (column: number) => column >= headings.length - numberColumns;
  return [headings, ...rows].map((row) =>
    row
      .map((cell, column) =>
        isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}
