import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ASTNode, buildSchema, parse, visit } from 'graphql';
import { expect, it } from 'vitest';

const storedSchema = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');

it('schema.graphql matches the code', () => {
  const printer = fileURLToPath(new URL('../../tools/scripts/print-schema.ts', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [printer, '--check'], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

it('the generated types of the clients match the schema and the events', () => {
  const cli = fileURLToPath(new URL('../../node_modules/.bin/graphql-codegen', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [cli, '--check'], { encoding: 'utf8' });
  expect({ status, stderr }).toMatchObject({ status: 0 });
});

it('every type, field, argument and value is described', () => {
  const undescribed: string[] = [];
  const path: string[] = [];
  const visitor = {
    enter(node: ASTNode) {
      if (!('name' in node) || !('description' in node)) return;
      path.push(node.name?.value ?? '');
      if (!node.description) undescribed.push(path.join('.'));
    },
    leave(node: ASTNode) {
      if ('name' in node && 'description' in node) path.pop();
    },
  };
  visit(parse(storedSchema), visitor);
  expect(undescribed).toEqual([]);
});

it('every field that can be refused describes its errors', () => {
  const roots = /^type (?:Query|Mutation|Subscription) \{$([\s\S]*?)^\}$/gm;
  const undocumented = [...storedSchema.matchAll(roots)].flatMap(([, fields = '']) =>
    // Fields are indented by two spaces, arguments by more.
    [...fields.matchAll(/^ {2}"""([\s\S]*?)"""\s+(\w+)(?=[(:])/gm)].flatMap(([, description = '', name]) =>
      description.includes('Errors:') ? [] : [name],
    ),
  );
  expect(undocumented).toEqual([]);
});

it('every root field names its scope, except those that need no key', () => {
  const schema = buildSchema(storedSchema);
  const keyless = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap(
    (root) =>
      Object.values(root?.getFields() ?? {})
        .filter(({ astNode }) => !astNode?.directives?.some(({ name }) => name.value === 'requiresScope'))
        .map(({ name }) => `${root?.name}.${name}`),
  );
  expect(keyless).toEqual([
    'Query.canCreateMerchant',
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
