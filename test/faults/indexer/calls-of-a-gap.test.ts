/**
 * The RPC calls that close a gap: bounded by the missed history of dues, not by the books or by
 * strangers.
 */
import { AccountRole, type Address, address, type KeyPairSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { expect, test } from 'vitest';
import { PROGRAM, subscriptionAddress } from '../../../src/chain/accounts/addresses.ts';
import { historySince } from '../../../src/chain/rpc/history-since.ts';
import { latestBlockhash, sendWire } from '../../../src/chain/rpc/send.ts';
import type { Plan } from '../../../src/generated/prisma/client.ts';
import { signedTransaction } from '../../../tools/world/wallet.ts';
import { PRICE } from '../../domain/world.ts';
import { recordRpcCalls } from '../../indexer/record-rpc-calls.ts';
import { type IndexerWorld, startIndexerWorld } from '../../indexer/world.ts';
import { namedAddress } from '../../support/named-address.ts';

/** More transactions than are read one by one however short the gap. */
const FOREIGN = 1_200;

/** Publishes a plan and subscribes a customer. */
async function subscribe(world: IndexerWorld): Promise<{ plan: Plan; wallet: KeyPairSigner }> {
  const plan = await world.publishActivePlan();
  const wallet = await world.subscribeWithoutCompleting(plan);
  await world.waitForSubscription(plan, wallet, 'ACTIVE');
  return { plan, wallet };
}

/** Inserts subscriptions that no transaction names. */
async function insertOtherSubscriptions(world: IndexerWorld, count: number): Promise<void> {
  const addresses = Array.from({ length: count }, (_, n) => namedAddress(`other ${n}`));
  await world.db.$executeRaw`
    INSERT INTO "Subscription" SELECT (jsonb_populate_record(s, jsonb_build_object(
      'id', gen_random_uuid(), 'address', n."address"))).*
    FROM "Subscription" s, unnest(${addresses}::text[]) AS n("address")
    WHERE s."id" = (SELECT min("id"::text)::uuid FROM "Subscription")`;
}

/** Sends transactions of strangers that name the program without calling it. */
async function sendStrangersTransactions(world: IndexerWorld, count: number): Promise<void> {
  const stranger = await world.newWallet();
  let { blockhash } = await latestBlockhash(world.chain);
  for (let n = 1; n <= count; n += 1) {
    // The network makes blocks meanwhile, and a blockhash is valid for 150 of them.
    if (n % 50 === 0) ({ blockhash } = await latestBlockhash(world.chain));
    const transfer = getTransferSolInstruction({
      source: stranger,
      destination: stranger.address,
      amount: BigInt(n),
    });
    const named = {
      ...transfer,
      accounts: [...transfer.accounts, { address: PROGRAM, role: AccountRole.READONLY }],
    };
    await sendWire(world.chain, await signedTransaction(stranger, [named], { blockhash }));
  }
  world.network.tick();
}

async function waitUntilPaid(world: IndexerWorld): Promise<void> {
  await world.eventually(async () => {
    expect(await world.db.payment.findMany()).toMatchObject([{ amount: PRICE, status: 'SUCCEEDED' }]);
  });
}

const requestedAddresses = (calls: readonly { params: readonly unknown[] }[]): Address[] =>
  calls.flatMap(({ params }) => params[0] as Address[]);

test('a gap reads only the accounts that the missed transactions name', async () => {
  const world = await startIndexerWorld();
  await world.startIndexing();
  const { plan, wallet } = await subscribe(world);
  const second = await world.subscribeWithoutCompleting(plan);
  await world.waitForSubscription(plan, second, 'ACTIVE');
  await insertOtherSubscriptions(world, 1_500);
  await world.waitUntilCaughtUp();
  const calls = await recordRpcCalls(world);
  world.setStreamFault({ skipSlots: 1_000 });
  await world.pullByMerchant(plan, wallet);
  await world.onChain.cancel(second, plan);
  const third = await world.subscribeWithoutCompleting(plan);
  world.setStreamFault({ skipSlots: 0 });
  await waitUntilPaid(world);
  await world.waitForSubscription(plan, second, 'CANCELLED');
  await world.waitForSubscription(plan, third, 'ACTIVE');
  const read = requestedAddresses(calls.ofMethod('getMultipleAccounts'));
  const own = await Promise.all(
    [wallet, second, third].map((customer) => subscriptionAddress(address(plan.address), customer.address)),
  );
  expect(read).toEqual(expect.arrayContaining(own));
  expect(read).not.toContain(namedAddress('other 0'));
  expect(calls.ofMethod('getMultipleAccounts').length).toBeLessThan(20);
  expect(world.messages()).not.toContain('comparing every account');
});

test('strangers’ transactions are read one by one up to a rate, those of dues always', async () => {
  const world = await startIndexerWorld();
  const indexer = await world.startIndexing();
  const { plan, wallet } = await subscribe(world);
  await world.waitUntilCaughtUp();
  await indexer.close();
  await sendStrangersTransactions(world, FOREIGN / 2);
  const pull = await world.pullByMerchant(plan, wallet);
  await sendStrangersTransactions(world, FOREIGN / 2);
  // The server keeps 150 blocks.
  for (let block = 0; block < 200; block += 1) world.network.tick();
  const calls = await recordRpcCalls(world);
  const read = () => calls.ofMethod('getTransaction').map(({ params }) => params[0]);
  const second = await world.startIndexing();
  await waitUntilPaid(world);
  await world.waitUntilCaughtUp();
  expect(read()).toContain(pull);
  expect(read().length).toBeGreaterThan(FOREIGN);
  expect(world.messages()).not.toContain('comparing every account');
  await second.close();

  await recordRpcCalls(world, ({ method, params: [named, config] }, _, answer) => {
    if (method !== 'getSignaturesForAddress' || named !== PROGRAM) return;
    const { limit, before } = config as { limit: number; before?: string };
    const slot = world.network.slot('confirmed');
    const first = before === undefined ? 0 : Number(before) + 1;
    const result = Array.from({ length: limit }, (_, n) => {
      return { signature: `${first + n}`, slot, err: null, memo: null, blockTime: null };
    });
    Object.assign(answer, { result, error: undefined });
  });
  const missed = await world.subscribeWithoutCompleting(plan);
  calls.clear();
  await world.startIndexing();
  await world.eventually(async () => expect(world.messages()).toContain('comparing every account'));
  await world.waitForSubscription(plan, missed, 'ACTIVE');
  await world.waitUntilCaughtUp();
  expect(read().length).toBeLessThan(20);

  const history = await historySince(world.chain, PROGRAM, 0n);
  const slots: bigint[] = [];
  for await (const page of history?.pages() ?? []) slots.push(...page.map(({ slot }) => slot));
  expect(slots.length).toBeGreaterThan(FOREIGN);
  expect(slots).toEqual(slots.toSorted((a, b) => Number(a - b)));
  expect(await historySince(world.chain, PROGRAM, 0n, 1)).toBeUndefined();
});

test('a new leader reads the accounts of what dues settled, not the transactions', async () => {
  const world = await startIndexerWorld();
  const first = await world.startIndexing();
  const { plan, wallet } = await subscribe(world);
  const pull = await world.pullByMerchant(plan, wallet);
  await waitUntilPaid(world);
  await world.waitUntilCaughtUp();
  await first.close();
  const { id: paymentId } = await world.db.payment.findFirstOrThrow();
  const createdAt = world.ctx.clock.now();
  const sent = {
    wire: Buffer.from(''),
    lastValidBlockHeight: 1n,
    status: 'LANDED',
    createdAt,
    settledAt: createdAt,
  } as const;
  const { id: transactionId } = await world.db.transferTransaction.create({
    data: { environment: 'TEST', signature: pull, ...sent },
  });
  const attempt = { paymentId, transactionId, status: 'SUCCEEDED', createdAt, settledAt: createdAt } as const;
  await world.db.attempt.create({ data: attempt });
  // The mirror shows the subscription as it was before, and no round of the comparison reaches it.
  const own = await subscriptionAddress(address(plan.address), wallet.address);
  const at = { environment_address: { environment: 'TEST', address: own } } as const;
  const before = await world.db.chainAccount.findUniqueOrThrow({ where: at });
  const setBack = async () => {
    await world.db.chainAccount.update({ where: at, data: { slot: 1n, data: Buffer.from('older') } });
    await world.db.streamPosition.updateMany({ data: { comparedTo: 'z' } });
  };
  await setBack();
  const calls = await recordRpcCalls(world);
  const read = () => calls.ofMethod('getTransaction').map(({ params }) => params[0]);
  const second = await world.startIndexing();
  await world.waitUntilCaughtUp();
  await second.close();
  expect(read()).not.toContain(pull);
  const after = await world.db.chainAccount.findUniqueOrThrow({ where: at });
  expect(after.data).toEqual(before.data);
  expect(after.slot).toBeGreaterThanOrEqual(before.slot);

  // A pull of the transaction that the ledger lacks is found only by reading it.
  await world.db.attempt.create({ data: attempt });
  await world.startIndexing();
  await world.waitUntilCaughtUp();
  expect(read()).toContain(pull);
});

test('if the node does not keep the missed history, every account is compared', async () => {
  const world = await startIndexerWorld();
  const indexer = await world.startIndexing();
  const { plan, wallet } = await subscribe(world);
  await world.waitUntilCaughtUp();
  await indexer.close();
  await world.onChain.cancel(wallet, plan);
  for (let block = 0; block < 200; block += 1) world.network.tick();
  const firstAvailable = world.network.slot('confirmed') - 10;
  const { config } = world.chain;
  await recordRpcCalls(world, ({ method }, _, answer) => {
    if (method === 'getFirstAvailableBlock') Object.assign(answer, { result: firstAvailable });
    if (method === 'getSignaturesForAddress') Object.assign(answer, { result: [] });
  });
  // Another node keeps the whole history. It did not list the transactions.
  Object.assign(world.ctx.chain.TEST?.config ?? {}, { moreRpcUrls: [config.rpcUrl] });
  await world.startIndexing();
  await world.waitForSubscription(plan, wallet, 'CANCELLED');
  await world.eventually(async () => expect(world.messages()).toContain('comparing every account'));
});

test('polling beside many foreign transactions costs a limited number of calls', async () => {
  const world = await startIndexerWorld('polling');
  const indexer = await world.startIndexing();
  const { plan, wallet } = await subscribe(world);
  await world.waitUntilCaughtUp();
  await indexer.close();
  await sendStrangersTransactions(world, FOREIGN);
  await world.pullByMerchant(plan, wallet);
  Object.assign(world.ctx.chain.TEST?.config ?? {}, { comparedCallsPerMinute: 1 });
  const calls = await recordRpcCalls(world);
  await world.startIndexing();
  await waitUntilPaid(world);
  const countRounds = () => calls.ofMethod('getSlot').length;
  const before = countRounds();
  await world.eventually(async () => expect(countRounds()).toBeGreaterThan(before + 20));
  expect(calls.ofMethod('getSignaturesForAddress').length).toBeLessThan(20);
  expect(calls.ofMethod('getTransaction').length).toBeLessThan(20);
  // The account is read in the first round of the comparison, and after the pull.
  const own = await subscriptionAddress(address(plan.address), wallet.address);
  expect(
    requestedAddresses(calls.ofMethod('getMultipleAccounts')).filter((requested) => requested === own).length,
  ).toBeLessThan(6);
  expect(world.messages()).toContain('comparing accounts in turn');
});
