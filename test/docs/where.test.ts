import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url);

/** The rows of CONTRIBUTING.md, "Where is ...?", that have an answer. */
function readAnswers(): { readonly name: string; readonly path: string }[] {
  const page = readFileSync(new URL('CONTRIBUTING.md', ROOT), 'utf8');
  const [, section = ''] = /\n## Where is \.\.\.\?\n([\s\S]*?)\n## /.exec(page) ?? [];
  return Array.from(section.matchAll(/\[`(\w+)`\]\(([^)#]+)\)/g), ([, name = '', path = '']) => ({
    name,
    path,
  }));
}

const answers = readAnswers();

test('thirty questions about the code have an answer', () => {
  expect(answers.length).toBeGreaterThanOrEqual(30);
});

test.each(answers)('$path declares $name', ({ name, path }) => {
  expect(readFileSync(new URL(path, ROOT), 'utf8')).toMatch(
    new RegExp(`\\b(?:function|class|const|interface|type) ${name}\\b`),
  );
});
