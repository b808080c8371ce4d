import { createHash } from 'node:crypto';
import { type Address, createKeyPairSignerFromPrivateKeyBytes, getTransactionDecoder } from '@solana/kit';
import { Keypair, VersionedTransaction } from '@solana/web3.js';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { expect, test } from 'vitest';
import { decodeTokenAccount } from '../../src/chain/accounts/accounts.ts';
import {
  authorityAddress,
  tokenAccountAddress,
  tokenAccountPda,
} from '../../src/chain/accounts/addresses.ts';
import { simulateWire } from '../../src/chain/rpc/send.ts';
import { cancelTransaction, resumeTransaction } from '../../src/chain/transactions/cancel-transactions.ts';
import { pullsThatFit } from '../../src/chain/transactions/pack-pulls.ts';
import {
  createPlanTransaction,
  sunsetPlanTransaction,
} from '../../src/chain/transactions/plan-transactions.ts';
import { decodeEvents } from '../../src/chain/transactions/program-events.ts';
import { repairToSign, subscriptionToSign } from '../../tools/world/transactions-to-sign.ts';
import { fundedWallet } from '../../tools/world/wallet.ts';
import { createWorld, HOUR, PRICE, START_BALANCE, USDC, type World } from './world.ts';

async function tokensOf(world: World, owner: Address) {
  const address = await tokenAccountAddress(owner, USDC, TOKEN_PROGRAM_ADDRESS);
  return decodeTokenAccount(await world.dataOf(address));
}

test('a published plan pays to its owner and lists the collector as puller', async () => {
  const world = await createWorld();
  const endsAt = BigInt(world.network.unixSeconds() + 10 * HOUR);
  const plan = await world.publishPlan({ endsAt, periodSeconds: 2 * HOUR });
  expect(plan.account).toEqual({
    owner: world.merchant.address,
    active: true,
    chainPlanId: 7n,
    mint: USDC,
    amount: PRICE,
    periodHours: 2n,
    createdAt: plan.transaction.blockTime,
    endsAt,
    destinations: [world.merchant.address],
    pullers: [world.chain.collector.address],
    metadataUri: 'https://dues.example/plans/gold.json',
  });
  expect((await tokensOf(world, world.merchant.address)).amount).toBe(0n);
});

test('terms that the chain cannot store are refused before a wallet signs them', async () => {
  const world = await createWorld();
  for (const periodSeconds of [0, 1_800, HOUR + 1, 8_761 * HOUR]) {
    await expect(world.publishPlan({ periodSeconds })).rejects.toThrow('whole hours');
  }
  const metadataUri = `https://dues.example/${'ü'.repeat(60)}`;
  await expect(world.publishPlan({ metadataUri })).rejects.toThrow('at most 128 bytes');
});

test('the sunset of a plan has an event with its end date, and a later plan is active', async () => {
  const world = await createWorld();
  const plan = await world.publishPlan();
  const endsAt = BigInt(world.network.unixSeconds() + 2 * HOUR);
  const sunset = await sunsetPlanTransaction(world.chain, {
    owner: world.merchant.address,
    plan: plan.address,
    endsAt,
  });
  const transaction = await world.signAndLand(sunset, world.merchant);
  expect(decodeEvents(transaction)).toEqual([
    {
      type: 'planUpdated',
      index: 0,
      plan: plan.address,
      owner: world.merchant.address,
      active: false,
      endsAt,
      pullers: [world.chain.collector.address],
    },
  ]);
  const again = await world.publishPlan({ chainPlanId: 8n });
  expect(again.account.active).toBe(true);
});

test('a new customer approves and subscribes in one transaction', async () => {
  const world = await createWorld();
  const plan = await world.publishPlan();
  const wallet = await fundedWallet(world.network);
  const terms = world.subscribeTerms(plan, wallet.address);
  const { transactions, more } = await subscriptionToSign(world.chain, terms);
  expect(more).toBe(false);
  expect(transactions).toHaveLength(1);
  const [unsigned = ''] = transactions;
  const { signatures } = getTransactionDecoder().decode(Buffer.from(unsigned, 'base64'));
  expect(signatures).toEqual({ [wallet.address]: null });

  const transaction = await world.signAndLand(unsigned, wallet);
  const [created] = decodeEvents(transaction);
  expect(created).toMatchObject({
    type: 'created',
    plan: plan.address,
    subscriber: wallet.address,
    mint: USDC,
    createdAt: transaction.blockTime,
  });
  expect(await tokensOf(world, wallet.address)).toMatchObject({
    delegate: await authorityAddress(wallet.address, USDC),
    // The chain stores 2^64 - 1. Balances are capped at what the database stores.
    delegatedAmount: 2n ** 63n - 1n,
  });
});

