import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ASTNode, buildSchema, parse, visit } from 'graphql';
import { expect, it } from 'vitest';

const kept = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');

it('schema.graphql matches the code', () => {
  const printer = fileURLToPath(new URL('../../scripts/print-schema.ts', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [printer, '--check'], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

it('the types of our clients match the schema and the events', () => {
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

it('every field that can be refused describes its errors', () => {
  const roots = /^type (?:Query|Mutation|Subscription) \{$([\s\S]*?)^\}$/gm;
  const silent = [...kept.matchAll(roots)].flatMap(([, fields = '']) =>
    // Arguments are indented more.
    [...fields.matchAll(/^ {2}"""([\s\S]*?)"""\s+(\w+)(?=[(:])/gm)].flatMap(([, words = '', name]) =>
      words.includes('Errors:') ? [] : [name],
    ),
  );
  expect(silent).toEqual([]);
});

it('every top field that needs a key names its scope', () => {
  const schema = buildSchema(kept);
  const open = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap(
    (root) =>
      Object.values(root?.getFields() ?? {})
        .filter(({ astNode }) => !astNode?.directives?.some(({ name }) => name.value === 'requiresScope'))
        .map(({ name }) => `${root?.name}.${name}`),
  );
  expect(open).toEqual([
    'Query.checkoutSession',
    'Query.signUpPolicy',
    'Query.viewer',
    'Mutation.completeCheckout',
    'Mutation.createMerchant',
    'Mutation.signIn',
    'Mutation.signInInput',
    'Subscription.checkoutSessionUpdated',
  ]);
});
