import { describe, expect, it } from 'vitest';
import type { AppContext } from '../../src/app.ts';
import { createChain } from '../../src/chain/create-chain.ts';
import { NodeBehind } from '../../src/chain/rpc/as-of.ts';
import { collectDue } from '../../src/domain/billing/collect/collect-due.ts';
import { cancelSubscription } from '../../src/domain/billing/lifecycle/cancel-subscription.ts';
import { finalizePayments } from '../../src/domain/billing/settle/finalize-payments.ts';
import { auditBooks, isSound } from '../../src/domain/maintenance/books-check/audit-books.ts';
import { alteredRpc } from '../chain/altered-rpc.ts';
import { DAY, PRICE, type Subscriber, startWorld } from '../scenarios/world.ts';
import { callRpc } from '../support/json-rpc.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { contextWithFailure } from './context-with-failure.ts';

/** Transactions are final after eight seconds: time to roll back a confirmed one. */
const SLOT_MS = 250;
/** More than the time after which a transaction that is not seen is investigated. */
const VANISHED_SECONDS = 6 * 60;

const world = await sharedByFile(startWorld({ slotMs: SLOT_MS }));
await world.until('the merchant has SOL', async () => {
  const params = [world.merchantWallet.address, { commitment: 'confirmed' }];
  return (await world.rpc<{ value: number }>('getBalance', params)).value > 0;
});

const findLogged = (words: string) => world.logged.filter(({ msg }) => msg.includes(words));
const readRow = ({ id: address }: Subscriber) =>
  world.ctx.db.subscription.findFirstOrThrow({ where: { address }, include: { plan: true } });
const readPayments = async ({ id }: Subscriber) =>
  (await world.books(id)).map(({ status, number }) => `${status} ${number}`);

/**
 * Subscribes two customers, and settles their second payments, which share a transaction. No jobs
 * run afterwards.
 */
async function settleTwo(): Promise<{ customers: [Subscriber, Subscriber]; signature: string }> {
  await world.startWorkers();
  const planId = await world.plan();
  const customers: [Subscriber, Subscriber] = [
    await world.subscriber(planId),
    await world.subscriber(planId),
  ];
  await world.quiet();
  await world.stopWorkers();
  world.logged.length = 0;
  await world.jump(DAY);
  await world.mirrored();
  await collectDue(world.ctx, 'TEST');
  await world.until('the payments are settled', async () => {
    const rows = await Promise.all(customers.map(readRow));
    return rows.every(({ paymentCount }) => paymentCount === 2);
  });
  const payments = await Promise.all(customers.map(async ({ id }) => (await world.books(id))[1]));
  const [signature = '', ...otherSignatures] = new Set(payments.map((payment) => payment?.signature ?? ''));
  expect(otherSignatures, 'they do not share a transaction').toEqual([]);
  return { customers, signature };
}

const forgetTransaction = (signature: string) => world.rpc('localnet_forgetTransaction', [signature]);

/** The sums of the plan's daily counts, folded or not. */
async function readCounts(customer: Subscriber): Promise<object> {
  const { planId } = await readRow(customer);
  const [row] = await world.ctx.db.$queryRaw<object[]>`
    SELECT sum("paid")::int AS "paid", sum("collected")::bigint AS "collected"
    FROM (SELECT "planId", "paid", "collected" FROM "PlanDay"
      UNION ALL SELECT "planId", "paid", "collected" FROM "PlanDayChange") AS "all"
    WHERE "planId" = ${planId}::uuid`;
  return row ?? {};
}

/** Subscriptions with a payment that stays settled without its transfer, for a person to decide. */
const undecided: string[] = [];

async function expectSoundBooks(): Promise<void> {
  for await (const audit of auditBooks(world.ctx, {})) {
    const differences = audit.differences.filter(({ subscription }) => !undecided.includes(subscription));
    expect(differences).toEqual([]);
    expect(isSound({ ...audit, differences })).toBe(true);
  }
}