test('a customer who has subscribed before keeps the authority and renews its approval', async () => {
  const world = await createWorld();
  const first = await world.publishPlan();
  const { wallet, subscription } = await world.newCustomer(first);
  await world.setTokens(wallet.address, { delegate: null, delegatedAmount: 0 });
  const second = await world.publishPlan({ chainPlanId: 8n });
  const again = await world.newCustomer(second, START_BALANCE, wallet);
  const [before, after] = await Promise.all([
    world.subscriptionOf({ subscription }),
    world.subscriptionOf(again),
  ]);
  expect(after.initId).toBe(before.initId);
  const pulls = [
    ...(await world.pullsOf(first, { wallet, subscription })),
    ...(await world.pullsOf(second, again)),
  ];
  await world.land((await world.sign(pulls)).wire);
  expect((await tokensOf(world, wallet.address)).amount).toBe(START_BALANCE - 2n * PRICE);
});

test('a pull moves the money to the merchant and emits an event', async () => {
  const world = await createWorld();
  const plan = await world.publishPlan();
  const customer = await world.newCustomer(plan);
  const { periodStart } = await world.subscriptionOf(customer);
  const { wire, signature, lastValidBlockHeight } = await world.sign(await world.pullsOf(plan, customer));
  expect((await simulateWire(world.chain, wire)).err).toBeNull();
  const transaction = await world.land(wire);
  expect(transaction.signature).toBe(signature);
  expect(lastValidBlockHeight).toBeGreaterThan(0n);
  expect(decodeEvents(transaction)).toEqual([
    {
      type: 'transfer',
      index: 1,
      subscription: customer.subscription,
      plan: plan.address,
      subscriber: customer.wallet.address,
      mint: USDC,
      amount: PRICE,
      periodStart,
      periodEnd: periodStart + BigInt(HOUR),
      pulled: PRICE,
      puller: world.chain.collector.address,
    },
  ]);
  expect((await tokensOf(world, world.merchant.address)).amount).toBe(PRICE);
});

test.each([
  { version: 0, fit: 4 },
  { version: 1, fit: 19 },
] as const)(
  'at most $fit pulls of one plan fit into one version $version transaction',
  async ({ version, fit }) => {
    const world = await createWorld();
    const plan = await world.publishPlan();
    const customers = await Promise.all(Array.from({ length: fit + 1 }, () => world.newCustomer(plan)));
    const pulls = await world.pullsOf(plan, ...customers);
    const packing = { signers: [world.chain.collector.address], version, maxPulls: 19 };
    expect(pullsThatFit(pulls, packing)).toBe(fit);
    expect(pullsThatFit(pulls.slice(0, 2), packing)).toBe(2);
    expect(pullsThatFit(pulls, { ...packing, maxPulls: 3 })).toBe(3);
    const transaction = await world.land((await world.sign(pulls.slice(0, fit), version)).wire);
    const events = decodeEvents(transaction);
    expect(events.map((event) => event.type === 'transfer' && event.subscription)).toEqual(
      customers.slice(0, fit).map(({ subscription }) => subscription),
    );
    expect(new Set(events.map(({ index }) => index)).size).toBe(fit);
  },
);

test.each([
  { version: 0, fit: 3 },
  { version: 1, fit: 11 },
] as const)(
  'at most $fit pulls without shared accounts fit into one version $version',
  async ({ version, fit }) => {
    const world = await createWorld();
    const plan = await world.publishPlan();
    const customer = await world.newCustomer(plan);
    const [pull] = await world.pullsOf(plan, customer);
    if (!pull) throw new Error('No pull');
    const pulls = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const randomAddress = async () => (await fundedWallet(world.network)).address;
        const [subscription, authority, payerTokenAccount, receiverTokenAccount, plan] = await Promise.all([
          randomAddress(),
          randomAddress(),
          randomAddress(),
          randomAddress(),
          randomAddress(),
        ]);
        return { ...pull, subscription, authority, payerTokenAccount, receiverTokenAccount, plan };
      }),
    );
    expect(pullsThatFit(pulls, { signers: [world.chain.collector.address], version, maxPulls: 19 })).toBe(
      fit,
    );
  },
);

