import type { Address, ReadonlyUint8Array } from '@solana/kit';
import bs58 from 'bs58';
import { describe, expect, it } from 'vitest';
import { startIndexer } from '../../indexer/main.ts';
import { USDC_MINT } from '../../localnet/genesis.ts';
import type { AppContext } from '../../src/app.ts';
import { readAccounts } from '../../src/chain/accounts/read-accounts.ts';
import type { Chain } from '../../src/chain/chain.ts';
import { createChain } from '../../src/chain/create-chain.ts';
import { collectDue } from '../../src/domain/billing/collect/collect-due.ts';
import { followTransactions } from '../../src/domain/billing/follow/follow-transactions.ts';
import { transactionsToSign } from '../../src/domain/checkout/signing/transactions-to-sign.ts';
import { readStreamLag } from '../../src/operations/stream-lag.ts';
import { alteredRpc, type RpcCall } from '../chain/altered-rpc.ts';
import { DAY, PRICE, type Subscriber, startWorld } from '../scenarios/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

let broken: Subscriber;
let sound: Subscriber[];
const world = await sharedByFile(startWorld());

/**
 * Subscribes three customers to one plan, and waits until they have paid the first period. Their
 * next payments are due together. The tests break the subscription of the first one.
 */
async function subscribeThree(): Promise<void> {
  const planId = await world.plan();
  const customers = await Promise.all([0, 1, 2].map(() => world.subscriber(planId)));
  const [first, ...others] = customers as [Subscriber, ...Subscriber[]];
  [broken, sound] = [first, others];
  await world.quiet();
  world.logged.length = 0;
}

const readRow = ({ id: address }: Subscriber) =>
  world.ctx.db.subscription.findFirstOrThrow({ where: { address } });

/**
 * Makes the database refuse the next event of the broken subscription. Returns a function that
 * repairs it.
 */
async function takeNextEventSequence(): Promise<() => Promise<unknown>> {
  const { id: subscriptionId, merchantId, environment, lastSequence } = await readRow(broken);
  const taken = { subscriptionId, sequence: lastSequence + 1, type: 'subscription.created', data: {} };
  const { id } = await world.ctx.db.event.create({
    data: { ...taken, merchantId, environment, createdAt: world.ctx.clock.now(), relayedAt: new Date(0) },
  });
  return () => world.ctx.db.event.delete({ where: { id } });
}

async function expectOthersPaid(): Promise<void> {
  for (const { id, wallet } of sound) {
    await world.until('the webhooks of the others have arrived', () => world.receivedEvents(id).length === 3);
    expect(world.receivedEvents(id)).toEqual(['created', 'payment_succeeded', 'payment_succeeded']);
    expect(await world.tokensOf(wallet.address)).toBe(98n * PRICE);
  }
}

const lagOf = (chain: Chain) => readStreamLag(world.ctx, chain);

describe('a transaction with an event that cannot be read', () => {
  it('is reported and set aside, delays no others, and is settled once it can be read', async () => {
    await subscribeThree();
    await world.stopWorkers();
    await world.stopIndexer();
    let unreadable: string | undefined;
    const rpcUrl = await alteredRpc(world.chain.config.rpcUrl, ({ method, params }, transaction) => {
      if (method === 'getTransaction' && params[0] === unreadable) truncateEvents(transaction);
    });
    // Only this node reports the transaction.
    const chain = await createChain('TEST', {
      ...world.chain.config,
      rpcUrl,
      yellowstoneUrl: undefined,
      maxPullsPerTransaction: 1,
    });
    const ctx: AppContext = { ...world.ctx, chain: { TEST: chain } };
    await world.jump(DAY);
    await collectDue(ctx, 'TEST');
    const attempt = await ctx.db.attempt.findFirstOrThrow({
      where: { payment: { subscription: { address: broken.id } }, status: 'SUBMITTED' },
      include: { transaction: true },
    });
    unreadable = attempt.transaction?.signature;
    await world.until('the others are settled', async () => {
      await followTransactions(ctx, 'TEST');
      return (await ctx.db.transferTransaction.count({ where: { status: 'SUBMITTED' } })) === 1;
    });
    const logLine = { msg: 'transaction not settled: will be retried', signature: unreadable };
    expect(world.logged).toContainEqual(expect.objectContaining(logLine));
    expect(await readRow(broken)).toMatchObject({ status: 'ACTIVE', failureCount: 0 });

    const indexer = await startIndexer(ctx, ['TEST'], { pollMs: 100, retryUnappliedMs: 200 });
    await world.until('the update is set aside', async () => (await lagOf(chain)).unapplied === 1);
    expect(await ctx.db.unappliedUpdate.findMany()).toMatchObject([
      { kind: 'transaction', resolvedAt: null, payload: { signature: unreadable } },
    ]);
    unreadable = undefined;
    await world.until('the update is applied', async () => (await lagOf(chain)).unapplied === 0);
    await indexer.close();
    await world.startWorkers();
    await world.startIndexer();
    await world.quiet();
    await expectOthersPaid();
    expect(world.receivedEvents(broken.id)).toEqual(['created', 'payment_succeeded', 'payment_succeeded']);
    expect(await world.tokensOf(broken.wallet.address)).toBe(98n * PRICE);
  });
});

