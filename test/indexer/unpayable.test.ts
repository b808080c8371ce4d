import { address, type KeyPairSigner } from '@solana/kit';
import { expect, test } from 'vitest';
import { CLOSED_ACCOUNT } from '../../localnet/accounts.ts';
import { authorityAddress, PROGRAM } from '../../src/chain/accounts/addresses.ts';
import { readAccounts } from '../../src/chain/accounts/read-accounts.ts';
import type { Plan } from '../../src/generated/prisma/client.ts';
import { type IndexerWorld, startIndexerWorld } from './world.ts';

/** Subscribes two customers to one plan. The indexer that has applied them is stopped. */
async function subscribeTwo(world: IndexerWorld) {
  const indexer = await world.startIndexing();
  const plan = await world.publishActivePlan();
  const [first, second] = [
    await world.subscribeWithoutCompleting(plan),
    await world.subscribeWithoutCompleting(plan),
  ];
  const { id } = await world.waitForSubscription(plan, first, 'ACTIVE');
  await world.waitForSubscription(plan, second, 'ACTIVE');
  await world.waitUntilCaughtUp();
  await indexer.close();
  return { plan, first, second, id };
}

const authorityOf = ({ address: wallet }: KeyPairSigner, { mint }: Plan) =>
  authorityAddress(wallet, address(mint));
/** Makes so many blocks that no stream replays what was before them. */
const makeBlocks = (world: IndexerWorld) => {
  for (let block = 0; block < 400; block += 1) world.network.tick();
};

test('a subscription that cannot be cancelled delays no snapshot', async () => {
  const world = await startIndexerWorld();
  const { plan, first, second, id } = await subscribeTwo(world);
  const authority = await authorityOf(first, plan);
  const { lastSequence } = await world.db.subscription.findUniqueOrThrow({ where: { id } });
  // The next event would have the sequence of the first one, which the database refuses.
  await world.db.subscription.update({ where: { id }, data: { lastSequence: 0 } });
  for (const wallet of [first, second]) {
    world.network.setAccount(await authorityOf(wallet, plan), CLOSED_ACCOUNT);
  }
  makeBlocks(world);
  await world.startIndexing();
  await world.waitForSubscription(plan, second, 'CANCELLED');
  // The snapshot that a start makes is complete.
  await world.waitUntilCaughtUp();
  expect(await world.db.unappliedUpdate.findMany({ where: { resolvedAt: null } })).toMatchObject([
    { payload: { address: authority, touched: { kind: 'authority', actor: first.address } } },
  ]);
  expect((await world.waitForSubscription(plan, first, 'ACTIVE')).id).toBe(id);
  await world.db.subscription.update({ where: { id }, data: { lastSequence } });
  await world.waitForSubscription(plan, first, 'CANCELLED');
  expect(await world.historyOf(id)).toEqual(['subscribed', 'authority_revoked']);
});

test('an authority that cannot be read is set aside, and cancels nothing', async () => {
  const world = await startIndexerWorld();
  const { plan, first, id } = await subscribeTwo(world);
  const authority = await authorityOf(first, plan);
  const [account] = await readAccounts(world.chain, [authority], 'program');
  if (!account) throw new Error('There is no authority');
  const writeData = (data: Uint8Array) =>
    world.network.setAccount(authority, {
      lamports: account.lamports,
      owner: PROGRAM,
      executable: false,
      data,
    });
  writeData(Uint8Array.of(99, 1, 2));
  makeBlocks(world);
  await world.startIndexing();
  const countFailures = () => world.messages().filter((msg) => msg === 'update still not applied').length;
  await world.eventually(async () => expect(countFailures()).toBeGreaterThan(1));
  expect(await world.db.unappliedUpdate.count({ where: { resolvedAt: null } })).toBe(1);
  writeData(new Uint8Array(account.data));
  await world.eventually(async () => {
    expect(await world.db.unappliedUpdate.count({ where: { resolvedAt: null } })).toBe(0);
  });
  expect(await world.historyOf(id)).toEqual(['subscribed']);
});
