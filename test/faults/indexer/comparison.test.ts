import { address, type KeyPairSigner } from '@solana/kit';
import { getInitSubscriptionAuthorityInstruction } from '@solana/subscriptions';
import { expect, onTestFinished, test } from 'vitest';
import { Mirror } from '../../../indexer/apply/mirror.ts';
import { TopUps } from '../../../indexer/apply/top-ups.ts';
import { compareInTurn } from '../../../indexer/repair/comparison.ts';
import { expectedAccounts } from '../../../indexer/repair/expected-accounts.ts';
import { OwedRound } from '../../../indexer/repair/owed-round.ts';
import { Schedule } from '../../../indexer/schedule.ts';
import { authorityAddress, PROGRAM } from '../../../src/chain/accounts/addresses.ts';
import type { Plan } from '../../../src/generated/prisma/client.ts';
import { recordStatements } from '../../../tools/statements.ts';
import { PRICE } from '../../domain/world.ts';
import { recordRpcCalls } from '../../indexer/record-rpc-calls.ts';
import { type IndexerWorld, startIndexerWorld } from '../../indexer/world.ts';
import { namedAddress } from '../../support/named-address.ts';

const WHERE = { where: { environment: 'TEST' } } as const;

function mirrorOf(world: IndexerWorld, position: bigint): Mirror {
  const { TEST } = world.ctx.chain;
  if (!TEST) throw new Error('No chain');
  const onFailure = (error: unknown) => expect.unreachable(String(error));
  return new Mirror(world.ctx, TEST, { position, onFailure });
}

/** Creates accounts whose mirror equals the chain. */
async function createMirroredAccounts(world: IndexerWorld, count: number): Promise<void> {
  const data = Uint8Array.of(9);
  const addresses = Array.from({ length: count }, (_, n) => namedAddress(`account ${n}`));
  for (const account of addresses) {
    world.network.setAccount(account, { lamports: 1n, owner: PROGRAM, data, executable: false });
  }
  world.network.tick();
  await world.db.chainAccount.createMany({
    data: addresses.map((account) => ({
      ...({ environment: 'TEST', address: account, data: Buffer.from(data) } as const),
      slot: 0n,
      writeVersion: 0n,
    })),
  });
}

/** Number of accounts that were requested. */
const countRequested = (calls: Awaited<ReturnType<typeof recordRpcCalls>>) =>
  calls.ofMethod('getMultipleAccounts').flatMap(({ params }) => params[0] as string[]).length;

test('a round compares a bounded number of accounts a minute, and is continued', async () => {
  const world = await startIndexerWorld();
  await createMirroredAccounts(world, 1_500);
  const slot = BigInt(world.network.slot('confirmed'));
  await world.db.streamPosition.create({
    data: { environment: 'TEST', slot, updatedAt: world.ctx.clock.now() },
  });
  const { TEST } = world.ctx.chain;
  const calls = await recordRpcCalls(world);
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const pace = { rounds: new Schedule(60_000, { firstInMs: 0 }) };
  const fail = (error: unknown) => expect.unreachable(String(error));
  // A page takes more than one call, so the next page is read minutes later.
  Object.assign(TEST?.config ?? {}, { comparedCallsPerMinute: 1 });
  const first = compareInTurn(mirrorOf(world, slot), pace, stopping.signal, fail);
  await world.eventually(async () => {
    expect((await world.db.streamPosition.findUniqueOrThrow(WHERE)).comparedTo).not.toBeNull();
  });
  expect(countRequested(calls)).toBe(1_000);
  stopping.abort();
  await first;
  // Ten calls at one a minute: the same process does not continue sooner after a reconnect.
  expect(pace.rounds.remainingMs).toBeGreaterThan(9 * 60_000);
  calls.clear();
  const next = new AbortController();
  onTestFinished(() => next.abort());
  Object.assign(TEST?.config ?? {}, { comparedCallsPerMinute: 100_000 });
  const newLeader = { rounds: new Schedule(60_000, { firstInMs: 0 }) };
  const second = compareInTurn(mirrorOf(world, slot), newLeader, next.signal, fail);
  await world.eventually(async () => {
    const { comparedTo, comparedAt } = await world.db.streamPosition.findUniqueOrThrow(WHERE);
    expect({ comparedTo, ended: comparedAt !== null }).toEqual({ comparedTo: null, ended: true });
  });
  expect(countRequested(calls)).toBe(500);
  next.abort();
  await second;
});