describe('a settled payment that the cluster has rolled back', () => {
  it('is reversed with an event, and charged again exactly once', async () => {
    const { customers, signature } = await settleTwo();
    const nextPayments = (await Promise.all(customers.map(readRow))).map(
      ({ nextPaymentAt }) => nextPaymentAt,
    );
    await forgetTransaction(signature);
    await world.jump(VANISHED_SECONDS);
    await finalizePayments(world.ctx, 'TEST');
    expect(findLogged('rolled back by the cluster')).toHaveLength(2);
    for (const customer of customers) {
      expect(await world.tokensOf(customer.wallet.address)).toBe(99n * PRICE);
      expect(await readPayments(customer)).toEqual(['SUCCEEDED 1', 'DUE null']);
    }
    expect(await readCounts(customers[0])).toEqual({ paid: 2, collected: 2n * PRICE });
    await expectSoundBooks();
    await world.startWorkers();
    for (const [index, customer] of customers.entries()) {
      await world.until('all webhooks have arrived', () => world.receivedEvents(customer.id).length === 5);
      await world.quiet();
      expect(world.receivedEvents(customer.id)).toEqual([
        'created',
        'payment_succeeded',
        'payment_succeeded',
        'payment_reversed',
        'payment_succeeded',
      ]);
      const received = world.webhooks(customer.id);
      expect(received.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
      const paymentId = received[2]?.data.paymentId;
      expect(received[3]?.data).toMatchObject({
        paymentId,
        signature,
        paymentNumber: 2,
        amount: String(PRICE),
      });
      expect(received[4]?.data).toMatchObject({ paymentId, paymentNumber: 2 });
      expect(received[4]?.data.signature).not.toBe(signature);
      expect(await world.tokensOf(customer.wallet.address)).toBe(98n * PRICE);
      expect(await readPayments(customer)).toEqual(['SUCCEEDED 1', 'SUCCEEDED 2']);
      expect(await readRow(customer)).toMatchObject({
        status: 'ACTIVE',
        paymentCount: 2,
        nextPaymentAt: nextPayments[index],
        nextAttemptAt: nextPayments[index],
      });
      const attempts = await world.ctx.db.attempt.findMany({
        where: { payment: { subscription: { address: customer.id } } },
        include: { transaction: true },
        orderBy: { createdAt: 'asc' },
      });
      expect(attempts.map(({ status, transaction }) => `${status} ${transaction?.status}`)).toEqual([
        'SUCCEEDED LANDED',
        'VOID EXPIRED',
        'SUCCEEDED LANDED',
      ]);
    }
    expect(await readCounts(customers[0])).toEqual({ paid: 4, collected: 4n * PRICE });
    await expectSoundBooks();
  });

  it('is missed if its period has ended, and the next one is charged', async () => {
    const {
      customers: [customer],
      signature,
    } = await settleTwo();
    await forgetTransaction(signature);
    await world.jump(DAY);
    await finalizePayments(world.ctx, 'TEST');
    expect(await readPayments(customer)).toEqual(['SUCCEEDED 1', 'MISSED null']);
    await world.startWorkers();
    await world.until('all webhooks have arrived', () => world.receivedEvents(customer.id).length === 6);
    await world.quiet();
    expect(world.receivedEvents(customer.id).slice(3)).toEqual([
      'payment_reversed',
      'payment_missed',
      'payment_succeeded',
    ]);
    expect(await readPayments(customer)).toEqual(['SUCCEEDED 1', 'MISSED null', 'SUCCEEDED 2']);
    expect(await world.tokensOf(customer.wallet.address)).toBe(98n * PRICE);
    await expectSoundBooks();
  });

  it('stays settled, for a person to decide, if its subscription has ended meanwhile', async () => {
    const { customers, signature } = await settleTwo();
    const [ended, other] = customers;
    await forgetTransaction(signature);
    await cancelSubscription(world.ctx, world.scope, { subscription: ended.id, when: 'NOW' });
    await world.jump(VANISHED_SECONDS);
    await finalizePayments(world.ctx, 'TEST');
    undecided.push(ended.id);
    expect(await readPayments(ended)).toEqual(['SUCCEEDED 1', 'SUCCEEDED 2']);
    expect(await readPayments(other)).toEqual(['SUCCEEDED 1', 'DUE null']);
    expect(findLogged('no longer on chain')).toHaveLength(1);
    await finalizePayments(world.ctx, 'TEST');
    expect(findLogged('no longer on chain')).toHaveLength(1);
  });
});

describe('a settled payment whose transaction is finalized with an error', () => {
  it('is reversed at once, without a receipt, and charged again', async () => {
    const { customers, signature } = await settleTwo();
    await forgetTransaction(signature);
    await finalizePayments(await contextWithFailure(world, [signature], 'confirmed'), 'TEST');
    for (const customer of customers) {
      expect(await readPayments(customer)).toEqual(['SUCCEEDED 1', 'SUCCEEDED 2']);
    }
    await finalizePayments(await contextWithFailure(world, [signature], 'finalized'), 'TEST');
    // Customers of earlier tests share the transaction.
    const logged = findLogged('rolled back by the cluster').map(({ payment }) => payment);
    for (const customer of customers) {
      expect(await readPayments(customer)).toEqual(['SUCCEEDED 1', 'DUE null']);
      const [, payment] = await world.books(customer.id);
      expect(payment).toMatchObject({ finalized: false, receiptNumber: null });
      expect(logged.filter((id) => id === payment?.id)).toHaveLength(1);
    }
    const transaction = await world.ctx.db.transferTransaction.findUniqueOrThrow({ where: { signature } });
    expect(transaction).toMatchObject({ status: 'FAILED', slot: 77n, error: { instruction: 0, custom: 1 } });
    expect(transaction.feeLamports).toBeGreaterThan(0n);
    await expectSoundBooks();
    await world.startWorkers();
    for (const customer of customers) {
      await world.until('all webhooks have arrived', () => world.receivedEvents(customer.id).length === 5);
      await world.quiet();
      expect(world.receivedEvents(customer.id).slice(3)).toEqual(['payment_reversed', 'payment_succeeded']);
      expect(await readPayments(customer)).toEqual(['SUCCEEDED 1', 'SUCCEEDED 2']);
      expect(await world.tokensOf(customer.wallet.address)).toBe(98n * PRICE);
    }
    await expectSoundBooks();
  });

  it('is reversed although the merchant sent it, so that no block height is known', async () => {
    const {
      customers: [customer],
      signature,
    } = await settleTwo();
    await world.ctx.db.attempt.deleteMany({ where: { transaction: { signature } } });
    await world.ctx.db.transferTransaction.deleteMany({ where: { signature } });
    await forgetTransaction(signature);
    await finalizePayments(await contextWithFailure(world, [signature], 'finalized'), 'TEST');
    expect(await readPayments(customer)).toEqual(['SUCCEEDED 1', 'DUE null']);
  });
});

describe('a payment that is on chain stays settled', () => {
  /** A context whose node knows no signature. `stale`: it also shows older accounts. */
  async function contextWithForgetfulNode(stale: boolean): Promise<AppContext> {
    const url = world.chain.config.rpcUrl;
    const rpcUrl = await alteredRpc(url, async ({ method, params }, result, answer) => {
      if (method === 'getSignatureStatuses') {
        const statuses = result as { value: unknown[] };
        statuses.value = statuses.value.map(() => null);
      }
      if (stale && method === 'getMultipleAccounts') {
        const oldAnswer = await callRpc(`${url}/stale`, method, params);
        Object.assign(answer, { result: undefined, error: undefined }, oldAnswer);
      }
    });
    return { ...world.ctx, chain: { TEST: await createChain('TEST', { ...world.chain.config, rpcUrl }) } };
  }

  it('although a node has no history', async () => {
    const {
      customers: [customer],
    } = await settleTwo();
    const [, payment] = await world.books(customer.id);
    await world.jump(VANISHED_SECONDS);
    await finalizePayments(await contextWithForgetfulNode(false), 'TEST');
    expect(await readPayments(customer)).toEqual(['SUCCEEDED 1', 'SUCCEEDED 2']);
    const alarms = findLogged('no longer on chain').filter((line) => line.payment === payment?.id);
    expect(alarms).toHaveLength(1);
  });

  it('although the other node is behind', async () => {
    world.setFaults({ nodes: { stale: { lagSlots: 1_000_000 } } });
    const {
      customers: [customer],
    } = await settleTwo();
    await world.jump(VANISHED_SECONDS);
    await expect(finalizePayments(await contextWithForgetfulNode(true), 'TEST')).rejects.toThrow(NodeBehind);
    world.setFaults({ nodes: { stale: { lagSlots: 0 } } });
    expect(await readPayments(customer)).toEqual(['SUCCEEDED 1', 'SUCCEEDED 2']);
    expect(findLogged('no longer on chain')).toHaveLength(0);
  });
});