/** Truncates every event, as a release of the program with fewer fields would write it. */
function truncateEvents(transaction: {
  meta: { innerInstructions: { instructions: { data: string }[] }[] };
}) {
  for (const { instructions } of transaction.meta.innerInstructions) {
    for (const instruction of instructions) {
      const data = bs58.decode(instruction.data);
      if (data[0] === EVENT_TAG) instruction.data = bs58.encode(data.slice(0, 40));
    }
  }
}
const EVENT_TAG = 0xe4;

/** A context whose only node sends the altered responses. */
async function withAlteredNode(alter: Parameters<typeof alteredRpc>[1]): Promise<AppContext> {
  const rpcUrl = await alteredRpc(world.chain.config.rpcUrl, alter);
  const chain = await createChain('TEST', { ...world.chain.config, rpcUrl });
  return { ...world.ctx, chain: { TEST: chain } };
}

/** Large responses never arrive. */
function neverSendLarge(_: RpcCall, result: unknown): Promise<void> | undefined {
  return JSON.stringify(result ?? null).length > 1_000_000 ? new Promise(() => undefined) : undefined;
}

describe('a checkout', () => {
  it('refuses an account of ten megabytes as the wallet without reading it', async () => {
    const { sessionId } = await world.checkout(await world.plan());
    const { mint: large } = await world.newAsset(new Uint8Array(10_000_000));
    const ctx = await withAlteredNode(neverSendLarge);
    await expect(transactionsToSign(ctx, sessionId, { userWallet: large })).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'userWallet',
    });
  });
});

describe('a claim with an account that a stranger chose', () => {
  it('of ten megabytes fails the payer who approved it, and the others are collected', async () => {
    await subscribeThree();
    await world.stopWorkers();
    const { mint: large } = await world.newAsset(new Uint8Array(10_000_000));
    await world.rpc('surfnet_setTokenAccount', [broken.wallet.address, USDC_MINT, { delegate: large }]);
    const ctx = await withAlteredNode(neverSendLarge);
    await world.jump(DAY);
    await collectDue(ctx, 'TEST');
    await world.startWorkers();
    await expectOthersPaid();
    await world.until('the failure is counted', async () => (await broken.state()).failureCount === 1);
    const attempts = await ctx.db.attempt.findMany({
      where: { payment: { subscription: { address: broken.id } }, status: 'FAILED' },
    });
    expect(attempts).toMatchObject([{ failureCode: 'APPROVAL_REVOKED' }]);
  });

  it('that no node can read delays its own payment only', async () => {
    await subscribeThree();
    await world.stopWorkers();
    const { tokenAccount } = await readRow(broken);
    const ctx = await withAlteredNode(({ method, params }, _, rpcResponse) => {
      const addresses = params[0] as readonly string[];
      if (method !== 'getMultipleAccounts' || !addresses.includes(tokenAccount)) return;
      Object.assign(rpcResponse, { result: undefined, error: { code: -32_603, message: 'Internal error' } });
    });
    await world.jump(DAY);
    await collectDue(ctx, 'TEST');
    const { nextAttemptAt, failureCount } = await readRow(broken);
    expect(nextAttemptAt?.getTime()).toBeGreaterThan(world.ctx.clock.now().getTime());
    expect(failureCount).toBe(0);
    const logLine = { msg: 'accounts of a payment not read: it will be retried', subscription: broken.id };
    expect(world.logged).toContainEqual(expect.objectContaining(logLine));
    await world.startWorkers();
    await expectOthersPaid();
    await world.travel(61);
    expect(await world.tokensOf(broken.wallet.address)).toBe(98n * PRICE);
  });

  it('that is read while every node fails makes the payments due one after another', async () => {
    await subscribeThree();
    await world.stopWorkers();
    let isDown = false;
    const ctx = await withAlteredNode(({ method }, _, rpcResponse) => {
      isDown ||= method === 'getMultipleAccounts';
      if (!isDown) return;
      Object.assign(rpcResponse, { result: undefined, error: { code: -32_603, message: 'Internal error' } });
    });
    await world.jump(DAY);
    await collectDue(ctx, 'TEST');
    const rows = await Promise.all([broken, ...sound].map(readRow));
    const times = rows.map(({ nextAttemptAt }) => nextAttemptAt?.getTime());
    expect(new Set(times).size).toBe(3);
    await world.startWorkers();
    await expectOthersPaid();
  });
});

