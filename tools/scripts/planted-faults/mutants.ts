import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import type { Fault } from './faults.ts';

/** Replaced operators. Each pair is a usual error: a bound, a sign, a condition. */
const OPERATORS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
};
const METHODS: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  find: 'findLast',
  findLast: 'find',
};

/** A text of a file, by its offsets. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * All changes of one operator, condition, small number, method or statement in a file, in the order of
 * the text. Texts and types stay.
 *
 * @param file relative to the root of the project
 * @param near files or folders under `test/` that are asked first
 */
function mutantsOf(root: string, file: string, near: readonly string[]): Fault[] {
  const source = readFileSync(join(root, file), 'utf8');
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const faults: Fault[] = [];
  const change = ({ start, end }: Span, to: string) => {
    const line = source.slice(0, start).split('\n').length;
    const from = source.slice(start, end);
    faults.push({ rule: `line ${line}`, file, from, to, near, at: start });
  };
  const operator = (left: Span, right: Span, text: string) => {
    const start = source.indexOf(text, left.end);
    const other = OPERATORS[text];
    if (other && start < right.start) change({ start, end: start + text.length }, other);
  };
  const condition = (test: Span) => change(test, `!(${source.slice(test.start, test.end)})`);
  new Visitor({
    BinaryExpression: (node) => operator(node.left, node.right, node.operator),
    LogicalExpression: (node) => operator(node.left, node.right, node.operator),
    IfStatement: ({ test }) => condition(test),
    ConditionalExpression: ({ test }) => condition(test),
    Literal: (node) => {
      if (typeof node.value === 'boolean') change(node, String(!node.value));
      // Greater numbers are durations and sizes.
      if (typeof node.value === 'bigint' && node.value < 3n) change(node, `${node.value + 1n}n`);
      if (typeof node.value === 'number' && node.value < 3) change(node, String(node.value + 1));
    },
    ExpressionStatement: (node) => change(node, ';'),
    MemberExpression: ({ property }) => {
      const other = property.type === 'Identifier' ? METHODS[property.name] : undefined;
      if (other) change(property, other);
    },
  }).visit(program);
  return faults.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0));
}

const BILLING = 'src/domain/billing/';
/** The files with rules of money, and the tests that are asked about them. */
const MONEY: readonly { readonly files: string; readonly near: readonly string[] }[] = [
  { files: 'price/**/*.ts', near: ['domain/billing/price', 'domain/billing/collect'] },
  { files: 'schedule/*.ts', near: ['domain/billing/schedule', 'scenarios/renewal.test.ts'] },
  {
    files: 'collect/*.ts',
    near: ['domain/billing/collect', 'scenarios/guarded-pull.test.ts', 'scenarios/unable-payer.test.ts'],
  },
  {
    files: 'settle/*.ts',
    near: ['domain/billing/settle', 'scenarios/merchant-pull.test.ts', 'scenarios/lost-transactions.test.ts'],
  },
  { files: 'receipt/*.ts', near: ['scenarios/receipts.test.ts'] },
  { files: 'refund/*.ts', near: ['domain/refund', 'scenarios/refunds.test.ts'] },
];

/** The mutants of all files with rules of money. */
export function moneyMutants(root: string): Fault[] {
  return MONEY.flatMap(({ files, near }) =>
    globSync(BILLING + files, { cwd: root })
      .sort()
      .flatMap((file) => mutantsOf(root, file, near)),
  );
}
