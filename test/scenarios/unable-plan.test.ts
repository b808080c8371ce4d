import type { Address, ReadonlyUint8Array } from '@solana/kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { USDC_MINT } from '../../localnet/genesis.ts';
import { decodePlan } from '../../src/chain/accounts.ts';
import { sunsetPlanTransaction } from '../../src/chain/plan-transactions.ts';
import { updatePlanInstruction } from '../../src/chain/program-additions.ts';
import { readAccounts } from '../../src/chain/read-accounts.ts';
import { DAY, type Logged, PRICE, type Subscriber, startWorld, type World } from './world.ts';

const PAID_ONCE = ['created', 'payment_succeeded'];
const PAID_TWICE = [...PAID_ONCE, 'payment_succeeded'];
const ACTIVE = { state: 'active', failureCount: 0 };

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

/** Fees are counted: nobody else is to be charged. */
afterEach(async () => {
  await world.ctx.db.subscription.updateMany({ data: { status: 'EXPIRED', nextAttemptAt: null } });
});

/** Who pays for another plan in another asset, and is due together with the customer whose plan is in trouble. */
let neighbour: Subscriber;

async function renewing(): Promise<Subscriber> {
  const customer = await world.subscriber(await world.plan());
  neighbour = await world.subscriber(await world.plan({ asset: await world.newAsset() }));
  await world.quiet();
  world.logged.length = 0;
  return customer;
}

async function setPullers({ plan }: Subscriber, pullers: readonly Address[]): Promise<void> {
  const { merchantWallet: owner } = world;
  const [account] = await readAccounts(world.chain, [plan]);
  if (!account) throw new Error('no plan');
  const seen = decodePlan(account.data);
  const wanted = { ...seen, pullers };
  await world.land(owner, [updatePlanInstruction({ owner, plan, active: true, wanted, seen })]);
}

/** What the merchant sees of it. */
async function problemOf({ plan: address }: Subscriber): Promise<string | null> {
  const { plans } = await world.graphql<{
    plans: { edges: { node: { address: string; problem: string | null } }[] };
  }>('{ plans(first: 100) { edges { node { address problem } } } }');
  return plans.edges.find(({ node }) => node.address === address)?.node.problem ?? null;
}

/** Its next payment is due and cannot be collected: nothing is sent, nobody is blamed, somebody is told, and others pay. */
async function isLeftAlone(customer: Subscriber, why: string): Promise<void> {
  await world.jump(DAY);
  const told = () =>
    (world.logged as readonly (Logged & { plan?: string })[]).find(
      ({ msg, plan }) => msg === 'the payments of a plan cannot be collected' && plan === customer.plan,
    );
  await world.until('somebody is told', () => told() !== undefined);
  expect(told()).toMatchObject({ plan: customer.plan, why, subscriptions: 1 });
  await world.quiet();
  const theirs = { payment: { subscription: { address: customer.id } } };
  expect(await world.ctx.db.attempt.count({ where: theirs })).toBe(1);
  expect(world.told(neighbour.id)).toEqual(PAID_TWICE);
  expect(await problemOf(customer)).toBe(why.toUpperCase());
  expect(await problemOf(neighbour)).toBe(null);
  expect(await customer.state()).toEqual(ACTIVE);
  expect(world.told(customer.id)).toEqual(PAID_ONCE);
}

/** What stood in the way is gone: collected at the next try, well within the period. */
async function isCollected(customer: Subscriber): Promise<void> {
  await world.travel(10 * 60 + 1);
  expect(world.told(customer.id)).toEqual(PAID_TWICE);
  expect(await problemOf(customer)).toBe(null);
  expect(await customer.state()).toEqual(ACTIVE);
}

async function isOver(customer: Subscriber, told: readonly string[]): Promise<void> {
  await world.until('it is cancelled', async () => (await customer.state()).state === 'cancelled');
  await world.quiet();
  expect(world.told(customer.id)).toEqual([...told, 'cancelled']);
  const reasons = await world.ctx.db.subscriptionTransition.findMany({
    where: { subscription: { address: customer.id } },
    orderBy: { at: 'asc' },
  });
  expect(reasons.map(({ reason }) => reason)).toEqual(['subscribed', 'plan_over']);
  expect((await world.books(customer.id)).at(-1)).toMatchObject({ status: 'FAILED' });
  expect(await world.ctx.db.transferTransaction.count({ where: { status: 'FAILED' } })).toBe(0);
}

describe('a plan', () => {
  it('from which the merchant has taken our right to pull costs no fees, and is collected once that is back', async () => {
    const customer = await renewing();
    await setPullers(customer, [world.merchantWallet.address]);
    await isLeftAlone(customer, 'not_our_plan_to_pull');
    await setPullers(customer, [world.chain.collector.address]);
    await isCollected(customer);
  });

  it('whose merchant’s token account is frozen costs no fees, and nobody is blamed', async () => {
    const customer = await renewing();
    const setState = (state: string) =>
      world.rpc('surfnet_setTokenAccount', [world.merchantWallet.address, USDC_MINT, { state }]);
    await setState('frozen');
    await isLeftAlone(customer, 'receiver_frozen');
    await setState('initialized');
    await isCollected(customer);
  });

  it('whose account nobody can read is set aside, and collected once it can be read', async () => {
    const customer = await renewing();
    const [account] = await readAccounts(world.chain, [customer.plan]);
    if (!account) throw new Error('no plan');
    const put = (data: ReadonlyUint8Array) =>
      world.rpc('surfnet_setAccount', [customer.plan, { data: Buffer.from(data).toString('hex') }]);
    const setAside = { environment: 'TEST', kind: 'account', resolvedAt: null } as const;
    const unapplied = () => world.ctx.db.unappliedUpdate.findMany({ where: setAside });
    await put(account.data.slice(0, 200));
    await world.until('it is set aside', async () => (await unapplied()).length === 1);
    expect(await unapplied()).toMatchObject([{ payload: { address: customer.plan } }]);
    await isLeftAlone(customer, 'unreadable');
    await put(account.data);
    await isCollected(customer);
  });

  it('that has ended ends its subscriptions when their next payment would be due', async () => {
    const customer = await renewing();
    const { merchantWallet } = world;
    const now = BigInt(Math.floor(world.ctx.clock.now().getTime() / 1000));
    const terms = { owner: merchantWallet.address, plan: customer.plan, endsAt: now + BigInt(DAY + 600) };
    await world.sign(merchantWallet, await sunsetPlanTransaction(world.chain, terms));
    await world.travel(DAY);
    expect(world.told(customer.id)).toEqual(PAID_TWICE);
    await world.jump(DAY);
    await isOver(customer, PAID_TWICE);
    expect(await world.tokensOf(customer.wallet.address)).toBe(98n * PRICE);
  });

  it('that a node does not find ends nothing, before the mirror has seen that it was deleted', async () => {
    const customer = await renewing();
    const nothing = { lamports: 0, data: '', owner: '11111111111111111111111111111111' };
    await world.rpc('surfnet_setAccount', [customer.plan, nothing]);
    await isLeftAlone(customer, 'not_found');
    await world.ctx.db.plan.updateMany({ where: { address: customer.plan }, data: { status: 'INACTIVE' } });
    await world.jump(10 * 60 + 1);
    await isOver(customer, PAID_ONCE);
  });
});
