import { address } from '@solana/kit';
import { afterEach, describe, expect, it } from 'vitest';
import { USDC_MINT } from '../../localnet/genesis.ts';
import type { AppContext } from '../../src/app.ts';
import { authorityAddress } from '../../src/chain/accounts/addresses.ts';
import { createChain } from '../../src/chain/create-chain.ts';
import { NodeBehind } from '../../src/chain/rpc/as-of.ts';
import { readSlot } from '../../src/chain/rpc/read-slot.ts';
import { sendWire } from '../../src/chain/rpc/send.ts';
import { collectDue } from '../../src/domain/billing/collect/collect-due.ts';
import { followTransactions } from '../../src/domain/billing/follow/follow-transactions.ts';
import { observeAuthorityClosed } from '../../src/domain/billing/lifecycle/observe-authorities-closed.ts';
import { knownSlot } from '../../src/domain/chain-state/mirror/known-slot.ts';
import { completeCheckout } from '../../src/domain/checkout/completion/complete-checkout.ts';
import { observeSubscription } from '../../src/domain/checkout/completion/observe-subscriptions.ts';
import { NotSeenYet } from '../../src/domain/checkout/proof/not-seen-yet.ts';
import { chainOf } from '../../src/domain/kernel/access/chain-of.ts';
import { counterRegistry } from '../../src/observability/metrics/counters.ts';
import { alteredRpc, type RpcCall } from '../chain/altered-rpc.ts';
import { callRpc } from '../support/json-rpc.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { DAY, PRICE, type Subscriber, startWorld } from './world.ts';

/** Ten seconds: the lagging node shows nothing of a test before the test ends. */
const LAG_SLOTS = 500;
const ACTIVE = { state: 'active', failureCount: 0 };

const world = await sharedByFile(startWorld({ workers: false }));
afterEach(() => catchUp());

const lag = () => world.setFaults({ nodes: { stale: { lagSlots: LAG_SLOTS } } });
const catchUp = () => world.setFaults({ nodes: { stale: { lagSlots: 0 } } });

/** The context with another RPC URL. */
async function contextWithRpc(rpcUrl: string): Promise<AppContext> {
  return { ...world.ctx, chain: { TEST: await createChain('TEST', { ...world.chain.config, rpcUrl }) } };
}

/** A context that sends every call to the lagging node. */
const contextBehind = () => contextWithRpc(`${world.chain.config.rpcUrl}/stale`);

/**
 * A context that sends only one method to the lagging node, as a load balancer does. `deaf`: the
 * balancer drops the minimum slot and reports it as the slot of the answer. `about`: sends only the
 * calls that contain this text.
 */
async function contextPartlyBehind(
  laggingMethod: string,
  { deaf = false, about = '' } = {},
): Promise<AppContext> {
  const url = world.chain.config.rpcUrl;
  const rpcUrl = await alteredRpc(url, async ({ method, params }: RpcCall, _, answer) => {
    if (method !== laggingMethod || !JSON.stringify(params).includes(about)) return;
    const [first, config] = params;
    const { minContextSlot, ...rest } = config as { minContextSlot?: number };
    const sentParams = deaf ? [first, rest] : params;
    const oldAnswer = await callRpc<{ context: { slot: number } }>(`${url}/stale`, method, sentParams);
    if (deaf && oldAnswer.result && minContextSlot) oldAnswer.result.context.slot = minContextSlot;
    Object.assign(answer, { result: undefined, error: undefined }, oldAnswer);
  });
  return contextWithRpc(rpcUrl);
}

/** Collects, and follows the transactions until they are settled. */
async function collect(ctx = world.ctx): Promise<void> {
  await collectDue(ctx, 'TEST');
  await world.until('nothing is in flight', async () => {
    await followTransactions(world.ctx, 'TEST');
    return (await world.ctx.db.transferTransaction.count({ where: { status: 'SUBMITTED' } })) === 0;
  });
}

