import type { KeyPairSigner } from '@solana/kit';
import { address } from '@solana/kit';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { CLOSED_ACCOUNT } from '../../../localnet/accounts.ts';
import { authorityAddress, PROGRAM, subscriptionAddress } from '../../../src/chain/accounts/addresses.ts';
import type { Plan } from '../../../src/generated/prisma/client.ts';
import { DAY, PRICE } from '../../domain/world.ts';
import { type IndexerWorld, startIndexerWorld } from '../../indexer/world.ts';

const PART = PRICE / 10n;

/** Publishes a plan and subscribes customers. Returns when the indexer has applied all of them. */
async function subscribeCustomers(
  world: IndexerWorld,
  count: number,
): Promise<{ plan: Plan; wallets: KeyPairSigner[] }> {
  const plan = await world.publishActivePlan();
  const wallets: KeyPairSigner[] = [];
  for (let index = 0; index < count; index += 1) wallets.push(await world.subscribeWithoutCompleting(plan));
  for (const wallet of wallets) await world.waitForSubscription(plan, wallet, 'ACTIVE');
  return { plan, wallets };
}

/**
 * Pulls a tenth of the price from each customer as the merchant. All transfers of a customer belong
 * to one payment.
 */
async function pullPart(
  world: IndexerWorld,
  plan: Plan,
  wallets: readonly KeyPairSigner[],
): Promise<string[]> {
  const signatures: string[] = [];
  for (const wallet of wallets) signatures.push(await world.pullByMerchant(plan, wallet, PART));
  return signatures;
}

/** The books have exactly these transfers, each once and in one payment. */
async function expectSettled(
  world: IndexerWorld,
  wallets: readonly KeyPairSigner[],
  signatures: readonly string[],
) {
  await world.eventually(async () => {
    const transfers = await world.db.chainTransfer.findMany();
    expect(
      transfers
        .filter(({ paymentId }) => paymentId)
        .map(({ signature }) => signature)
        .sort(),
    ).toEqual([...signatures].sort());
  });
  await world.waitUntilCaughtUp();
  const payments = await world.db.payment.findMany();
  const amountEach = (PART * BigInt(signatures.length)) / BigInt(wallets.length);
  expect(payments.map(({ paidAmount }) => paidAmount)).toEqual(wallets.map(() => amountEach));
  // Each part has one event, all of them with the same payment.
  const events = await world.db.event.findMany({ where: { type: 'subscription.payment_succeeded' } });
  const eventData = events.map(({ data }) => data as { amount: string; paymentId: string });
  expect(eventData.map(({ amount }) => BigInt(amount))).toEqual(signatures.map(() => PART));
  expect(new Set(eventData.map(({ paymentId }) => paymentId))).toEqual(new Set(payments.map(({ id }) => id)));
}

test.each([
  { what: 'cut', fault: { cut: true } },
  { what: 'ended', fault: { end: true } },
])('a stream that is $what repeatedly loses and duplicates nothing', async ({ fault }) => {
  const world = await startIndexerWorld();
  await world.startIndexing();
  const { plan, wallets } = await subscribeCustomers(world, 2);
  const signatures: string[] = [];
  for (let round = 0; round < 5; round += 1) {
    signatures.push(...(await pullPart(world, plan, wallets)));
    world.setStreamFault(fault);
    signatures.push(...(await pullPart(world, plan, wallets)));
  }
  await world.onChain.cancel(wallets[0] as KeyPairSigner, plan);
  await expectSettled(world, wallets, signatures);
  await world.waitForSubscription(plan, wallets[0] as KeyPairSigner, 'CANCELLED');
});

