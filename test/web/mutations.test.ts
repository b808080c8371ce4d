import { globSync, readFileSync } from 'node:fs';
import { buildSchema, parse, visit } from 'graphql';
import { expect, it } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

/** Mutations that no page sends, with the reason. */
const WITHOUT_A_PAGE: Readonly<Record<string, string>> = {
  createPortalSession:
    'Its URL is a secret for a customer whom the backend of the merchant has signed in; members are not that customer.',
  completeCheckout: 'The checkout page completes a checkout by REST, without a member.',
};

it('every mutation of the API is sent by a page, or is listed with the reason', () => {
  const mutations = Object.keys(buildSchema(read('schema.graphql')).getMutationType()?.getFields() ?? {});
  const sent = new Set<string>();
  for (const path of globSync('web/{customer,dashboard,shared}/**/*.{ts,tsx}', { cwd: ROOT.pathname })) {
    for (const [, document = ''] of read(path).matchAll(/graphql\(\s*\/\* GraphQL \*\/ `([^`]*)`/g)) {
      visit(parse(document), {
        OperationDefinition: ({ operation, selectionSet }) => {
          if (operation !== 'mutation') return;
          for (const field of selectionSet.selections) if ('name' in field) sent.add(field.name.value);
        },
      });
    }
  }
  const missing = mutations.filter((name) => !sent.has(name));
  expect(missing.toSorted()).toEqual(Object.keys(WITHOUT_A_PAGE).toSorted());
});
