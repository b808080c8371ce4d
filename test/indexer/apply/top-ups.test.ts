import { address, type KeyPairSigner } from '@solana/kit';
import { getInitSubscriptionAuthorityInstruction } from '@solana/subscriptions';
import { describe, expect, test } from 'vitest';
import { Mirror } from '../../../indexer/apply/mirror.ts';
import { TopUps } from '../../../indexer/apply/top-ups.ts';
import { authorityAddress } from '../../../src/chain/accounts/addresses.ts';
import { retryNow } from '../../../src/domain/billing/collect/retry-now.ts';
import type { Plan, Subscription } from '../../../src/generated/prisma/client.ts';
import { PRICE } from '../../domain/world.ts';
import { type IndexerWorld, type Mode, startIndexerWorld } from '../world.ts';

const LATER_MS = 60_000;

/** Subscribes customers whose payment has failed and is retried in a minute. */
async function subscribePastDue(world: IndexerWorld, count: number) {
  const plan = await world.publishActivePlan();
  const wallets: KeyPairSigner[] = [];
  for (let index = 0; index < count; index += 1) {
    const wallet = await world.subscribeWithoutCompleting(plan, await world.newWallet(PRICE - 1n));
    await world.waitForSubscription(plan, wallet, 'ACTIVE');
    wallets.push(wallet);
  }
  const later = new Date(world.ctx.clock.now().getTime() + LATER_MS);
  await setPastDue(world, later);
  return { plan, wallets, later };
}

async function setPastDue(world: IndexerWorld, nextAttemptAt: Date): Promise<void> {
  await world.db.subscription.updateMany({
    data: { status: 'PAST_DUE', failureCount: 1, nextAttemptAt },
  });
}

/** The next attempts of the wallets' subscriptions, in the order of the wallets. */
async function readNextAttempts(world: IndexerWorld, wallets: readonly KeyPairSigner[]) {
  const rows = await world.db.subscription.findMany();
  return wallets.map(
    (wallet) => rows.find(({ walletAddress }) => walletAddress === wallet.address)?.nextAttemptAt,
  );
}

function setWatchLimit(world: IndexerWorld, maxWatchedAccounts: number): void {
  const { TEST } = world.ctx.chain;
  Object.assign(TEST?.config ?? {}, { maxWatchedAccounts });
}

test.each([0, 1, 1_000])(
  'sees all past-due wallets’ top-ups if the stream watches %i accounts',
  async (limit) => {
    const world = await startIndexerWorld();
    setWatchLimit(world, limit);
    await world.startIndexing();
    const { wallets, later } = await subscribePastDue(world, 3);
    await world.waitUntilCaughtUp();
    expect(await readNextAttempts(world, wallets)).toEqual([later, later, later]);
    const now = world.ctx.clock.now();
    for (const wallet of wallets) await world.setTokens(wallet.address, PRICE);
    await world.eventually(async () => {
      expect(await readNextAttempts(world, wallets)).toEqual([now, now, now]);
    });
  },
);

describe.each<Mode>(['stream', 'polling'])('by %s', (mode) => {
  test('a wallet with the largest balance delays neither others nor the position', async () => {
    const world = await startIndexerWorld(mode);
    await world.startIndexing();
    const { wallets } = await subscribePastDue(world, 3);
    await world.waitUntilCaughtUp();
    const now = world.ctx.clock.now();
    const balances = [2n ** 64n - 1n, PRICE, PRICE];
    for (const [index, wallet] of wallets.entries()) {
      await world.setTokens(wallet.address, balances[index] ?? 0n);
    }
    await world.eventually(async () => {
      expect(await readNextAttempts(world, wallets)).toEqual([now, now, now]);
    });
    await world.waitUntilCaughtUp();
    expect(await world.db.unappliedUpdate.count()).toBe(0);
  });

  test('a retry that the database refuses delays no others', async () => {
    const world = await startIndexerWorld(mode);
    await world.startIndexing();
    const { wallets, later } = await subscribePastDue(world, 3);
    await world.waitUntilCaughtUp();
    await world.db.$executeRawUnsafe(`
      CREATE FUNCTION refuse_retry() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'the retry is refused'; END $$`);
    await world.db.$executeRawUnsafe(`
      CREATE TRIGGER refuse_retry BEFORE UPDATE OF "nextAttemptAt" ON "Subscription" FOR EACH ROW
      WHEN (NEW."walletAddress" = '${wallets[0]?.address}') EXECUTE FUNCTION refuse_retry()`);
    const now = world.ctx.clock.now();
    for (const wallet of wallets) await world.setTokens(wallet.address, PRICE);
    await world.eventually(async () => {
      expect(await readNextAttempts(world, wallets)).toEqual([later, now, now]);
    });
    await world.waitUntilCaughtUp();
    await world.db.$executeRawUnsafe('DROP TRIGGER refuse_retry ON "Subscription"');
    await world.eventually(async () => {
      expect(await readNextAttempts(world, wallets)).toEqual([now, now, now]);
    });
    const broken = ['stream ended', 'stream broken', 'polling failed'];
    expect(world.messages().filter((message) => broken.includes(message))).toEqual([]);
  });
});

