import { address, type KeyPairSigner } from '@solana/kit';
import { getInitSubscriptionAuthorityInstruction } from '@solana/subscriptions';
import { expect, test } from 'vitest';
import { Mirror } from '../../indexer/mirror.ts';
import { TopUps } from '../../indexer/top-ups.ts';
import { authorityAddress } from '../../src/chain/addresses.ts';
import type { Plan } from '../../src/generated/prisma/client.ts';
import { PRICE } from '../domain/world.ts';
import { type IndexerWorld, startIndexerWorld } from './world.ts';

const LATER_MS = 60_000;

/** Customers who could not pay a moment ago, and are to be tried again in a minute. */
async function pastDue(world: IndexerWorld, count: number) {
  const plan = await world.activePlan();
  const wallets: KeyPairSigner[] = [];
  for (let index = 0; index < count; index += 1) {
    const wallet = await world.subscribeAndVanish(plan, await world.newWallet(PRICE - 1n));
    await world.subscriptionIs(plan, wallet, 'ACTIVE');
    wallets.push(wallet);
  }
  const later = new Date(world.ctx.clock.now().getTime() + LATER_MS);
  await failed(world, later);
  return { plan, wallets, later };
}

async function failed(world: IndexerWorld, nextAttemptAt: Date): Promise<void> {
  await world.db.subscription.updateMany({
    data: { status: 'PAST_DUE', failureCount: 1, nextAttemptAt },
  });
}

/** When each is tried next. */
async function nextAttempts(world: IndexerWorld, wallets: readonly KeyPairSigner[]) {
  const rows = await world.db.subscription.findMany();
  return wallets.map(
    (wallet) => rows.find(({ walletAddress }) => walletAddress === wallet.address)?.nextAttemptAt,
  );
}

function withLimit(world: IndexerWorld, maxWatchedAccounts: number): void {
  const { TEST } = world.ctx.chain;
  Object.assign(TEST?.config ?? {}, { maxWatchedAccounts });
}

test.each([0, 1, 1_000])(
  'top-ups are seen of all who are past due, where the stream watches %i accounts at most',
  async (limit) => {
    const world = await startIndexerWorld();
    withLimit(world, limit);
    await world.startIndexing();
    const { wallets, later } = await pastDue(world, 3);
    await world.caughtUp();
    expect(await nextAttempts(world, wallets)).toEqual([later, later, later]);
    const now = world.ctx.clock.now();
    for (const wallet of wallets) await world.setTokens(wallet.address, PRICE);
    await world.eventually(async () => {
      expect(await nextAttempts(world, wallets)).toEqual([now, now, now]);
    });
  },
);

test('who comes and goes is followed: a second top-up counts, once they are past due again', async () => {
  const world = await startIndexerWorld();
  withLimit(world, 1);
  await world.startIndexing();
  const { wallets, later } = await pastDue(world, 1);
  await world.caughtUp();
  await world.db.subscription.updateMany({ data: { status: 'ACTIVE', nextAttemptAt: later } });
  await world.caughtUp();
  await failed(world, later);
  await world.caughtUp();
  await world.setTokens((wallets[0] as KeyPairSigner).address, PRICE);
  const now = world.ctx.clock.now();
  await world.eventually(async () => expect(await nextAttempts(world, wallets)).toEqual([now]));
});

test('a payer with money whose authority was made again is not tried before their time', async () => {
  const world = await startIndexerWorld();
  const indexer = await world.startIndexing();
  const { plan, wallets, later } = await pastDue(world, 2);
  const [remade, fine] = wallets as [KeyPairSigner, KeyPairSigner];
  await world.caughtUp();
  await indexer.close();
  await world.onChain.closeAuthority(remade, plan);
  await makeAuthority(world, remade, plan);
  // Both have the money now: one of them could pay with it. Nobody has ended the other's subscription yet.
  const now = world.ctx.clock.now();
  for (const wallet of wallets) await world.setTokens(wallet.address, PRICE);
  const { TEST: chain } = world.ctx.chain;
  if (!chain) throw new Error('No chain');
  const mirror = new Mirror(world.ctx, chain, {
    position: undefined,
    onFailure: (error) => expect.unreachable(String(error)),
  });
  const topUps = new TopUps(mirror, { mostStreamed: 0 });
  await topUps.refresh();
  await topUps.look();
  expect(await nextAttempts(world, [remade, fine])).toEqual([later, now]);
});

async function makeAuthority(world: IndexerWorld, wallet: KeyPairSigner, plan: Plan): Promise<void> {
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