/** Subscribes a customer, and waits until the first period is paid. */
async function subscribeAndPay(): Promise<Subscriber> {
  const customer = await world.subscriber(await world.plan());
  await world.until('the first period is paid', async () => {
    await collect();
    return (await world.books(customer.id))[0]?.status === 'SUCCEEDED';
  });
  return customer;
}

/** Waits until every node except the lagging one sees the wallet's balance. */
async function setBalance(customer: Subscriber, amount: bigint): Promise<void> {
  await customer.setBalance(amount);
  await world.blocks(2);
}

/** Lets the lagging node catch up, and expects that the delayed payment is collected. */
async function expectPaidOnceCaughtUp(
  customer: Subscriber,
  ctx: AppContext,
  payments: number,
): Promise<void> {
  catchUp();
  await world.until('the period is paid', async () => {
    await world.jump(40);
    await collect(ctx);
    const books = await world.books(customer.id);
    return books.length === payments && books.every(({ status }) => status === 'SUCCEEDED');
  });
  expect(await customer.state()).toEqual(ACTIVE);
}

async function countFailures({ id }: Subscriber): Promise<number> {
  return world.ctx.db.attempt.count({
    where: { status: 'FAILED', payment: { subscription: { address: id } } },
  });
}

describe('a node that lags', () => {
  it('does not expire a customer who has topped up', async () => {
    const customer = await subscribeAndPay();
    await setBalance(customer, 0n);
    await world.jump(DAY);
    await collect();
    await world.jump(62);
    await collect();
    expect(await customer.state()).toEqual({ state: 'past_due', failureCount: 2 });
    const stale = await contextBehind();
    lag();
    await setBalance(customer, 10n * PRICE);
    await world.until('the top-up is seen', async () => {
      const due = { address: customer.id, nextAttemptAt: { lte: world.ctx.clock.now() } };
      return (await world.ctx.db.subscription.count({ where: due })) === 1;
    });
    await collect(stale);
    expect(await countFailures(customer)).toBe(2);
    await expectPaidOnceCaughtUp(customer, stale, 2);
  });

  it('does not report a missing approval for a first charge', async () => {
    const { subscriber: customer, approve, complete } = await world.checkout(await world.plan());
    // The authority is read after the accounts that name it, and possibly from another node.
    const about = await authorityAddress(customer.wallet.address, USDC_MINT);
    const stale = await contextPartlyBehind('getMultipleAccounts', { about });
    lag();
    await complete(await approve());
    await collect(stale);
    expect(await customer.state()).toEqual(ACTIVE);
    expect(await countFailures(customer)).toBe(0);
    await expectPaidOnceCaughtUp(customer, stale, 1);
  });

  it.each([{ deaf: false }, { deaf: true }])(
    'fails no payer after an outdated simulation (minimum slot ignored: $deaf)',
    async (balancer) => {
      const customer = await subscribeAndPay();
      await setBalance(customer, 0n);
      await world.jump(DAY);
      const stale = await contextPartlyBehind('simulateTransaction', balancer);
      lag();
      await setBalance(customer, 10n * PRICE);
      await collect(stale);
      expect(await customer.state()).toEqual(ACTIVE);
      expect(await countFailures(customer)).toBe(0);
      await expectPaidOnceCaughtUp(customer, stale, 2);
    },
  );

  it('does not delay a payment by as much as its time is behind', async () => {
    const customer = await subscribeAndPay();
    const HALF_AN_HOUR = 1_800;
    await world.jump(DAY - HALF_AN_HOUR);
    await world.blocks(50);
    const stale = await contextBehind();
    lag();
    await world.jump(HALF_AN_HOUR);
    await world.mirrored();
    await collectDue(stale, 'TEST');
    const { nextAttemptAt } = await world.ctx.db.subscription.findFirstOrThrow({
      where: { address: customer.id },
    });
    const delayMs = Number(nextAttemptAt) - world.ctx.clock.now().getTime();
    expect(delayMs).toBeLessThanOrEqual(5_000);
    await expectPaidOnceCaughtUp(customer, stale, 2);
  });

  describe('does not end what was created after a close which is observed late', () => {
    /** A subscription that the lagging node does not show, and a close that this node shows. */
    async function subscribeAfterClose() {
      const planId = await world.plan();
      const stale = await contextBehind();
      lag();
      const slot = await readSlot({ rpc: chainOf(stale, 'TEST').rpc, minSlot: 0n });
      const subscriber = await world.subscriber(planId);
      return { stale, slot, planId, subscriber };
    }

    it('of the authority', async () => {
      const { stale, slot, planId, subscriber } = await subscribeAfterClose();
      const { mint } = await world.ctx.db.plan.findFirstOrThrow({ where: { planId } });
      const user = subscriber.wallet.address;
      const closed = { address: await authorityAddress(user, address(mint)), user, slot };
      await expect(observeAuthorityClosed(stale, 'TEST', closed)).rejects.toThrow(NodeBehind);
      expect(await subscriber.state()).toEqual(ACTIVE);
      catchUp();
      await observeAuthorityClosed(stale, 'TEST', closed);
      expect(await subscriber.state()).toEqual(ACTIVE);
    });

    it('of the subscription account', async () => {
      const { stale, slot, subscriber } = await subscribeAfterClose();
      const key = { environment_address: { environment: 'TEST', address: subscriber.id } } as const;
      // The indexer of this process has not seen the new account yet.
      await world.stopIndexer();
      await world.ctx.db.chainAccount.update({ where: key, data: { slot, closed: true } });
      const observe = () => observeSubscription(stale, 'TEST', address(subscriber.id), null, slot);
      await expect(observe()).rejects.toThrow(NodeBehind);
      expect(await subscriber.state()).toEqual(ACTIVE);
      catchUp();
      await observe();
      expect(await subscriber.state()).toEqual(ACTIVE);
      await world.startIndexer();
    });
  });

  it.each([{ deaf: false }, { deaf: true }])(
    'lets a customer who has just signed retry, %o',
    async ({ deaf }) => {
      const { sessionId, subscriber, approve } = await world.checkout(await world.plan());
      await world.stopIndexer();
      const stale = await contextPartlyBehind('getMultipleAccounts', { deaf });
      lag();
      const signature = await approve();
      const signed = { subscriptionPda: subscriber.id, userWallet: subscriber.wallet.address, signature };
      await expect(completeCheckout(stale, sessionId, signed)).rejects.toThrow(NotSeenYet);
      catchUp();
      expect(await completeCheckout(stale, sessionId, signed)).toMatchObject({ status: 'COMPLETED' });
      await world.startIndexer();
    },
  );
});

