import { beforeEach, describe, expect, it } from 'vitest';
import type { AppContext } from '../../src/app.ts';
import { createChain } from '../../src/chain/create-chain.ts';
import { collectDue } from '../../src/domain/billing/collect/collect-due.ts';
import { followTransactions } from '../../src/domain/billing/follow/follow-transactions.ts';
import { checkRows } from '../../src/domain/maintenance/books-check/rows/check-rows.ts';
import { alteredRpc, type RpcCall } from '../chain/altered-rpc.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { changePrice, pullAsMerchant, subscribeUntilDue } from './merchant-pulls.ts';
import { DAY, PRICE, type Subscriber, startWorld } from './world.ts';

/** Less than half of the limit: the program would let it through twice in one period. */
const PART = (PRICE * 2n) / 5n;

const world = await sharedByFile(startWorld());

let customer: Subscriber;
beforeEach(async () => {
  await Promise.all([world.startIndexer(), world.startWorkers()]);
  customer = await subscribeUntilDue(world);
  await world.stopIndexer();
  await changePrice(world, customer, PART);
});

/** A context whose node's answers are changed before they arrive. */
async function contextWith(alter: Parameters<typeof alteredRpc>[1]): Promise<AppContext> {
  const { config } = world.chain;
  const rpcUrl = await alteredRpc(config.rpcUrl, alter);
  return { ...world.ctx, chain: { TEST: await createChain('TEST', { ...config, rpcUrl }) } };
}

const follow = (ctx = world.ctx) => followTransactions(ctx, 'TEST');

/** Sends the payment, and lets it land. */
async function sendAndLand(): Promise<void> {
  await collectDue(world.ctx, 'TEST');
  await world.until(
    'the transfer has landed',
    async () => (await world.tokensOf(customer.wallet.address)) === 99n * PRICE - PART,
  );
}

/** The signature of the payment is unknown to the node, and its blockhash expires. */
async function reportLost(): Promise<void> {
  const forgetful = await contextWith(({ method }: RpcCall, result: { value: unknown[] }) => {
    if (method === 'getSignatureStatuses') result.value = result.value.map(() => null);
  });
  await world.jump(60);
  await world.until('the transaction counts as lost', async () => {
    await follow(forgetful);
    return (await world.ctx.db.transferTransaction.count({ where: { status: 'SUBMITTED' } })) === 0;
  });
}

async function retry(ctx = world.ctx): Promise<void> {
  await world.ctx.db.subscription.updateMany({
    where: { address: customer.id },
    data: { nextAttemptAt: world.ctx.clock.now() },
  });
  await collectDue(ctx, 'TEST');
}

async function expectChargedOnce(): Promise<void> {
  await world.blocks(2);
  expect(await world.tokensOf(customer.wallet.address)).toBe(99n * PRICE - PART);
  expect(await world.books(customer.id)).toMatchObject([
    { status: 'SUCCEEDED', number: 1, amount: PRICE, paidAmount: PRICE },
    { status: 'SUCCEEDED', number: 2, amount: PART, paidAmount: PART },
  ]);
}

describe('a payment of less than half of the limit', () => {
  it('whose transaction is reported lost, but had landed, is not pulled again', async () => {
    await sendAndLand();
    await reportLost();
    await retry();
    await expectChargedOnce();
  });

  it('is not pulled from a node that does not show the first transfer yet', async () => {
    world.setFaults({ nodes: { stale: { lagSlots: 500 } } });
    await sendAndLand();
    await reportLost();
    const { config } = world.chain;
    const chain = { TEST: await createChain('TEST', { ...config, rpcUrl: `${config.rpcUrl}/stale` }) };
    await retry({ ...world.ctx, chain });
    await world.blocks(2);
    expect(await world.tokensOf(customer.wallet.address)).toBe(99n * PRICE - PART);
    world.setFaults({ nodes: { stale: { lagSlots: 0 } } });
    await retry();
    await expectChargedOnce();
  });

  it('is not pulled again at the end of its period, nor for it in the next one', async () => {
    await sendAndLand();
    await world.jump(DAY - 3 * 60);
    await reportLost();
    await retry();
    // A transaction that is sent now could land in the next period.
    expect((await world.books(customer.id)).map(({ status }) => status)).toEqual(['SUCCEEDED', 'DUE']);
    await world.jump(3 * 60);
    await retry();
    await world.startIndexer();
    await world.until('all three transfers are in the books', async () => {
      await follow();
      await collectDue(world.ctx, 'TEST');
      return (await world.books(customer.id)).filter(({ status }) => status === 'SUCCEEDED').length === 3;
    });
    await world.blocks(2);
    expect(await world.tokensOf(customer.wallet.address)).toBe(99n * PRICE - 2n * PART);
    expect((await world.books(customer.id)).map(({ paidAmount }) => paidAmount)).toEqual([PRICE, PART, PART]);
    const wrong = await checkRows(world.ctx, { environment: 'TEST', merchantId: world.scope.merchantId });
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it('is recorded beside what the merchant pulls just before it is sent', async () => {
    let isPulled = false;
    const ctx = await contextWith(async ({ method }: RpcCall) => {
      if (method !== 'simulateTransaction' || isPulled) return;
      isPulled = true;
      await pullAsMerchant(world, customer, 100_000n);
    });
    await collectDue(ctx, 'TEST');
    await world.startIndexer();
    await world.until('both transfers are in the books', async () => {
      await follow();
      return (await world.books(customer.id))[1]?.paidAmount === PART + 100_000n;
    });
    expect(await world.tokensOf(customer.wallet.address)).toBe(99n * PRICE - PART - 100_000n);
    expect((await world.books(customer.id))[1]).toMatchObject({
      amount: PART,
      lines: [{ kind: 'FLAT', amount: String(PART) }],
    });
    const attempts = await world.ctx.db.attempt.findMany({
      where: { payment: { subscription: { address: customer.id } } },
      orderBy: { createdAt: 'asc' },
    });
    expect(attempts.map(({ status }) => status)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
    const wrong = await checkRows(world.ctx, { environment: 'TEST', merchantId: world.scope.merchantId });
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });
});
