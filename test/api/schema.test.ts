import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ASTNode, buildSchema, parse, visit } from 'graphql';
import { expect, it } from 'vitest';

const kept = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');

it('schema.graphql is what the code says', () => {
  const printer = fileURLToPath(new URL('../../src/graphql/print-schema.ts', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [printer, '--check'], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

it('the types of our clients are what the schema and the events say', () => {
  const cli = fileURLToPath(new URL('../../node_modules/.bin/graphql-codegen', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [cli, '--check'], { encoding: 'utf8' });
  expect({ status, stderr }).toMatchObject({ status: 0 });
});

it('every type, field, argument and value is described', () => {
  const undescribed: string[] = [];
  const path: string[] = [];
  const named = {
    enter(node: ASTNode) {
      if (!('name' in node) || !('description' in node)) return;
      path.push(node.name?.value ?? '');
      if (!node.description) undescribed.push(path.join('.'));
    },
    leave(node: ASTNode) {
      if ('name' in node && 'description' in node) path.pop();
    },
  };
  visit(parse(kept), named);
  expect(undescribed).toEqual([]);
});

it('every field that can be refused says how', () => {
  const roots = /^type (?:Query|Mutation|Subscription) \{$([\s\S]*?)^\}$/gm;
  const silent = [...kept.matchAll(roots)].flatMap(([, fields = '']) =>
    [...fields.matchAll(/"""([\s\S]*?)"""\s+(\w+)(?=[(:])/g)]
      .filter(([, , name]) => new RegExp(`^  ${name}[(:]`, 'm').test(fields))
      .flatMap(([, words = '', name]) => (words.includes('Errors:') ? [] : [name])),
  );
  expect(silent).toEqual([]);
});

it('every top field says which scope a key needs for it, but for those that are open', () => {
  const schema = buildSchema(kept);
  const open = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap(
    (root) =>
      Object.values(root?.getFields() ?? {})
        .filter(({ astNode }) => !astNode?.directives?.some(({ name }) => name.value === 'requiresScope'))
        .map(({ name }) => `${root?.name}.${name}`),
  );
  expect(open).toEqual([
    'Query.checkoutSession',
    'Query.viewer',
    'Mutation.completeCheckout',
    'Mutation.signIn',
    'Mutation.signInInput',
    'Subscription.checkoutSessionUpdated',
  ]);
});
