import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createChain } from '../../src/chain/create-chain.ts';
import type { Workers } from '../../src/jobs/worker.ts';
import { startWorker } from '../../workers/main.ts';
import { DAY, PRICE, type Subscriber, startWorld, type World } from './world.ts';

/** 20 seconds: a node that lags so far shows no transaction of a period during its collection. */
const LAG_SLOTS = 1_000;
const WELL = { lagSlots: 0, down: false };

let world: World;
let worker: Workers;
let customers: Subscriber[];
let paid: number;

beforeAll(async () => {
  world = await startWorld({ workers: false });
});
afterAll(() => world.close());

/**
 * A worker that prefers the node `first` and may use `second`, and customers that have paid once.
 */
beforeEach(async () => {
  const { config } = world.chain;
  const nodes = { rpcUrl: `${config.rpcUrl}/first`, moreRpcUrls: [`${config.rpcUrl}/second`] };
  const chain = await createChain('TEST', { ...config, ...nodes });
  worker = await startWorker({ ...world.ctx, chain: { TEST: chain } });
  const planId = await world.plan();
  customers = await Promise.all([0, 1, 2].map(() => world.subscriber(planId)));
  paid = 0;
  await everybodyPays();
});
afterEach(async () => {
  world.setFaults({ delayLandingSlots: 0, nodes: { first: WELL, second: WELL } });
  await worker.close();
});

/** Each customer has paid for one more period, once, and no failure was recorded. */
async function everybodyPays(): Promise<void> {
  paid += 1;
  await world.until('everybody has paid', async () => {
    const succeeded = await Promise.all(customers.map(async ({ id }) => (await succeededOf(id)).length));
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

async function succeededOf(id: string) {
  return (await world.books(id)).filter(({ status }) => status === 'SUCCEEDED');
}

/** The next period is due, and its transactions are sent and land later. */
async function inFlight(): Promise<void> {
  world.setFaults({ delayLandingSlots: 50 });
  await world.jump(DAY);
  await world.until('a transaction is in flight', async () => {
    return (await world.ctx.db.transferTransaction.count({ where: { status: 'SUBMITTED' } })) > 0;
  });
  world.setFaults({ delayLandingSlots: 0 });
}

describe('a worker with two nodes', () => {
  it('collects each period once while one fails and recovers, and then the other one fails', async () => {
    await inFlight();
    world.setFaults({ nodes: { first: { down: true } } });
    await everybodyPays();
    await world.jump(DAY);
    await everybodyPays();
    await inFlight();
    world.setFaults({ nodes: { first: { down: false }, second: { down: true } } });
    await everybodyPays();
    await world.jump(DAY);
    await everybodyPays();
  });

  it('collects each period once while the preferred one falls behind', async () => {
    await inFlight();
    world.setFaults({ nodes: { first: { lagSlots: LAG_SLOTS } } });
    await everybodyPays();
    for (let period = 0; period < 3; period++) {
      await world.jump(DAY);
      await everybodyPays();
    }
    world.setFaults({ nodes: { first: WELL } });
    await world.jump(DAY);
    await everybodyPays();
  });
});