test('a requested round begins at once, and settles only requests from before it began', async () => {
  const world = await startIndexerWorld();
  await createMirroredAccounts(world, 3);
  const slot = BigInt(world.network.slot('confirmed'));
  await world.db.streamPosition.create({
    data: { environment: 'TEST', slot, updatedAt: world.ctx.clock.now() },
  });
  const calls = await recordRpcCalls(world);
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const owed = new OwedRound();
  const pace = { rounds: new Schedule(60_000, { firstInMs: 60_000 }), owed };
  const fail = (error: unknown) => expect.unreachable(String(error));
  const comparing = compareInTurn(mirrorOf(world, slot), pace, stopping.signal, fail);
  owed.recordUnseenChange();
  expect(owed.owedMs).toBeDefined();
  await world.eventually(async () => expect(owed.owedMs).toBeUndefined());
  expect(countRequested(calls)).toBe(3);
  stopping.abort();
  await comparing;
  owed.recordUnseenChange();
  owed.begin();
  owed.recordUnseenChange();
  owed.end();
  expect(owed.owedMs).toBeDefined();
  owed.begin();
  owed.end();
  expect(owed.owedMs).toBeUndefined();
});

test('checkouts that ended long ago are not read, however many there are', async () => {
  const world = await startIndexerWorld();
  const plan = await world.publishPlan(world.merchant);
  const wallet = await world.newWallet();
  const sessionId = await world.openSession(world.merchant, plan);
  await world.approve(sessionId, plan, wallet);
  const now = world.ctx.clock.now();
  await world.db.streamPosition.create({ data: { environment: 'TEST', slot: 1n, updatedAt: now } });
  await world.db.$executeRaw`
    INSERT INTO "CheckoutSession" SELECT (jsonb_populate_record(s, jsonb_build_object('id', 'cs_' || n,
      'status', 'EXPIRED', 'expiresAt', ${now}::timestamptz - interval '2 days'))).*
    FROM "CheckoutSession" s, generate_series(1, 50000) AS n WHERE s."id" = ${sessionId}`;
  await world.db.$executeRawUnsafe('ANALYZE "CheckoutSession"');
  const addresses: string[] = [];
  const statements = await recordStatements(async () => {
    for await (const { accounts } of expectedAccounts(world.ctx, 'TEST')) {
      addresses.push(...accounts.map(({ address }) => address));
    }
  });
  expect(addresses).toHaveLength(2);
  const checkouts = statements.filter(({ text }) => text.includes('"CheckoutSession"'));
  expect(checkouts).toHaveLength(1);
  for (const { text, values } of checkouts) {
    const plans = await world.db.$queryRawUnsafe<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }[]>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
      ...values,
    );
    const { Plan: root } = plans[0]?.['QUERY PLAN'][0] ?? { Plan: {} };
    expect((root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0)).toBeLessThan(50);
  }
});

test('accounts that strangers close cause no calls to the cluster', async () => {
  const world = await startIndexerWorld();
  await world.startIndexing();
  const plan = await world.publishActivePlan();
  const stranger = await world.newWallet();
  await world.waitUntilCaughtUp();
  const calls = await recordRpcCalls(world);
  for (let round = 0; round < 5; round += 1) {
    await createAuthority(world, stranger, plan);
    await world.onChain.closeAuthority(stranger, plan);
  }
  await world.waitUntilCaughtUp();
  expect(calls.ofMethod('getMultipleAccounts')).toEqual([]);
  expect(calls.ofMethod('getTransaction')).toEqual([]);
});

test('past-due payers are read together', async () => {
  const world = await startIndexerWorld();
  const indexer = await world.startIndexing();
  const plan = await world.publishActivePlan();
  const wallets: KeyPairSigner[] = [];
  for (let n = 0; n < 4; n += 1) {
    const wallet = await world.subscribeWithoutCompleting(plan, await world.newWallet(PRICE));
    await world.waitForSubscription(plan, wallet, 'ACTIVE');
    wallets.push(wallet);
  }
  await world.waitUntilCaughtUp();
  await indexer.close();
  const later = new Date(world.ctx.clock.now().getTime() + 60_000);
  await world.db.subscription.updateMany({
    data: { status: 'PAST_DUE', failureCount: 1, nextAttemptAt: later },
  });
  const calls = await recordRpcCalls(world);
  const topUps = new TopUps(mirrorOf(world, 1n), { maxStreamed: 0 });
  await topUps.refresh();
  await topUps.readInTurn();
  const now = world.ctx.clock.now();
  const rows = await world.db.subscription.findMany();
  expect(rows.map(({ nextAttemptAt }) => nextAttemptAt)).toEqual(wallets.map(() => now));
  // One call reads the token accounts, and one the authorities.
  expect(calls.ofMethod('getMultipleAccounts')).toHaveLength(2);
});

async function createAuthority(world: IndexerWorld, owner: KeyPairSigner, plan: Plan): Promise<void> {
  const { defaultMint } = world.chain.config;
  await world.act(
    owner,
    getInitSubscriptionAuthorityInstruction({
      owner,
      subscriptionAuthority: await authorityAddress(owner.address, defaultMint),
      tokenMint: defaultMint,
      userAta: await world.tokenAccountOf(owner, plan),
      tokenProgram: address(plan.tokenProgram),
    }),
  );
}
