import { address, type KeyPairSigner } from '@solana/kit';
import { expect, test } from 'vitest';
import { CLOSED_ACCOUNT } from '../../localnet/accounts.ts';
import { authorityAddress, PROGRAM } from '../../src/chain/accounts/addresses.ts';
import { readAccounts } from '../../src/chain/accounts/read-accounts.ts';
import type { Plan } from '../../src/generated/prisma/client.ts';
import { type IndexerWorld, startIndexerWorld } from './world.ts';

/**
 * Two subscribers of one plan, seen by an indexer that has stopped. No stream replays that far
 * back.
 */
async function twoSubscribers(world: IndexerWorld) {
  const indexer = await world.startIndexing();
  const plan = await world.activePlan();
  const [first, second] = [await world.subscribeAndVanish(plan), await world.subscribeAndVanish(plan)];
  const { id } = await world.subscriptionIs(plan, first, 'ACTIVE');
  await world.subscriptionIs(plan, second, 'ACTIVE');
  await world.caughtUp();
  await indexer.close();
  return { plan, first, second, id };
}

const authorityOf = ({ address: wallet }: KeyPairSigner, { mint }: Plan) =>
  authorityAddress(wallet, address(mint));
const someBlocks = (world: IndexerWorld) => {
  for (let block = 0; block < 400; block += 1) world.network.tick();
};

test('a subscription that cannot be ended delays no snapshot, and is ended once it is repaired', async () => {
  const world = await startIndexerWorld();
  const { plan, first, second, id } = await twoSubscribers(world);
  const authority = await authorityOf(first, plan);
  const { lastSequence } = await world.db.subscription.findUniqueOrThrow({ where: { id } });
  // The sequence of its next event is the first one again, which is refused.
  await world.db.subscription.update({ where: { id }, data: { lastSequence: 0 } });
  for (const wallet of [first, second]) {
    world.network.setAccount(await authorityOf(wallet, plan), CLOSED_ACCOUNT);
  }
  someBlocks(world);
  await world.startIndexing();
  await world.subscriptionIs(plan, second, 'CANCELLED');
  // The snapshot of the start is complete.
  await world.caughtUp();
  expect(await world.db.unappliedUpdate.findMany({ where: { resolvedAt: null } })).toMatchObject([
    { payload: { address: authority, touched: { kind: 'authority', actor: first.address } } },
  ]);
  expect((await world.subscriptionIs(plan, first, 'ACTIVE')).id).toBe(id);
  await world.db.subscription.update({ where: { id }, data: { lastSequence } });
  await world.subscriptionIs(plan, first, 'CANCELLED');
  expect(await world.historyOf(id)).toEqual(['subscribed', 'authority_revoked']);
});

test('an authority that cannot be read stays set aside until it can, and ends nothing', async () => {
  const world = await startIndexerWorld();
  const { plan, first, id } = await twoSubscribers(world);
  const authority = await authorityOf(first, plan);
  const [account] = await readAccounts(world.chain, [authority]);
  if (!account) throw new Error('There is no authority');
  const put = (data: Uint8Array) =>
    world.network.setAccount(authority, {
      lamports: account.lamports,
      owner: PROGRAM,
      executable: false,
      data,
    });
  put(Uint8Array.of(99, 1, 2));
  someBlocks(world);
  await world.startIndexing();
  const stillCannot = () => world.messages().filter((msg) => msg === 'update still not applied');
  await world.eventually(async () => expect(stillCannot().length).toBeGreaterThan(1));
  expect(await world.db.unappliedUpdate.count({ where: { resolvedAt: null } })).toBe(1);
  put(new Uint8Array(account.data));
  await world.eventually(async () => {
    expect(await world.db.unappliedUpdate.count({ where: { resolvedAt: null } })).toBe(0);
  });
  expect(await world.historyOf(id)).toEqual(['subscribed']);
});
