/**
 * Effects of 11 subscribe, 12 cancelSubscription, 17 cancelSubscriptionNow, 13 resumeSubscription
 * and 3 revokeDelegation.
 */
import { describe, expect, it } from 'vitest';
import { event, packed } from './packed-bytes.ts';
import { createScenario, openScenario, PERIOD, PERIOD_HOURS, PRICE, type Scenario } from './scenario.ts';
import { FIRST_SLOT, START } from './world.ts';

const SUBSCRIPTION_SIZE = 155n;

/** Opens a scenario and deletes its plan, so that the plan's address is empty. */
async function openWithoutPlan(): Promise<Scenario> {
  const s = await openScenario({ terms: { endTs: START + PERIOD } });
  s.world.setTime(PERIOD + 1n);
  await s.world.land([s.deletePlan()]);
  return s;
}

describe('subscribe', () => {
  it('writes subscriber and terms, starts the first period, emits an event', async () => {
    const s = await createScenario();
    await s.world.land([s.createPlan(), await s.initAuthority()]);
    s.world.setTime(50n);
    const { events } = await s.world.land([await s.subscribe()]);
    const { subscriber, plan, subscriptionBump, mint } = s;
    expect(s.world.data(s.subscription)).toEqual(
      packed(
        ...[4, 1, subscriptionBump, subscriber.address, plan, subscriber.address, FIRST_SLOT],
        ...[PRICE, PERIOD_HOURS, START, 0n, START + 50n, 0n],
      ),
    );
    expect(events).toEqual([
      event(0, plan, subscriber.address, mint.address, START + 50n, subscriber.address),
    ]);
  });

  it('takes exactly the rent from the subscriber', async () => {
    const s = await createScenario();
    await s.world.land([s.createPlan(), await s.initAuthority()]);
    const before = s.world.balance(s.subscriber.address);
    await s.world.land([await s.subscribe()]);
    const rent = s.world.svm.minimumBalanceForRentExemption(SUBSCRIPTION_SIZE);
    expect(before - s.world.balance(s.subscriber.address)).toBe(rent);
  });

  it('is possible in the last second of a plan', async () => {
    const s = await createScenario({ terms: { endTs: START + PERIOD } });
    await s.world.land([s.createPlan(), await s.initAuthority()]);
    s.world.setTime(PERIOD);
    await s.world.land([await s.subscribe()]);
    expect(s.readSubscription().currentPeriodStartTs).toBe(START + PERIOD);
  });
});

describe('cancelSubscription', () => {
  it.each([
    ['in its first second', 0n, PERIOD],
    ['in the last second of the first period', PERIOD - 1n, PERIOD],
    ['in the first second of the next period, although nothing was pulled', PERIOD, 2n * PERIOD],
    ['years later', 5000n * PERIOD + 9n, 5001n * PERIOD],
  ])('%s, ends with the current period', async (_, elapsedSeconds, end) => {
    const s = await openScenario();
    s.world.setTime(elapsedSeconds);
    const before = s.world.data(s.subscription);
    const { events } = await s.world.land([await s.cancel()]);
    const expected = Uint8Array.from(before);
    expected.set(packed(START + end), 147);
    expect(s.world.data(s.subscription)).toEqual(expected);
    expect(events).toEqual([event(1, s.plan, s.subscriber.address, START + end)]);
  });

  it('ends one second after the plan, because the plan includes its end', async () => {
    const end = START + PERIOD + 100n;
    const s = await openScenario({ terms: { endTs: end } });
    s.world.setTime(PERIOD);
    const { events } = await s.world.land([await s.cancel()]);
    expect(events).toEqual([event(1, s.plan, s.subscriber.address, end + 1n)]);
    s.world.setTime(PERIOD + 100n);
    await s.world.land([s.pull()]);
  });

  it('ends at once when the plan is deleted', async () => {
    const s = await openWithoutPlan();
    await s.world.land([await s.cancel()]);
    expect(s.readSubscription().expiresAtTs).toBe(START + PERIOD + 1n);
  });

  it.each([
    { what: 'another price', changes: { amount: PRICE + 1n } },
    { what: 'another period', changes: { periodHours: PERIOD_HOURS + 1n } },
    { what: 'the same terms and a later creation', changes: {} },
  ])('ends at once when a plan with $what replaced the original one', async ({ changes }) => {
    const s = await openWithoutPlan();
    await s.world.land([s.createPlan({ endTs: 0n, ...changes })]);
    await s.world.land([await s.cancel()]);
    expect(s.readSubscription().expiresAtTs).toBe(START + PERIOD + 1n);
  });
});

describe('cancelSubscriptionNow', () => {
  it('ends an uncancelled subscription now', async () => {
    const s = await openScenario();
    s.world.setTime(60n);
    const { events } = await s.world.land([s.cancelNow()]);
    expect(s.readSubscription().expiresAtTs).toBe(START + 60n);
    expect(events).toEqual([event(1, s.plan, s.subscriber.address, START + 60n)]);
    expect(await s.world.refusal([s.pull()])).toBe(508);
  });

  it('ends a subscription whose cancellation has not taken effect', async () => {
    const s = await openScenario();
    await s.world.land([await s.cancel()]);
    s.world.setTime(60n);
    await s.world.land([s.cancelNow()]);
    expect(s.readSubscription().expiresAtTs).toBe(START + 60n);
  });
});

describe('resumeSubscription', () => {
  it('takes back a cancellation in its last second and keeps the pulled amount', async () => {
    const s = await openScenario();
    await s.world.land([s.pull({ amount: 400n })]);
    const before = s.world.data(s.subscription);
    await s.world.land([await s.cancel()]);
    s.world.setTime(PERIOD - 1n);
    const { events } = await s.world.land([s.resume()]);
    expect(s.world.data(s.subscription)).toEqual(before);
    expect(events).toEqual([event(5, s.plan, s.subscriber.address, START + PERIOD - 1n)]);
  });

  it('works in a plan that is being phased out', async () => {
    const s = await openScenario();
    await s.world.land([await s.cancel(), s.updatePlan({ status: 0, endTs: START + 5n * PERIOD })]);
    await s.world.land([s.resume()]);
    expect(s.readSubscription().expiresAtTs).toBe(0n);
  });
});

describe('revokeDelegation', () => {
  it('returns the rent once a cancellation takes effect, without an event', async () => {
    const s = await openScenario();
    await s.world.land([await s.cancel()]);
    s.world.setTime(PERIOD);
    const before = s.world.balance(s.subscriber.address);
    const { events } = await s.world.land([s.revoke()]);
    expect(s.world.exists(s.subscription)).toBe(false);
    const rent = s.world.svm.minimumBalanceForRentExemption(SUBSCRIPTION_SIZE);
    expect(s.world.balance(s.subscriber.address) - before).toBe(rent);
    expect(events).toEqual([]);
  });

  it('frees the address: a new subscription starts from zero', async () => {
    const s = await openScenario();
    await s.world.land([s.pull(), s.cancelNow()]);
    await s.world.land([s.revoke()]);
    await s.world.land([await s.subscribe()]);
    expect(s.readSubscription()).toMatchObject({ amountPulledInPeriod: 0n, expiresAtTs: 0n });
    await s.world.land([s.pull()]);
  });

  it('needs no plan', async () => {
    const s = await openWithoutPlan();
    await s.world.land([await s.cancel()]);
    await s.world.land([s.revoke()]);
    expect(s.world.exists(s.subscription)).toBe(false);
  });
});