test('a wallet that is past due again is watched again', async () => {
  const world = await startIndexerWorld();
  setWatchLimit(world, 1);
  await world.startIndexing();
  const { wallets, later } = await subscribePastDue(world, 1);
  await world.waitUntilCaughtUp();
  await world.db.subscription.updateMany({ data: { status: 'ACTIVE', nextAttemptAt: later } });
  await world.waitUntilCaughtUp();
  await setPastDue(world, later);
  await world.waitUntilCaughtUp();
  await world.setTokens((wallets[0] as KeyPairSigner).address, PRICE);
  const now = world.ctx.clock.now();
  await world.eventually(async () => expect(await readNextAttempts(world, wallets)).toEqual([now]));
});

test('a payment is not due early if its authority was created again', async () => {
  const world = await startIndexerWorld();
  const indexer = await world.startIndexing();
  const { plan, wallets, later } = await subscribePastDue(world, 2);
  const [reopened, unchanged] = wallets as [KeyPairSigner, KeyPairSigner];
  await world.waitUntilCaughtUp();
  await indexer.close();
  await world.onChain.closeAuthority(reopened, plan);
  await createAuthority(world, reopened, plan);
  // Both have the money now, but only one can pay. The other's subscription is not cancelled yet.
  const now = world.ctx.clock.now();
  for (const wallet of wallets) await world.setTokens(wallet.address, PRICE);
  const topUps = topUpsOf(world);
  await topUps.refresh();
  await topUps.readInTurn();
  expect(await readNextAttempts(world, [reopened, unchanged])).toEqual([later, now]);
});

test.each([
  ['in flight', null],
  ['claimed', new Date(0)],
])('a top-up seen while a payment is %s is used once the attempt has failed', async (_, attempt) => {
  const world = await startIndexerWorld();
  const indexer = await world.startIndexing();
  const { wallets, later } = await subscribePastDue(world, 1);
  await world.waitUntilCaughtUp();
  await indexer.close();
  const topUps = topUpsOf(world);
  await topUps.refresh();
  await topUps.readInTurn();
  await world.db.subscription.updateMany({ data: { nextAttemptAt: attempt } });
  await world.setTokens((wallets[0] as KeyPairSigner).address, PRICE);
  await topUps.refresh();
  await topUps.readInTurn();
  expect(await readNextAttempts(world, wallets)).toEqual([attempt]);
  await world.db.subscription.updateMany({ data: { nextAttemptAt: later } });
  await topUps.readInTurn();
  expect(await readNextAttempts(world, wallets)).toEqual([world.ctx.clock.now()]);
});

function topUpsOf(world: IndexerWorld): TopUps {
  const { TEST: chain } = world.ctx.chain;
  if (!chain) throw new Error('No chain');
  const onFailure = (error: unknown) => expect.unreachable(String(error));
  return new TopUps(new Mirror(world.ctx, chain, { position: undefined, onFailure }), { maxStreamed: 0 });
}

async function createAuthority(world: IndexerWorld, wallet: KeyPairSigner, plan: Plan): Promise<void> {
  const mint = address(plan.mint);
  await world.act(
    wallet,
    getInitSubscriptionAuthorityInstruction({
      owner: wallet,
      subscriptionAuthority: await authorityAddress(wallet.address, mint),
      tokenMint: mint,
      userAta: await world.tokenAccountOf(wallet, plan),
      tokenProgram: address(plan.tokenProgram),
    }),
  );
}

