import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectDue } from '../../src/domain/payment/collect-due.ts';
import { startWorker } from '../../workers/main.ts';
import { DAY, HOUR, PRICE, startWorld, type World } from './world.ts';

const YEAR = 365 * DAY;
const FAR_APART = 'our clock and the cluster’s are far apart: nothing is collected until they agree';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

/** Runs a worker by a clock that is so far from the chain's, until it has told of that twice. */
async function workWithClock(offSeconds: number): Promise<void> {
  const clock = { now: () => new Date(world.ctx.clock.now().getTime() + offSeconds * 1000) };
  const worker = await startWorker({ ...world.ctx, clock });
  await world.until('somebody is told', () => told(offSeconds).length > 1);
  await worker.close();
}

const told = (offSeconds: number) =>
  world.logged.filter(
    (line) =>
      line.msg === FAR_APART &&
      Math.abs((line as unknown as { aheadSeconds: number }).aheadSeconds - offSeconds) < 60,
  );

describe.each([
  ['three years ahead', 3 * YEAR],
  ['a day ahead', DAY],
  ['three years behind', -3 * YEAR],
])('a worker whose clock jumps to %s', (_, offSeconds) => {
  it('decides nothing by it and says so; when it is back the payment is collected, once', async () => {
    const customer = await world.renewing();
    await world.stopWorkers();
    await world.jump(DAY);
    await workWithClock(offSeconds);
    expect(await world.books(customer.id)).toMatchObject([{ status: 'SUCCEEDED', number: 1 }]);
    expect(await customer.state()).toEqual({ state: 'active', failureCount: 0 });
    await world.startWorkers();
    await world.until('it is collected', () => world.told(customer.id).length === 3);
    await world.quiet();
    expect(world.told(customer.id)).toEqual(['created', 'payment_succeeded', 'payment_succeeded']);
    expect(await world.tokensOf(customer.wallet.address)).toBe(98n * PRICE);
  });

  it('puts off nothing that was on its way: what is void then is due again when it is back', async () => {
    const customer = await world.renewing();
    await world.stopWorkers();
    world.setFaults({ dropTransactions: 1 });
    await world.jump(DAY);
    await collectDue(world.ctx, 'TEST');
    const [open] = await world.ctx.db.transferTransaction.findMany({ where: { status: 'SUBMITTED' } });
    await world.until('its blockhash has died', async () => {
      const height = await world.rpc<number>('getBlockHeight', [{ commitment: 'finalized' }]);
      return BigInt(height) > (open?.lastValidBlockHeight ?? 0n);
    });
    await workWithClock(offSeconds);
    await world.startWorkers();
    await world.until('it is collected', () => world.told(customer.id).length === 3);
    await world.quiet();
    expect(await world.tokensOf(customer.wallet.address)).toBe(98n * PRICE);
  });
});

describe('a chain whose time is behind our clock', () => {
  it('by less than an hour has its payments collected once its own period has begun', async () => {
    const customer = await world.renewing();
    await world.stopWorkers();
    await world.jump(DAY - HOUR / 2);
    const ahead = { now: () => new Date(world.ctx.clock.now().getTime() + (HOUR / 2 + 5) * 1000) };
    await collectDue({ ...world.ctx, clock: ahead }, 'TEST');
    expect(await world.books(customer.id)).toMatchObject([{ number: 1 }, { status: 'DUE' }]);
    const theirs = { payment: { subscription: { address: customer.id } } };
    expect(await world.ctx.db.attempt.count({ where: theirs })).toBe(1);
    // As long as the one that is ahead put it off, by its own clock.
    await world.jump(HOUR + 60);
    await world.startWorkers();
    await world.until('it is collected', () => world.told(customer.id).length === 3);
    await world.quiet();
    expect(await world.tokensOf(customer.wallet.address)).toBe(98n * PRICE);
  });
});