describe('a subscription with invalid data', () => {
  it('is reported and skipped, and others that are due are collected', async () => {
    await subscribeThree();
    const { id, nextPaymentAt } = await readRow(broken);
    const wrongDate = new Date(nextPaymentAt.getTime() + 1000);
    await world.ctx.db.subscription.update({ where: { id }, data: { nextPaymentAt: wrongDate } });
    await world.jump(DAY + 1);
    await expectOthersPaid();
    const logLine = world.logged.find(({ msg }) => msg.includes('cannot be decided'));
    expect(logLine).toMatchObject({ subscription: id });
    expect(await world.tokensOf(broken.wallet.address)).toBe(99n * PRICE);
    await world.ctx.db.subscription.update({ where: { id }, data: { nextPaymentAt } });
    await world.travel(61);
    expect(await world.tokensOf(broken.wallet.address)).toBe(98n * PRICE);
  });

  it('that the database refuses to settle delays no others', async () => {
    await subscribeThree();
    const repair = await takeNextEventSequence();
    await world.jump(DAY);
    await expectOthersPaid();
    const countFailures = () =>
      world.logged.filter(({ msg }) => msg === 'transaction not settled: will be retried').length;
    await world.until('a failure is logged', () => countFailures() > 0);
    // Retries are spaced.
    const before = countFailures();
    await world.blocks(100);
    expect(countFailures() - before).toBeLessThan(20);
    await repair();
    await world.quiet();
    expect(world.receivedEvents(broken.id)).toEqual(['created', 'payment_succeeded', 'payment_succeeded']);
    expect(await world.tokensOf(broken.wallet.address)).toBe(98n * PRICE);
  });

  it('whose plan has ended and whose cancellation is refused delays no others', async () => {
    broken = await world.subscriber(await world.plan());
    const planId = await world.plan();
    sound = await Promise.all([0, 1].map(() => world.subscriber(planId)));
    await world.quiet();
    await world.stopWorkers();
    const repair = await takeNextEventSequence();
    const closedAccount = { lamports: 0, data: '', owner: '11111111111111111111111111111111' };
    await world.rpc('surfnet_setAccount', [broken.plan, closedAccount]);
    await world.ctx.db.plan.updateMany({ where: { address: broken.plan }, data: { status: 'INACTIVE' } });
    world.logged.length = 0;
    await world.jump(DAY);
    // One claim takes all three.
    await collectDue(world.ctx, 'TEST');
    await world.startWorkers();
    await expectOthersPaid();
    const logLine = world.logged.find(({ msg }) => msg.startsWith('subscription of an ended plan'));
    expect(logLine).toMatchObject({ subscription: broken.id });
    await repair();
    await world.travel(61);
    expect(world.receivedEvents(broken.id)).toEqual(['created', 'payment_succeeded', 'cancelled']);
  });

  it('whose payer cannot be read is set aside with an alert', async () => {
    await subscribeThree();
    const { tokenAccount } = await readRow(broken);
    const [account] = await readAccounts(world.chain, [tokenAccount as Address], 'extensions');
    if (!account) throw new Error('no token account');
    const writeAccount = (data: ReadonlyUint8Array) =>
      world.rpc('surfnet_setAccount', [tokenAccount, { data: Buffer.from(data).toString('hex') }]);
    await writeAccount(account.data.slice(0, 100));
    await world.jump(DAY);
    await expectOthersPaid();
    const logLine = world.logged.filter(({ msg }) => msg.startsWith('payer unreadable'));
    expect(logLine).toMatchObject([{ subscription: broken.id }]);
    expect(await broken.state()).toEqual({ state: 'active', failureCount: 0 });
    await writeAccount(account.data);
    await world.travel(10 * 60 + 1);
    expect(world.receivedEvents(broken.id)).toEqual(['created', 'payment_succeeded', 'payment_succeeded']);
  });
});