test('a top-up that is seen while the node lags leads to a retry once it has caught up', async () => {
  const world = await startIndexerWorld();
  await world.startIndexing();
  const { wallets, later } = await subscribePastDue(world, 1);
  await world.waitUntilCaughtUp();
  world.network.faults.set({ nodes: { '*': { lagSlots: 100_000 } } });
  await world.setTokens((wallets[0] as KeyPairSigner).address, PRICE);
  // The second message is of the read of an account that is new in the filter.
  const postponed = ['node behind: top-up postponed', 'indexer housekeeping failed'];
  await world.eventually(async () => {
    expect(world.messages().some((message) => postponed.includes(message))).toBe(true);
  });
  expect(await readNextAttempts(world, wallets)).toEqual([later]);
  world.network.faults.set({ nodes: { '*': { lagSlots: 0 } } });
  const now = world.ctx.clock.now();
  await world.eventually(async () => expect(await readNextAttempts(world, wallets)).toEqual([now]));
  expect(world.messages().filter((message) => ['stream ended', 'stream broken'].includes(message))).toEqual(
    [],
  );
});

test('one top-up makes one of two payments due; money that pays another is none', async () => {
  const world = await startIndexerWorld();
  const indexer = await world.startIndexing();
  const plans = [
    await world.publishActivePlan(),
    await world.publishActivePlan({ planId: 'basic' }),
  ] as const;
  const wallet = await world.newWallet(PRICE);
  const subscriptions: Subscription[] = [];
  for (const plan of plans) {
    await world.subscribeWithoutCompleting(plan, wallet);
    subscriptions.push(await world.waitForSubscription(plan, wallet, 'ACTIVE'));
  }
  await indexer.close();
  const [paid, unpaid] = subscriptions as [Subscription, Subscription];
  const later = new Date(world.ctx.clock.now().getTime() + LATER_MS);
  const now = world.ctx.clock.now();
  const failPayment = (id: string) =>
    world.db.subscription.update({
      where: { id },
      data: { status: 'PAST_DUE', failureCount: 1, nextAttemptAt: later },
    });
  await failPayment(unpaid.id);
  const { id: transactionId } = await createInFlight(world, paid);
  await world.db.subscription.update({ where: { id: paid.id }, data: { nextAttemptAt: null } });
  const retry = async (balance: bigint, slot: bigint) => {
    const { tokenAccount } = paid;
    const addresses = [paid.address, unpaid.address];
    const toppedUp = { tokenAccount, balance, slot, subscriptions: addresses, isFirstLook: false };
    return (await retryNow(world.ctx, 'TEST', toppedUp)).count;
  };
  // The other payment's transaction is in flight and takes this money.
  expect(await retry(PRICE, 10n)).toBe(0);
  // The transaction landed after the balance was seen.
  const landed = { settledAt: now, createdAt: now };
  await world.db.transferTransaction.update({
    where: { id: transactionId },
    data: { status: 'LANDED', slot: 11n, settledAt: now },
  });
  await world.db.attempt.updateMany({ where: { transactionId }, data: { status: 'SUCCEEDED', ...landed } });
  expect(await retry(PRICE, 10n)).toBe(0);
  expect(await retry(2n * PRICE - 1n, 10n)).toBe(0);
  expect(await retry(2n * PRICE, 10n)).toBe(1);
  // Both fail now, and the balance pays for one: the payment that has waited longer is retried.
  for (const { id } of [paid, unpaid]) await failPayment(id);
  const earlier = new Date(Math.min(paid.nextPaymentAt.getTime(), unpaid.nextPaymentAt.getTime()) - 1_000);
  await world.db.subscription.update({ where: { id: paid.id }, data: { nextPaymentAt: earlier } });
  expect(await retry(2n * PRICE - 1n, 11n)).toBe(1);
  const rows = await world.db.subscription.findMany({ where: { nextAttemptAt: later } });
  expect(rows.map(({ id }) => id)).toEqual([unpaid.id]);
});

/** Creates a payment of the plan's price whose transaction is in flight. */
async function createInFlight({ db, ctx }: IndexerWorld, { id, merchantId, planId }: Subscription) {
  const createdAt = ctx.clock.now();
  const transaction = await db.transferTransaction.create({
    data: {
      environment: 'TEST',
      signature: 'in flight',
      wire: new Uint8Array([1]),
      lastValidBlockHeight: 1n,
      createdAt,
    },
  });
  await db.payment.create({
    data: {
      merchantId,
      environment: 'TEST',
      subscriptionId: id,
      planId,
      periodStart: 0n,
      dueAt: createdAt,
      amount: PRICE,
      attempts: { create: { status: 'SUBMITTED', transactionId: transaction.id, instruction: 0, createdAt } },
    },
  });
  return transaction;
}
