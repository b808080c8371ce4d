import { address } from '@solana/kit';
import { expect, test } from 'vitest';
import { expectedAccounts } from '../../../indexer/repair/expected-accounts.ts';
import { authorityAddress, subscriptionAddress } from '../../../src/chain/accounts/addresses.ts';
import { PRICE } from '../../domain/world.ts';
import { startIndexerWorld } from '../../indexer/world.ts';

test('an unknown authority is looked up and stored', async () => {
  const world = await startIndexerWorld();
  const indexer = await world.startIndexing();
  const plan = await world.publishActivePlan();
  const wallet = await world.subscribeWithoutCompleting(plan);
  const { id } = await world.waitForSubscription(plan, wallet, 'ACTIVE');
  await world.waitUntilCaughtUp();
  await indexer.close();
  await world.db.subscription.update({ where: { id }, data: { authority: null } });
  await world.startIndexing({ repairMs: 50 });
  const authority = await authorityAddress(wallet.address, address(plan.mint));
  await world.eventually(async () => {
    expect((await world.db.subscription.findUniqueOrThrow({ where: { id } })).authority).toBe(authority);
  });
  expect((await world.waitForSubscription(plan, wallet, 'ACTIVE')).id).toBe(id);
});

test('a transfer that was missed before a restart is found by the timer', async () => {
  const world = await startIndexerWorld();
  const indexer = await world.startIndexing({ repairMs: 50 });
  const plan = await world.publishActivePlan();
  const wallet = await world.subscribeWithoutCompleting(plan);
  await world.waitForSubscription(plan, wallet, 'ACTIVE');
  const where = { environment: 'TEST' } as const;
  await world.eventually(async () => {
    expect((await world.db.streamPosition.findUniqueOrThrow({ where })).reconciledSlot).not.toBeNull();
  });
  await indexer.close();
  await world.pullByMerchant(plan, wallet);
  // The transfer is older than what a start reads again, and before the position, as if every block
  // had been seen.
  for (let block = 0; block < 400; block += 1) world.network.tick();
  const slot = BigInt(world.network.slot('confirmed'));
  await world.db.streamPosition.update({ where, data: { slot } });
  const second = await world.startIndexing();
  await world.waitUntilCaughtUp();
  expect(await world.db.payment.count()).toBe(0);
  await second.close();
  await world.startIndexing({ repairMs: 50 });
  await world.eventually(async () => {
    expect(await world.db.payment.findMany()).toMatchObject([{ amount: PRICE, number: 1 }]);
  });
});

test('every address is listed, also with several open subscriptions', async () => {
  const world = await startIndexerWorld();
  const plan = await world.publishPlan(world.merchant);
  const { address: first, id } = await world.subscribe(world.merchant, plan, await world.newWallet());
  // Seven subscriptions at one address, and more at other addresses than a page has.
  await world.db.$executeRaw`
    INSERT INTO "Subscription" SELECT (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(),
      'address', CASE WHEN n <= 0 THEN s."address" ELSE 'zzz' || lpad(n::text, 5, '0') END,
      'chainCreatedAt', s."chainCreatedAt" + 86400 * (n + 10)))).*
    FROM "Subscription" s, generate_series(-5, 1500) AS n WHERE s."id" = ${id}::uuid`;
  const listed: string[] = [];
  for await (const page of expectedAccounts(world.ctx, 'TEST')) {
    listed.push(...page.accounts.map(({ address }) => address));
  }
  expect(new Set(listed)).toContain(first);
  expect(listed.filter((account) => account.startsWith('zzz'))).toHaveLength(1_500);
});

test('a resumption that was mirrored but not applied is found by the timer', async () => {
  const world = await startIndexerWorld();
  const indexer = await world.startIndexing();
  const plan = await world.publishActivePlan();
  const wallet = await world.subscribeWithoutCompleting(plan);
  await world.waitForSubscription(plan, wallet, 'ACTIVE');
  await world.onChain.cancel(wallet, plan);
  const { id } = await world.waitForSubscription(plan, wallet, 'CANCELLED');
  await world.waitUntilCaughtUp();
  await indexer.close();
  await world.onChain.resume(wallet, plan);
  const pda = await subscriptionAddress(address(plan.address), wallet.address);
  const { data, slot } = await world.see(pda);
  if (!data) throw new Error('There is no subscription');
  // Another process read the subscription before the cancellation, so it mirrored the resumed
  // account and changed nothing.
  const key = { environment_address: { environment: 'TEST', address: pda } } as const;
  await world.db.chainAccount.update({ where: key, data: { data: Buffer.from(data), slot } });
  for (let block = 0; block < 400; block += 1) world.network.tick();
  const position = BigInt(world.network.slot('confirmed'));
  await world.db.streamPosition.update({ where: { environment: 'TEST' }, data: { slot: position } });
  await world.startIndexing({ repairMs: 50 });
  await world.waitForSubscription(plan, wallet, 'ACTIVE');
  expect(await world.historyOf(id)).toEqual(['subscribed', 'cancelled_on_chain', 'resumed_on_chain']);
});
