// Prints the expressions of the dashboard as recording rules, so that promtool can check them.
import { readFile } from 'node:fs/promises';
import { stringify } from 'yaml';

interface Panel {
  readonly targets?: readonly { readonly expr: string }[];
}

const { panels } = JSON.parse(await readFile(new URL('dues.json', import.meta.url), 'utf8')) as {
  panels: Panel[];
};
const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const rules = expressions.map((expr, index) => ({
  record: `dashboard:${index}`,
  expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$environment', '.*'),
}));
console.log(stringify({ groups: [{ name: 'dashboard', rules }] }));