test('repairs silently missing slots, with their transfers and closes', async () => {
  const world = await startIndexerWorld();
  await world.startIndexing();
  const { plan, wallets } = await subscribeCustomers(world, 3);
  const [first, second, third] = wallets as [KeyPairSigner, KeyPairSigner, KeyPairSigner];
  await world.onChain.cancel(third, plan);
  await world.waitForSubscription(plan, third, 'CANCELLED');
  await world.waitUntilCaughtUp();
  // The stream shows none of the following accounts and transactions.
  world.setStreamFault({ skipSlots: 1_000 });
  const signatures = await pullPart(world, plan, [first, second]);
  await world.onChain.cancel(first, plan);
  await world.onChain.closeAuthority(second, plan);
  const newCustomer = await world.subscribeWithoutCompleting(plan);
  world.setStreamFault({ skipSlots: 0 });
  await expectSettled(world, [first, second], signatures);
  await world.waitForSubscription(plan, first, 'CANCELLED');
  await world.waitForSubscription(plan, second, 'CANCELLED');
  await world.waitForSubscription(plan, newCustomer, 'ACTIVE');
  expect(world.messages()).toContain('blocks missed');
});

test('duplicate updates in reversed order have the same result as single ones in order', async () => {
  const world = await startIndexerWorld();
  await world.startIndexing();
  const { plan, wallets } = await subscribeCustomers(world, 2);
  const [wallet] = wallets as [KeyPairSigner];
  world.setStreamFault({ duplicate: true, reorder: true });
  const signatures: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    signatures.push(...(await pullPart(world, plan, wallets)));
    await world.onChain.cancel(wallet, plan);
    await world.onChain.resume(wallet, plan);
  }
  await expectSettled(world, wallets, signatures);
  await world.waitForSubscription(plan, wallet, 'ACTIVE');
});

test('disconnects from a silent server after a while', async () => {
  const world = await startIndexerWorld();
  await world.startIndexing({ blockTimeoutMs: 300 });
  const { plan } = await subscribeCustomers(world, 1);
  world.setStreamFault({ skipSlots: 1_000_000 });
  await world.eventually(async () => expect(world.messages()).toContain('stream broken'));
  world.setStreamFault({ skipSlots: 0 });
  await world.waitForSubscription(plan, await world.subscribeWithoutCompleting(plan), 'ACTIVE');
});

test('a restarted indexer continues where it was, without a gap', async () => {
  const world = await startIndexerWorld();
  const indexer = await world.startIndexing();
  const { plan, wallets } = await subscribeCustomers(world, 2);
  await world.waitUntilCaughtUp();
  await indexer.close();
  const signatures = await pullPart(world, plan, wallets);
  await world.onChain.cancel(wallets[0] as KeyPairSigner, plan);
  await world.startIndexing();
  await expectSettled(world, wallets, signatures);
  await world.waitForSubscription(plan, wallets[0] as KeyPairSigner, 'CANCELLED');
  expect(world.messages()).not.toContain('blocks missed');
});

test('reads from the RPC after a position that the server no longer has', async () => {
  const world = await startIndexerWorld();
  const indexer = await world.startIndexing();
  const { plan, wallets } = await subscribeCustomers(world, 2);
  const [first, second] = wallets as [KeyPairSigner, KeyPairSigner];
  await world.onChain.cancel(second, plan);
  await world.waitForSubscription(plan, second, 'CANCELLED');
  await world.waitUntilCaughtUp();
  await indexer.close();
  const signatures = await pullPart(world, plan, [first]);
  await world.travel(DAY + 1);
  await world.onChain.close(second, plan);
  // The server keeps 150 blocks.
  for (let block = 0; block < 200; block += 1) world.network.tick();
  await world.startIndexing();
  await expectSettled(world, [first], signatures);
  const closed = await subscriptionAddress(address(plan.address), second.address);
  await world.eventually(async () => {
    expect(await world.db.chainAccount.findMany({ where: { closed: true } })).toMatchObject([
      { address: closed },
    ]);
  });
  expect(world.messages()).toContain('blocks missed');
});

test('a node that fails while a gap is closed leaves the gap open', async () => {
  const world = await startIndexerWorld();
  await world.startIndexing();
  const { plan, wallets } = await subscribeCustomers(world, 1);
  await world.waitUntilCaughtUp();
  world.network.faults.set({
    methods: { getSignaturesForAddress: { fault: 'server-error', times: 4 } },
    streams: { skipSlots: 1_000 },
  });
  const signatures = await pullPart(world, plan, wallets);
  world.setStreamFault({ skipSlots: 0 });
  await expectSettled(world, wallets, signatures);
});

