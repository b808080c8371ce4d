import type { Address } from '@solana/kit';
import { getTransferSubscriptionInstruction } from '@solana/subscriptions';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { USDC_MINT } from '../../localnet/genesis.ts';
import { EVENT_AUTHORITY } from '../../src/chain/accounts/addresses.ts';
import { collectDue } from '../../src/domain/billing/collect/collect-due.ts';
import { decideUndecidedPayments } from '../../src/domain/billing/settle/decide-undecided-payments.ts';
import { isSound } from '../../src/domain/books-audit/audit-books.ts';
import { reconcileTransfers } from '../../src/domain/reconcile/reconcile-transfers.ts';
import { resolvePulls } from '../support/pulls.ts';
import { DAY, PRICE, type Subscriber, startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

/**
 * The merchant's wallet owns the plan, and may collect without dues: `times` times the amount, in
 * one transaction.
 */
async function pullAsMerchant({ id, plan, wallet }: Subscriber, amount: bigint, times = 1): Promise<void> {
  const { merchantWallet } = world;
  const [pull] = await resolvePulls([
    {
      subscription: id as Address,
      plan,
      payer: wallet.address,
      receiver: merchantWallet.address,
      mint: USDC_MINT,
      tokenProgram: TOKEN_PROGRAM_ADDRESS,
      amount,
    },
  ]);
  if (!pull) throw new Error('nothing to pull');
  const instruction = getTransferSubscriptionInstruction({
    subscriptionPda: pull.subscription,
    planPda: plan,
    subscriptionAuthority: pull.authority,
    delegatorAta: pull.payerTokenAccount,
    receiverAta: pull.receiverTokenAccount,
    caller: merchantWallet,
    tokenMint: USDC_MINT,
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
    eventAuthority: EVENT_AUTHORITY,
    transferData: { amount, delegator: wallet.address, mint: USDC_MINT },
  });
  await world.land(merchantWallet, Array(times).fill(instruction));
}

/**
 * Subscribes a customer, who pays the first period, and moves the time to the second one, which no
 * worker collects.
 */
async function subscribeUntilDue(): Promise<Subscriber> {
  const customer = await world.subscriber(await world.plan());
  await world.quiet();
  await world.stopWorkers();
  await world.jump(DAY);
  return customer;
}

async function expectPaidTwice(customer: Subscriber, parts: readonly bigint[] = [PRICE]): Promise<void> {
  await world.startWorkers();
  await world.until('the payment is in the books', async () => (await world.books(customer.id)).length === 2);
  await world.quiet();
  expect(await world.tokensOf(customer.wallet.address)).toBe(98n * PRICE);
  expect(world.receivedEvents(customer.id)).toEqual([
    ...['created', 'payment_succeeded'],
    ...parts.map(() => 'payment_succeeded'),
  ]);
  const renewal = world.webhooks(customer.id).slice(2);
  expect(renewal.map(({ data }) => data.amount)).toEqual(parts.map(String));
  expect(new Set(renewal.map(({ data }) => data.paymentId)).size).toBe(1);
  expect(renewal.every(({ data }) => data.paymentNumber === 2)).toBe(true);
  expect(await world.books(customer.id)).toMatchObject([
    { status: 'SUCCEEDED', number: 1, amount: PRICE, collectedByUs: true },
    { status: 'SUCCEEDED', number: 2, amount: PRICE, collectedByUs: false },
  ]);
  await world.travel(DAY);
  expect(await world.tokensOf(customer.wallet.address)).toBe(97n * PRICE);
}

describe('a period that the merchant has collected itself', () => {
  it('is one payment with one event, and dues does not charge it again', async () => {
    const customer = await subscribeUntilDue();
    await pullAsMerchant(customer, PRICE);
    await expectPaidTwice(customer);
  });

  it('in two parts is one payment of their sum, with an event for each part', async () => {
    const customer = await subscribeUntilDue();
    await pullAsMerchant(customer, 2_000_000n);
    await pullAsMerchant(customer, PRICE - 2_000_000n);
    await expectPaidTwice(customer, [2_000_000n, PRICE - 2_000_000n]);
  });

  it('while the transaction of dues was in flight is not collected twice', async () => {
    const customer = await subscribeUntilDue();
    world.setFaults({ dropTransactions: 1_000_000 });
    await collectDue(world.ctx, 'TEST');
    world.setFaults({ dropTransactions: 0 });
    await pullAsMerchant(customer, PRICE);
    await expectPaidTwice(customer);
    const where = { payment: { subscription: { address: customer.id } }, status: 'VOID' as const };
    expect(await world.ctx.db.attempt.count({ where })).toBe(1);
  });

  it('while dues was down is found after the restart', async () => {
    const customer = await subscribeUntilDue();
    await world.stopIndexer();
    await pullAsMerchant(customer, PRICE);
    await collectDue(world.ctx, 'TEST');
    expect(await world.books(customer.id)).toMatchObject([{ number: 1 }, { collectedByUs: false }]);
    await world.startIndexer();
    await expectPaidTwice(customer);
  });

  it('after an unpaid period leaves the unpaid one missed', async () => {
    const customer = await world.subscriber(await world.plan(), { payments: 1 });
    await world.quiet();
    await world.travel(DAY);
    expect(await customer.state()).toEqual({ state: 'past_due', failureCount: 1 });
    await world.stopWorkers();
    await world.jump(DAY);
    await customer.setBalance(10n * PRICE);
    await pullAsMerchant(customer, PRICE);
    await world.until(
      'the payment is in the books',
      async () => (await world.books(customer.id)).length === 3,
    );
    // The indexer may settle it before it has seen the slots of the jump: a worker decides then.
    await world.startWorkers();
    await world.decided(customer.id);
    expect(await world.books(customer.id)).toMatchObject([
      { status: 'SUCCEEDED', number: 1 },
      { status: 'MISSED', number: null },
      { status: 'SUCCEEDED', number: 2, collectedByUs: false },
    ]);
    expect(await customer.state()).toEqual({ state: 'active', failureCount: 0 });
  });
});

describe('periods that the merchant has collected while the indexer did not run', () => {
  const missedEvents = ({ id }: Subscriber) =>
    world.receivedEvents(id).filter((type) => type === 'payment_missed');
  const statuses = async ({ id }: Subscriber) =>
    (await world.books(id)).map(({ status, number }) => `${status} ${number}`);

  it('are settled by reconciling in their order, whatever the length of the history', async () => {
    const customer = await subscribeUntilDue();
    await world.stopIndexer();
    await pullAsMerchant(customer, PRICE);
    await world.jump(DAY);
    // More transfers than are settled in one database transaction.
    const part = PRICE / 250n;
    for (let transfers = 0; transfers <= 200; transfers += 8) await pullAsMerchant(customer, part, 8);
    const repaired: string[] = [];
    for await (const audit of reconcileTransfers(world.ctx, world.scope)) {
      repaired.push(...audit.repaired);
      expect(isSound(audit)).toBe(true);
    }
    expect(repaired).toHaveLength(27);
    expect(await statuses(customer)).toEqual(['SUCCEEDED 1', 'SUCCEEDED 2', 'SUCCEEDED 3']);
    await world.startIndexer();
    await world.startWorkers();
    await world.quiet();
    expect(missedEvents(customer)).toEqual([]);
  });

  it('are not missed before the indexer has read them, and unpaid ones are missed then', async () => {
    const customer = await subscribeUntilDue();
    await world.stopIndexer();
    await pullAsMerchant(customer, PRICE);
    await world.jump(2 * DAY);
    // As while a stream is replayed: blocks arrive, and none is newer.
    await world.ctx.db.$executeRaw`UPDATE "StreamPosition" SET "heardAt" = now(), "headSlot" = "slot"`;
    await world.startWorkers();
    await world.until(
      'the current period is paid',
      async () => (await world.books(customer.id)).length === 4,
    );
    await world.quiet();
    expect(await statuses(customer)).toEqual(['SUCCEEDED 1', 'DUE null', 'DUE null', 'SUCCEEDED 2']);
    expect(missedEvents(customer)).toEqual([]);
    await world.startIndexer();
    await world.decided(customer.id);
    await world.until('the webhook has arrived', () => missedEvents(customer).length > 0);
    await world.quiet();
    expect(await statuses(customer)).toEqual(['SUCCEEDED 1', 'SUCCEEDED 3', 'MISSED null', 'SUCCEEDED 2']);
    const missed = world.webhooks(customer.id).filter(({ event }) => event === 'subscription.payment_missed');
    const [, , unpaid] = await world.books(customer.id);
    expect(missed.map(({ data }) => data.paymentId)).toEqual([unpaid?.id]);
  });

  it('are not missed while a transaction is set aside, but those that began later are', async () => {
    const customer = await subscribeUntilDue();
    await world.jump(DAY);
    await world.mirrored();
    const [kind, slot] = ['transaction', 1n];
    const at = { createdAt: world.ctx.clock.now(), triedAt: world.ctx.clock.now() };
    const unread = { ...at, kind, slot, subject: 'unread', payload: {}, error: 'unreadable' };
    const { id } = await world.ctx.db.unappliedUpdate.create({ data: { ...unread, environment: 'TEST' } });
    await world.jump(3 * DAY);
    await world.mirrored();
    await world.startWorkers();
    await world.until('later periods are missed', () => missedEvents(customer).length === 2);
    await world.quiet();
    const later = ['MISSED null', 'MISSED null', 'SUCCEEDED 2'];
    expect(await statuses(customer)).toEqual(['SUCCEEDED 1', 'DUE null', 'DUE null', ...later]);
    await world.ctx.db.unappliedUpdate.update({ where: { id }, data: { resolvedAt: at.createdAt } });
    await world.until('the others are missed', () => missedEvents(customer).length === 4);
  });

  it('are not missed while their transfer is stored but not settled', async () => {
    const customer = await subscribeUntilDue();
    await world.jump(DAY);
    await world.mirrored();
    const [first] = await world.books(customer.id);
    const place = { environment: 'TEST', signature: 'waiting', index: 0, slot: 1n } as const;
    const ofCustomer = { subscriptionAddress: customer.id, planAddress: customer.plan };
    const periodStart = (first?.periodStart ?? 0n) + BigInt(DAY);
    await world.ctx.db.chainTransfer.create({
      data: { ...place, ...ofCustomer, amount: PRICE, periodStart },
    });
    await collectDue(world.ctx, 'TEST');
    await decideUndecidedPayments(world.ctx, 'TEST');
    expect((await world.books(customer.id))[1]).toMatchObject({ status: 'DUE' });
    await world.startWorkers();
    await world.until(
      'every period is paid',
      async () => !(await world.books(customer.id)).some(({ status }) => status !== 'SUCCEEDED'),
    );
    expect(await world.books(customer.id)).toHaveLength(3);
    expect(missedEvents(customer)).toEqual([]);
  });
});
