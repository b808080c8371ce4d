import { randomUUID } from 'node:crypto';
import type { Address, ReadonlyUint8Array } from '@solana/kit';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { afterEach, describe, expect, it } from 'vitest';
import { USDC_MINT } from '../../localnet/genesis.ts';
import { decodePlan } from '../../src/chain/accounts/accounts.ts';
import { tokenAccountAddress } from '../../src/chain/accounts/addresses.ts';
import { readAccounts } from '../../src/chain/accounts/read-accounts.ts';
import { sunsetPlanTransaction } from '../../src/chain/transactions/plan-transactions.ts';
import { updatePlanInstruction } from '../../src/chain/transactions/program-additions.ts';
import { readCollectors } from '../../src/domain/chain-state/collector/read-collectors.ts';
import { type Asset, DAY, type Logged, PRICE, type Subscriber, startWorld } from '../scenarios/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

const PAID_ONCE = ['created', 'payment_succeeded'];
const PAID_TWICE = [...PAID_ONCE, 'payment_succeeded'];
const ACTIVE = { state: 'active', failureCount: 0 };

const world = await sharedByFile(startWorld());

/** The tests count fees, so customers of earlier tests must not be charged. */
afterEach(async () => {
  await world.ctx.db.subscription.updateMany({ data: { status: 'EXPIRED', nextAttemptAt: null } });
});

/**
 * A customer of another plan in another asset, due together with the customer of the failing plan.
 */
let neighbour: Subscriber;

/** Subscribes a customer and the neighbour, and waits until both have paid the first period. */
async function subscribeWithNeighbour(): Promise<Subscriber> {
  const customer = await world.subscriber(await world.plan());
  neighbour = await world.subscriber(await world.plan({ asset: await world.newAsset() }));
  await world.quiet();
  world.logged.length = 0;
  return customer;
}

async function setPullers({ plan }: Subscriber, pullers: readonly Address[]): Promise<void> {
  const { merchantWallet: owner } = world;
  const [account] = await readAccounts(world.chain, [plan], 'program');
  if (!account) throw new Error('no plan');
  const seen = decodePlan(account.data);
  const wanted = { ...seen, pullers };
  await world.land(owner, [updatePlanInstruction({ owner, plan, active: true, wanted, seen })]);
}

/** The plan's problem that the merchant sees. */
async function readProblem({ plan: address }: Subscriber): Promise<string | null> {
  const { plans } = await world.graphql<{
    plans: { edges: { node: { address: string; problem: string | null } }[] };
  }>('{ plans(first: 100) { edges { node { address problem } } } }');
  return plans.edges.find(({ node }) => node.address === address)?.node.problem ?? null;
}

/**
 * Makes the next payment due, and expects that it cannot be collected: no transaction is sent, no
 * failure counts, an alert is logged, and the neighbour pays.
 */
async function expectNotCollected(customer: Subscriber, why: string): Promise<void> {
  await world.jump(DAY);
  const alarm = () =>
    (world.logged as readonly (Logged & { plan?: string })[]).find(
      ({ msg, plan }) => msg === 'payments of a plan cannot be collected' && plan === customer.plan,
    );
  await world.until('the problem is logged', () => alarm() !== undefined);
  expect(alarm()).toMatchObject({ plan: customer.plan, why, subscriptions: 1 });
  await world.quiet();
  const where = { payment: { subscription: { address: customer.id } } };
  expect(await world.ctx.db.attempt.count({ where })).toBe(1);
  expect(world.receivedEvents(neighbour.id)).toEqual(PAID_TWICE);
  expect(await readProblem(customer)).toBe(why.toUpperCase());
  expect(await readProblem(neighbour)).toBe(null);
  expect(await customer.state()).toEqual(ACTIVE);
  expect(world.receivedEvents(customer.id)).toEqual(PAID_ONCE);
}

/** Closes the merchant's token account. */
async function closeReceiver({ mint, tokenProgram }: Asset): Promise<void> {
  const account = await tokenAccountAddress(world.merchantWallet.address, mint, tokenProgram);
  const closedAccount = { lamports: 0, data: '', owner: '11111111111111111111111111111111' };
  await world.rpc('surfnet_setAccount', [account, closedAccount]);
  await world.until('the account is closed', async () => {
    const config = { commitment: 'confirmed', encoding: 'base64' };
    return (await world.rpc<{ value: unknown }>('getAccountInfo', [account, config])).value === null;
  });
}

/** Expects that the next attempt collects, well within the period. */
async function expectCollected(customer: Subscriber): Promise<void> {
  await world.travel(10 * 60 + 1);
  expect(world.receivedEvents(customer.id)).toEqual(PAID_TWICE);
  expect(await readProblem(customer)).toBe(null);
  expect(await customer.state()).toEqual(ACTIVE);
}

