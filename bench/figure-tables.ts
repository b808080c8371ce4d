import { markdownTable } from '../tools/markdown-table.ts';
import { BENCHES } from './benches.ts';
import type { Figures } from './lib/figures.ts';

/** The page with the tables of the figures of all benches between its markers. */
export function withFigureTables(page: string): string {
  return page.replace(
    /(<!-- figures (\w+) -->\n)[\s\S]*?(<!-- \/figures -->)/g,
    (_, start: string, name: string, end: string) =>
      `${start}\n${tableOf(BENCHES[name]?.figures ?? {})}\n\n${end}`,
  );
}

function tableOf(figures: Figures): string {
  const isCompared = Object.values(figures).some(({ comparedWith }) => comparedWith !== undefined);
  const rows = Object.entries(figures).map(([name, { what, target = '', comparedWith = '' }]) => {
    return [`\`${name}\``, what, target, comparedWith];
  });
  return markdownTable(['figure', 'what', 'target', ...(isCompared ? ['compared with'] : [])], rows);
}
