import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppContext } from '../../src/app.ts';
import type { Chain } from '../../src/chain/chain.ts';
import { createChain } from '../../src/chain/create-chain.ts';
import { readSlot } from '../../src/chain/rpc/read-slot.ts';
import { claimDue } from '../../src/domain/billing/collect/claim-due.ts';
import { collectClaimed } from '../../src/domain/billing/collect/collect-claimed.ts';
import { clockAgrees } from '../../src/domain/chain-state/clock/clock-agrees.ts';
import { knownSlot } from '../../src/domain/chain-state/mirror/known-slot.ts';
import { completeCheckout } from '../../src/domain/checkout/completion/complete-checkout.ts';
import type { Workers } from '../../src/jobs/worker.ts';
import { startWorker } from '../../workers/main.ts';
import { DAY, PRICE, type Subscriber, startWorld } from '../scenarios/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

/** A node that lags so far shows nothing new during a test. */
const LAG_SLOTS = 1_000_000;
const HEALTHY = { lagSlots: 0, down: false };

let twoNodes: AppContext & { chain: { TEST: Chain } };
let worker: Workers;
let customers: Subscriber[];
let paid: number;

const world = await sharedByFile(startWorld({ workers: false }));

/**
 * A worker that prefers the node `first` and may use `second`, and customers that have paid once.
 */
beforeEach(async () => {
  const { config } = world.chain;
  const nodes = { rpcUrl: `${config.rpcUrl}/first`, moreRpcUrls: [`${config.rpcUrl}/second`] };
  twoNodes = { ...world.ctx, chain: { TEST: await createChain('TEST', { ...config, ...nodes }) } };
  worker = await startWorker(twoNodes);
  const planId = await world.plan();
  customers = await Promise.all([0, 1, 2].map(() => world.subscriber(planId)));
  paid = 0;
  await expectEverybodyPays();
});
afterEach(async () => {
  world.setFaults({ delayLandingSlots: 0, nodes: { first: HEALTHY, second: HEALTHY } });
  await worker.close();
});

/** Waits until each customer has paid for one more period, once, and no failure is recorded. */
async function expectEverybodyPays(): Promise<void> {
  paid += 1;
  await world.until('everybody has paid', async () => {
    const succeeded = await Promise.all(customers.map(async ({ id }) => (await readSucceeded(id)).length));
    return succeeded.every((count) => count >= paid);
  });
  for (const customer of customers) {
    expect(await world.tokensOf(customer.wallet.address)).toBe((100n - BigInt(paid)) * PRICE);
    expect(await world.books(customer.id)).toHaveLength(paid);
    expect(await customer.state()).toEqual({ state: 'active', failureCount: 0 });
  }
  const { db } = world.ctx;
  expect(await db.attempt.count({ where: { status: 'FAILED' } })).toBe(0);
  await world.until('nothing is in flight', async () => {
    return (await db.transferTransaction.count({ where: { status: 'SUBMITTED' } })) === 0;
  });
}

async function readSucceeded(id: string) {
  return (await world.books(id)).filter(({ status }) => status === 'SUCCEEDED');
}

/** Moves to the next period, and returns when a transaction is in flight, which lands later. */
async function sendNextPayments(): Promise<void> {
  world.setFaults({ delayLandingSlots: 50 });
  await world.jump(DAY);
  await world.until('a transaction is in flight', async () => {
    return (await world.ctx.db.transferTransaction.count({ where: { status: 'SUBMITTED' } })) > 0;
  });
  world.setFaults({ delayLandingSlots: 0 });
}

describe('a worker with two nodes', () => {
  it('collects each period once while one fails, and then the other one', async () => {
    await sendNextPayments();
    world.setFaults({ nodes: { first: { down: true } } });
    await expectEverybodyPays();
    await world.jump(DAY);
    await expectEverybodyPays();
    await sendNextPayments();
    world.setFaults({ nodes: { first: { down: false }, second: { down: true } } });
    await expectEverybodyPays();
    await world.jump(DAY);
    await expectEverybodyPays();
  });

  it('collects each period once while the preferred one falls behind', async () => {
    await sendNextPayments();
    world.setFaults({ nodes: { first: { lagSlots: LAG_SLOTS } } });
    await expectEverybodyPays();
    for (let period = 0; period < 3; period++) {
      await world.jump(DAY);
      await expectEverybodyPays();
    }
    world.setFaults({ nodes: { first: HEALTHY } });
    await world.jump(DAY);
    await expectEverybodyPays();
  });

  it('compares its clock with a current node, although the preferred one has stopped', async () => {
    world.setFaults({ nodes: { first: { lagSlots: LAG_SLOTS } } });
    await world.jump(DAY);
    await world.mirrored();
    expect(await clockAgrees(twoNodes, twoNodes.chain.TEST)).toBe(true);
    await expectEverybodyPays();
  });

  it('does not compare its clock with a node that has stopped', async () => {
    await worker.close();
    world.setFaults({ nodes: { first: { lagSlots: LAG_SLOTS } } });
    await world.jump(DAY);
    await world.mirrored();
    world.setFaults({ nodes: { second: { down: true } } });
    for (let call = 0; call < 3; call++) {
      await expect(clockAgrees(twoNodes, twoNodes.chain.TEST)).rejects.toBeInstanceOf(Error);
    }
  });

  it('retries a payment soon if the node that it reads stopped before a jump of time', async () => {
    await worker.close();
    await world.stopIndexer();
    world.setFaults({ nodes: { first: { lagSlots: LAG_SLOTS } } });
    await world.jump(DAY);
    const claim = await claimDue(twoNodes, 'TEST', customers.length);
    expect(claim.subscriptionIds).toHaveLength(customers.length);
    await collectClaimed(twoNodes, twoNodes.chain.TEST, claim);
    const inOneMinute = new Date(twoNodes.clock.now().getTime() + 60_000);
    const retriedSoon = { id: { in: [...claim.subscriptionIds] }, nextAttemptAt: { lt: inOneMinute } };
    expect(await world.ctx.db.subscription.count({ where: retriedSoon })).toBe(customers.length);
    await world.startIndexer();
    worker = await startWorker(twoNodes);
    await expectEverybodyPays();
  });

  it('completes a checkout, although the preferred one has stopped', async () => {
    const { sessionId, subscriber, approve } = await world.checkout(await world.plan());
    const near = 32n;
    world.setFaults({ nodes: { first: { lagSlots: LAG_SLOTS } } });
    const stoppedAt = await readSlot({ rpc: twoNodes.chain.TEST.rpc, minSlot: 0n });
    await world.until('the stopped node is far behind', async () => {
      return (await knownSlot(twoNodes, 'TEST')) > stoppedAt + near;
    });
    // The indexer would complete the session itself.
    await world.stopIndexer();
    const signature = await approve();
    const signed = { subscriptionPda: subscriber.id, userWallet: subscriber.wallet.address, signature };
    expect(await completeCheckout(twoNodes, sessionId, signed)).toMatchObject({ status: 'COMPLETED' });
    await world.startIndexer();
  });
});