it('a failure on chain does not count for a payer who has the money again', async () => {
  const customer = await subscribeAndPay();
  world.setFaults({ dropTransactions: 1 });
  await world.jump(DAY);
  await collectDue(world.ctx, 'TEST');
  await setBalance(customer, 0n);
  await world.jump(2);
  // The resent transaction lands and fails.
  await followTransactions(world.ctx, 'TEST');
  await world.blocks(3);
  await setBalance(customer, 10n * PRICE);
  await collect();
  expect(await customer.state()).toEqual(ACTIVE);
  expect(await countFailures(customer)).toBe(0);
  await expectPaidOnceCaughtUp(customer, world.ctx, 2);
});

it('later failures on chain count although the payer has the money again', async () => {
  // Other due payments would share the transaction.
  await world.ctx.db.subscription.updateMany({ data: { status: 'EXPIRED', nextAttemptAt: null } });
  const customer = await subscribeAndPay();
  await world.jump(DAY);
  const openTransaction = {
    status: 'SUBMITTED',
    attempts: { some: { payment: { subscription: { address: customer.id } } } },
  } as const;
  const failOnChain = async () => {
    world.setFaults({ dropTransactions: 1 });
    await world.until('the payment is sent', async () => {
      // Again, if the node's clock has not passed the due date yet.
      await collectDue(world.ctx, 'TEST');
      return (await world.ctx.db.transferTransaction.count({ where: openTransaction })) === 1;
    });
    await setBalance(customer, 0n);
    // The resent transaction lands and fails.
    const { wire } = await world.ctx.db.transferTransaction.findFirstOrThrow({ where: openTransaction });
    await sendWire(world.chain, wire);
    await world.blocks(3);
    await setBalance(customer, 10n * PRICE);
    await world.until('nothing is in flight', async () => {
      await followTransactions(world.ctx, 'TEST');
      return (await world.ctx.db.transferTransaction.count({ where: openTransaction })) === 0;
    });
  };
  await failOnChain();
  expect(await customer.state()).toEqual(ACTIVE);
  const failed = { ...openTransaction, status: 'FAILED' } as const;
  expect(await world.ctx.db.transferTransaction.count({ where: failed })).toBe(1);
  await world.jump(40);
  await failOnChain();
  expect(await customer.state()).toEqual({ state: 'past_due', failureCount: 1 });
  await world.jump(62);
  await failOnChain();
  expect(await customer.state()).toEqual({ state: 'past_due', failureCount: 2 });
  await world.jump(302);
  await collect();
  expect(await customer.state()).toEqual(ACTIVE);
});

