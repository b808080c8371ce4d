/** Effects of 7 createPlan, 8 updatePlan and 9 deletePlan. */
import { describe, expect, it } from 'vitest';
import { event, packed, padded } from './packed-bytes.ts';
import {
  createScenario,
  NOBODY,
  PERIOD,
  PERIOD_HOURS,
  PRICE,
  padAddresses,
  type Scenario,
  type ScenarioOptions,
} from './scenario.ts';
import { person, START } from './world.ts';

const PLAN_SIZE = 491n;
const END = START + 10n * PERIOD;

async function publishPlan(options: ScenarioOptions = {}): Promise<Scenario> {
  const scenario = await createScenario(options);
  await scenario.world.land([await scenario.createPlan()]);
  return scenario;
}

describe('createPlan', () => {
  it('writes the given terms and the time of the call', async () => {
    const s = await createScenario({ terms: { endTs: END } });
    s.world.setTime(50n);
    const { events } = await s.world.land([s.createPlan()]);
    const uri = padded('https://merchant.example/plan.json', 128);
    expect(s.world.data(s.plan)).toEqual(
      packed(
        ...[1, s.merchant.address, s.planBump, 1],
        ...[7n, s.mint.address, PRICE, PERIOD_HOURS, START + 50n, END],
        ...[s.merchant.address, NOBODY, NOBODY, NOBODY],
        ...[s.puller.address, NOBODY, NOBODY, NOBODY],
        uri,
      ),
    );
    expect(events).toEqual([]);
  });

  it('takes exactly the rent from the merchant', async () => {
    const s = await createScenario();
    const before = s.world.balance(s.merchant.address);
    await s.world.land([s.createPlan()]);
    const rent = s.world.svm.minimumBalanceForRentExemption(PLAN_SIZE);
    expect(before - s.world.balance(s.merchant.address)).toBe(rent);
    expect(s.world.balance(s.plan)).toBe(rent);
  });

  it.each([1n, 8760n])('accepts a period of %s hours', async (periodHours) => {
    const s = await publishPlan({ terms: { periodHours } });
    expect(s.readPlan().data.terms.periodHours).toBe(periodHours);
  });

  it('accepts an end that leaves time for exactly one period', async () => {
    const s = await publishPlan({ terms: { endTs: START + PERIOD } });
    expect(s.readPlan().data.endTs).toBe(START + PERIOD);
  });
});

describe('updatePlan', () => {
  it('changes status, end, pullers and metadata, and emits the new values', async () => {
    const s = await publishPlan();
    const before = s.world.data(s.plan);
    const pullers = padAddresses([(await person('first')).address, (await person('second')).address]);
    const { events } = await s.world.land([
      s.updatePlan({ status: 0, endTs: END, pullers, metadataUri: 'ipfs://2' }),
    ]);

    const expected = Uint8Array.from(before);
    expected.set([0], 34);
    expected.set(packed(END), 99);
    expected.set(packed(...pullers), 235);
    expected.set(padded('ipfs://2', 128), 363);
    expect(s.world.data(s.plan)).toEqual(expected);
    expect(events).toEqual([event(6, s.plan, s.merchant.address, 0, END, ...pullers)]);
  });

  it('moves a finite end closer', async () => {
    const s = await publishPlan({ terms: { endTs: END } });
    await s.world.land([s.updatePlan({ endTs: END - PERIOD })]);
    expect(s.readPlan().data.endTs).toBe(END - PERIOD);
  });

  it('accepts other changes until the last second before an unchanged end', async () => {
    const s = await publishPlan({ terms: { endTs: END } });
    s.world.setTime(END - START);
    await s.world.land([s.updatePlan({ metadataUri: 'last words', status: 0 })]);
    expect(s.readPlan()).toMatchObject({
      status: 0,
      data: { metadataUri: expect.stringContaining('last words') },
    });
  });

  it('removes pullers after sunset, even past the end', async () => {
    const s = await publishPlan();
    await s.world.land([s.updatePlan({ status: 0, endTs: END })]);
    s.world.setTime(END - START + 1n);
    const { events } = await s.world.land([s.updatePlan({ pullers: [] })]);
    expect(s.readPlan().data.pullers).toEqual(padAddresses([]));
    expect(events).toEqual([event(6, s.plan, s.merchant.address, 0, END, ...padAddresses([]))]);
  });
});

describe('deletePlan', () => {
  it('returns the rent to the owner one second after the end, and emits no event', async () => {
    const s = await publishPlan({ terms: { endTs: END } });
    const before = s.world.balance(s.merchant.address);
    s.world.setTime(END - START + 1n);
    const { events } = await s.world.land([s.deletePlan()]);
    expect(s.world.exists(s.plan)).toBe(false);
    const rent = s.world.svm.minimumBalanceForRentExemption(PLAN_SIZE);
    expect(s.world.balance(s.merchant.address) - before).toBe(rent);
    expect(events).toEqual([]);
  });

  it('frees the address for a plan with other terms', async () => {
    const s = await publishPlan({ terms: { endTs: END } });
    s.world.setTime(END - START + 1n);
    await s.world.land([s.deletePlan()]);
    await s.world.land([s.createPlan({ amount: 2n * PRICE, endTs: 0n })]);
    expect(s.readPlan().data.terms).toEqual({
      amount: 2n * PRICE,
      periodHours: PERIOD_HOURS,
      createdAt: END + 1n,
    });
  });
});
