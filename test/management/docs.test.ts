import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { startApiWorld } from '../api/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

const text = await readFile(new URL('../../docs/api-graphql.md', import.meta.url), 'utf8');
const examples = [...text.matchAll(/```graphql\n([\s\S]*?)```/g)].map(
  ([, query = '']) => [/\w+(?=\()/.exec(query)?.[0] ?? '', query] as const,
);

const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();
const plan = await world.publishPlan(merchant);
const subscription = await world.subscribe(merchant, plan, await world.newWallet());

it.each(examples)('the example of %s in the guide works', async (_, query) => {
  const body = { query, variables: query.includes('$id') ? { id: subscription.address } : {} };
  const { status, body: answer } = await world.request('POST', '/graphql', { key: merchant.testKey, body });
  expect({ status, errors: answer.errors }).toEqual({ status: 200, errors: undefined });
});

it('the exports of the guide exist', async () => {
  const files = [...text.matchAll(/(\w+)\.csv/g)].map(([file]) => file);
  expect(files).toHaveLength(5);
  for (const file of files) {
    const { status } = await world.request('GET', `/api/exports/${file}`, { key: merchant.testKey });
    expect(status).toBe(200);
  }
});