describe('when every node is behind', () => {
  const lagAll = (lagSlots: number) => world.setFaults({ nodes: { '*': { lagSlots } } });
  afterEach(() => lagAll(0));

  async function fallBehind(lagSlots: number): Promise<void> {
    lagAll(lagSlots);
    await world.until('the known slot is ahead of the node', async () => {
      const node = await world.rpc<number>('getSlot', [{ commitment: 'confirmed' }]);
      return (await knownSlot(world.ctx, 'TEST')) > BigInt(node);
    });
  }

  it('collects from payers who have the money, and counts no failure', async () => {
    const [able, broke] = [await subscribeAndPay(), await subscribeAndPay()];
    await setBalance(broke, 0n);
    await world.jump(DAY);
    await world.blocks(200);
    await fallBehind(LAG_SLOTS);
    await world.until('the payment is collected', async () => {
      // Again, if the blockhash expires before the transaction is sent.
      await collectDue(world.ctx, 'TEST');
      await followTransactions(world.ctx, 'TEST');
      return (await world.books(able.id))[1]?.status === 'SUCCEEDED';
    });
    expect(await able.state()).toEqual(ACTIVE);
    expect(await broke.state()).toEqual(ACTIVE);
    expect(await countFailures(broke)).toBe(0);
    expect(await counterRegistry.metrics()).toMatch(/dues_node_behind_total\{environment="TEST"\} [1-9]/);
    lagAll(0);
    await world.jump(40);
    await collect();
    expect(await broke.state()).toEqual({ state: 'past_due', failureCount: 1 });
  });

  it('answers a checkout, or a change of a subscription, with a request to retry', async () => {
    const customer = await subscribeAndPay();
    const { sessionId, subscriber } = await world.checkout(await world.plan());
    await fallBehind(500);
    const later = { code: 'invalid_request', message: expect.stringContaining('try again in a moment') };
    const post = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${world.apiUrl}${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      return { status: response.status, answer: await response.json() };
    };
    expect(
      await post(`/api/checkout/${sessionId}/transaction`, { userWallet: subscriber.wallet.address }),
    ).toMatchObject({ status: 400, answer: { error: { ...later, param: 'userWallet' } } });
    for (const action of ['cancel', 'repair_approval']) {
      expect(await post(`/api/subscriptions/${customer.id}/transaction`, { action })).toMatchObject({
        status: 400,
        answer: { error: { ...later, param: 'action' } },
      });
    }
  });
});