test('an account that cannot be read is set aside, and read again', async () => {
  const world = await startIndexerWorld();
  await world.startIndexing();
  const { plan, wallets } = await subscribeCustomers(world, 2);
  const [broken, fine] = wallets as [KeyPairSigner, KeyPairSigner];
  const pda = await subscriptionAddress(address(plan.address), broken.address);
  const original = world.network.getAccount(pda, 'processed');
  if (!original) throw new Error('There is no subscription');
  await world.waitUntilCaughtUp();
  world.network.setAccount(pda, { ...original, owner: PROGRAM, data: Uint8Array.of(4, 1, 2, 3) });
  await world.eventually(async () => {
    expect(await world.db.unappliedUpdate.findMany()).toMatchObject([
      { kind: 'account', resolvedAt: null, payload: { address: pda, data: 'BAECAw==' } },
    ]);
  });
  expect(world.messages()).toContain('update not applied: set aside');
  await world.onChain.cancel(fine, plan);
  await world.waitForSubscription(plan, fine, 'CANCELLED');
  await world.waitUntilCaughtUp();
  world.network.setAccount(pda, original);
  await world.eventually(async () => {
    const rows = await world.db.unappliedUpdate.findMany();
    expect(rows).toHaveLength(1);
    expect(rows[0]?.resolvedAt).not.toBeNull();
  });
  await world.onChain.cancel(broken, plan);
  await world.waitForSubscription(plan, broken, 'CANCELLED');
});

test('a database that repeatedly drops every connection loses and duplicates nothing', async () => {
  const world = await startIndexerWorld();
  await world.startIndexing();
  const { plan, wallets } = await subscribeCustomers(world, 2);
  await world.waitUntilCaughtUp();
  // The test ends all connections except this one.
  const admin = new Client({ connectionString: world.ctx.config.databaseUrl });
  await admin.connect();
  onTestFinished(() => admin.end());
  const signatures: string[] = [];
  for (let round = 0; round < 5; round += 1) {
    signatures.push(...(await pullPart(world, plan, wallets)));
    await admin.query(`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`);
    signatures.push(...(await pullPart(world, plan, wallets)));
  }
  await expectSettled(world, wallets, signatures);
});

test('an account that was mirrored but not applied before a crash is applied', async () => {
  const world = await startIndexerWorld();
  const indexer = await world.startIndexing();
  const { plan, wallets } = await subscribeCustomers(world, 1);
  const [wallet] = wallets as [KeyPairSigner];
  await world.waitUntilCaughtUp();
  await indexer.close();
  await world.onChain.cancel(wallet, plan);
  const pda = await subscriptionAddress(address(plan.address), wallet.address);
  const { data, slot } = await world.see(pda);
  if (!data) throw new Error('There is no subscription');
  const key = { environment_address: { environment: 'TEST', address: pda } } as const;
  await world.db.chainAccount.update({ where: key, data: { data: Buffer.from(data), slot } });
  // The indexer was stopped for so long that no stream replays the cancellation.
  for (let block = 0; block < 200; block += 1) world.network.tick();
  await world.startIndexing();
  await world.waitForSubscription(plan, wallet, 'CANCELLED');
});

test('the snapshot notices closed accounts without a transaction', async () => {
  const world = await startIndexerWorld();
  const indexer = await world.startIndexing();
  const { plan, wallets } = await subscribeCustomers(world, 3);
  const [closed, unpaid, fine] = wallets as [KeyPairSigner, KeyPairSigner, KeyPairSigner];
  await world.waitUntilCaughtUp();
  await indexer.close();
  const planAddress = address(plan.address);
  world.network.setAccount(await subscriptionAddress(planAddress, closed.address), CLOSED_ACCOUNT);
  world.network.setAccount(await authorityAddress(unpaid.address, address(plan.mint)), CLOSED_ACCOUNT);
  for (let block = 0; block < 200; block += 1) world.network.tick();
  await world.startIndexing();
  await world.waitForSubscription(plan, closed, 'CANCELLED');
  await world.waitForSubscription(plan, unpaid, 'CANCELLED');
  await world.waitForSubscription(plan, fine, 'ACTIVE');
});