async function expectEnded(customer: Subscriber, expectedEvents: readonly string[]): Promise<void> {
  await world.until(
    'the subscription is cancelled',
    async () => (await customer.state()).state === 'cancelled',
  );
  await world.quiet();
  expect(world.receivedEvents(customer.id)).toEqual([...expectedEvents, 'cancelled']);
  const reasons = await world.ctx.db.subscriptionTransition.findMany({
    where: { subscription: { address: customer.id } },
    orderBy: { at: 'asc' },
  });
  expect(reasons.map(({ reason }) => reason)).toEqual(['subscribed', 'plan_over']);
  expect((await world.books(customer.id)).at(-1)).toMatchObject({ status: 'FAILED' });
  expect(await world.ctx.db.transferTransaction.count({ where: { status: 'FAILED' } })).toBe(0);
}

describe('a plan', () => {
  it('without the collector costs no fees, and is collected once it is back', async () => {
    const customer = await subscribeWithNeighbour();
    await setPullers(customer, [world.merchantWallet.address]);
    await expectNotCollected(customer, 'not_our_plan_to_pull');
    await setPullers(customer, [world.chain.collector.address]);
    await expectCollected(customer);
  });

  it('whose merchant’s token account is frozen costs no fees and counts no failure', async () => {
    const customer = await subscribeWithNeighbour();
    const setState = (state: string) =>
      world.rpc('surfnet_setTokenAccount', [world.merchantWallet.address, USDC_MINT, { state }]);
    await setState('frozen');
    await expectNotCollected(customer, 'receiver_frozen');
    await setState('initialized');
    await expectCollected(customer);
  });

  it('whose account cannot be read is set aside, and collected once it can be read', async () => {
    const customer = await subscribeWithNeighbour();
    const [account] = await readAccounts(world.chain, [customer.plan], 'program');
    if (!account) throw new Error('no plan');
    const writeData = (data: ReadonlyUint8Array) =>
      world.rpc('surfnet_setAccount', [customer.plan, { data: Buffer.from(data).toString('hex') }]);
    const openUpdates = { environment: 'TEST', kind: 'account', resolvedAt: null } as const;
    const readUnapplied = () => world.ctx.db.unappliedUpdate.findMany({ where: openUpdates });
    await writeData(account.data.slice(0, 200));
    await world.until('the update is set aside', async () => (await readUnapplied()).length === 1);
    expect(await readUnapplied()).toMatchObject([{ payload: { address: customer.plan } }]);
    await expectNotCollected(customer, 'unreadable');
    await writeData(account.data);
    await expectCollected(customer);
  });

  it('that has ended cancels its subscriptions when their next payment would be due', async () => {
    const customer = await subscribeWithNeighbour();
    const { merchantWallet } = world;
    const now = BigInt(Math.floor(world.ctx.clock.now().getTime() / 1000));
    const terms = { owner: merchantWallet.address, plan: customer.plan, endsAt: now + BigInt(DAY + 600) };
    await world.sign(merchantWallet, await sunsetPlanTransaction(world.chain, terms));
    await world.travel(DAY);
    expect(world.receivedEvents(customer.id)).toEqual(PAID_TWICE);
    await world.jump(DAY);
    await expectEnded(customer, PAID_TWICE);
    expect(await world.tokensOf(customer.wallet.address)).toBe(98n * PRICE);
  });

  it('that a node does not find cancels nothing before its deletion is seen', async () => {
    const customer = await subscribeWithNeighbour();
    const closedAccount = { lamports: 0, data: '', owner: '11111111111111111111111111111111' };
    await world.rpc('surfnet_setAccount', [customer.plan, closedAccount]);
    await expectNotCollected(customer, 'not_found');
    await world.ctx.db.plan.updateMany({ where: { address: customer.plan }, data: { status: 'INACTIVE' } });
    await world.jump(10 * 60 + 1);
    await expectEnded(customer, PAID_ONCE);
  });

  it('whose merchant’s token account is closed repeatedly gets the rent once', async () => {
    const [one, two] = [await subscribeWithNeighbour(), await world.subscriber(await world.plan())];
    await world.quiet();
    const owner = world.merchantWallet.address;
    const account = await tokenAccountAddress(owner, USDC_MINT, TOKEN_PROGRAM_ADDRESS);
    const collector = world.chain.collector.address;
    const lamports = async () => (await world.rpc<{ value: number }>('getBalance', [collector])).value;
    const isClosed = async () => {
      const config = { commitment: 'confirmed', encoding: 'base64' };
      return (await world.rpc<{ value: unknown }>('getAccountInfo', [account, config])).value === null;
    };
    const close = async () => {
      const closedAccount = { lamports: 0, data: '', owner: '11111111111111111111111111111111' };
      await world.rpc('surfnet_setAccount', [account, closedAccount]);
      await world.until('the account is closed', isClosed);
    };
    const countRents = async (balance: number) => Math.round((balance - (await lamports())) / 2_000_000);
    await close();
    const before = await lamports();
    await world.travel(DAY);
    // One payment waits for the account that the other one creates.
    await world.travel(10);
    for (const { id } of [one, two]) expect(world.receivedEvents(id)).toEqual(PAID_TWICE);
    expect(await countRents(before)).toBe(1);
    const [state] = await readCollectors(world.ctx, world.chain);
    // The daily average, over at most seven days, contains the rent, which is far above the fees.
    expect(Number(state?.lamportsPerDay) * 7).toBeGreaterThan(2_000_000);

    await close();
    const afterSecondClose = await lamports();
    world.logged.length = 0;
    await world.travel(DAY);
    for (const customer of [one, two]) {
      expect(world.receivedEvents(customer.id)).toEqual(PAID_TWICE);
      expect(await readProblem(customer)).toBe('RECEIVER_MISSING');
      expect(await customer.state()).toEqual(ACTIVE);
    }
    expect(await isClosed()).toBe(true);
    expect(await countRents(afterSecondClose)).toBe(0);

    await world.rpc('surfnet_setTokenAccount', [owner, USDC_MINT, { amount: '0' }]);
    await world.travel(10 * 60 + 1);
    for (const customer of [one, two]) {
      expect(world.receivedEvents(customer.id)).toEqual([...PAID_TWICE, 'payment_succeeded']);
      expect(await readProblem(customer)).toBe(null);
    }
    expect(await countRents(afterSecondClose)).toBe(0);
  });

  it('whose merchant’s account is missing gets rent for the default asset only', async () => {
    const asset = await world.newAsset();
    const customer = await world.subscriber(await world.plan({ asset }));
    await world.quiet();
    world.logged.length = 0;
    neighbour = await world.subscriber(await world.plan());
    await world.quiet();
    await closeReceiver(asset);
    await expectNotCollected(customer, 'receiver_missing');
    const { mint } = asset;
    expect(await world.ctx.db.receiverAccount.count({ where: { mint } })).toBe(0);
    await world.rpc('surfnet_setTokenAccount', [
      ...[world.merchantWallet.address, mint, { amount: '0' }, asset.tokenProgram],
    ]);
    await expectCollected(customer);
  });

  it('whose account is missing waits for the day’s limit and the merchant’s age', async () => {
    await world.ctx.db.receiverAccount.deleteMany();
    const customer = await subscribeWithNeighbour();
    const { config } = world.chain;
    Object.assign(config, { maxReceiversPerDay: 1 });
    const other = { environment: 'TEST', mint: USDC_MINT, transactionId: randomUUID() } as const;
    const createdAt = new Date(world.ctx.clock.now().getTime() + DAY * 1000);
    await world.ctx.db.receiverAccount.create({
      data: { ...other, createdAt, merchantId: randomUUID(), collector: 'x', lamports: 2_039_280n },
    });
    await closeReceiver({ mint: USDC_MINT, tokenProgram: TOKEN_PROGRAM_ADDRESS });
    await expectNotCollected(customer, 'receiver_missing');
    Object.assign(config, { maxReceiversPerDay: 4, paysRentAfterDays: 365 });
    await world.travel(10 * 60 + 1);
    expect(world.receivedEvents(customer.id)).toEqual(PAID_ONCE);
    Object.assign(config, { paysRentAfterDays: 0 });
    await expectCollected(customer);
  });

  it('whose account was created waits while a node is behind that creation', async () => {
    await world.ctx.db.receiverAccount.deleteMany();
    const customer = await subscribeWithNeighbour();
    const slot = BigInt(await world.rpc<number>('getSlot', [])) + 1_000_000_000n;
    const { id: transactionId } = await world.ctx.db.transferTransaction.findFirstOrThrow();
    await world.ctx.db.transferTransaction.update({ where: { id: transactionId }, data: { slot } });
    const { merchantId } = world.scope;
    const createdAt = world.ctx.clock.now();
    await world.ctx.db.receiverAccount.create({
      data: {
        environment: 'TEST',
        merchantId,
        mint: USDC_MINT,
        transactionId,
        createdAt,
        collector: 'x',
        lamports: 2_039_280n,
      },
    });
    await closeReceiver({ mint: USDC_MINT, tokenProgram: TOKEN_PROGRAM_ADDRESS });
    await world.jump(DAY);
    await world.until(
      'the neighbour has paid',
      () => world.receivedEvents(neighbour.id).length === PAID_TWICE.length,
    );
    expect(await readProblem(customer)).toBe(null);
    expect(await customer.state()).toEqual(ACTIVE);
    await world.ctx.db.transferTransaction.update({ where: { id: transactionId }, data: { slot: 1n } });
    await world.until(
      'the plan shows the problem',
      async () => (await readProblem(customer)) === 'RECEIVER_MISSING',
    );
  });
});