test('a pull succeeds whose token account takes many attempts to derive', async () => {
  const world = await createWorld();
  const plan = await world.publishPlan();
  // This seed was found by search. The bump of its token account is 246, so it takes nine more
  // attempts of 1,500 compute units each.
  const seed = createHash('sha256').update('unlucky 1447').digest();
  const wallet = await createKeyPairSignerFromPrivateKeyBytes(seed);
  await world.cheat('surfnet_setAccount', [wallet.address, { lamports: 1_000_000_000 }]);
  expect(await tokenAccountPda(wallet.address, USDC, TOKEN_PROGRAM_ADDRESS)).toMatchObject({ 1: 246 });
  const customer = await world.newCustomer(plan, START_BALANCE, wallet);
  await world.land((await world.sign(await world.pullsOf(plan, customer))).wire);
});

test('a cancellation is read with its end date, and can be undone before it', async () => {
  const world = await createWorld();
  const plan = await world.publishPlan();
  const { wallet, subscription } = await world.newCustomer(plan);
  const parties = { subscriber: wallet.address, plan: plan.address };
  const { periodStart } = await world.subscriptionOf({ subscription });
  const cancelled = await world.signAndLand(await cancelTransaction(world.chain, parties), wallet);
  const expiresAt = periodStart + BigInt(HOUR);
  expect(decodeEvents(cancelled)).toEqual([
    { type: 'cancelled', index: 0, plan: plan.address, subscriber: wallet.address, expiresAt },
  ]);
  expect((await world.subscriptionOf({ subscription })).expiresAt).toBe(expiresAt);
  await expect(cancelTransaction(world.chain, parties)).rejects.toMatchObject({
    refusal: 'already_cancelled',
  });

  const resume = () => resumeTransaction(world.chain, { ...parties, mint: USDC });
  const resumed = await world.signAndLand(await resume(), wallet);
  expect(decodeEvents(resumed)).toEqual([
    {
      type: 'resumed',
      index: 0,
      plan: plan.address,
      subscriber: wallet.address,
      resumedAt: resumed.blockTime,
    },
  ]);
  expect((await world.subscriptionOf({ subscription })).expiresAt).toBe(0n);
  await expect(resume()).rejects.toMatchObject({ refusal: 'not_cancelled' });
});

test('a wallet that never subscribed has nothing to cancel', async () => {
  const world = await createWorld();
  const plan = await world.publishPlan();
  const { address } = await fundedWallet(world.network);
  const parties = { subscriber: address, plan: plan.address };
  await expect(cancelTransaction(world.chain, parties)).rejects.toMatchObject({ refusal: 'not_subscribed' });
});

test('an approval that another app overwrote is repaired with one signature', async () => {
  const world = await createWorld();
  const plan = await world.publishPlan();
  const customer = await world.newCustomer(plan);
  const { address } = customer.wallet;
  await world.setTokens(address, { delegate: world.merchant.address, delegatedAmount: 1 });
  const pulls = await world.pullsOf(plan, customer);
  expect((await world.outcome((await world.sign(pulls)).wire)).err).toMatchObject({ custom: 4 });
  const repair = await repairToSign(world.chain, {
    subscriber: address,
    mint: USDC,
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
  });
  await world.signAndLand(repair, customer.wallet);
  await world.land((await world.sign(pulls)).wire);
});

test('a wallet built on web3.js signs the transactions', async () => {
  const world = await createWorld();
  const wallet = Keypair.generate();
  const owner = wallet.publicKey.toBase58() as Address;
  await world.cheat('surfnet_setAccount', [owner, { lamports: 1_000_000_000 }]);
  const unsigned = await createPlanTransaction(world.chain, {
    owner,
    chainPlanId: 2n ** 64n - 1n,
    mint: USDC,
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
    amount: PRICE,
    periodSeconds: HOUR,
    endsAt: null,
    metadataUri: '',
  });
  const transaction = VersionedTransaction.deserialize(Buffer.from(unsigned, 'base64'));
  // The libraries of Solana Pay support only this version.
  expect(transaction.version).toBe('legacy');
  expect(transaction.message.staticAccountKeys[0]?.toBase58()).toBe(owner);
  transaction.sign([wallet]);
  await world.land(transaction.serialize());
});
