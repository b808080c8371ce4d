/** The calls that fit into one transaction: a whole subscription, or the pulls of version 1. */
import type { Instruction } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { createScenario, openScenario, PRICE, type Scenario, START_BALANCE } from './scenario.ts';
import { tokenState } from './tokens.ts';
import { FIRST_SLOT, START } from './world.ts';

const CREATED_IN_THIS_SLOT = -(2n ** 63n);
const MAX_VERSION_1_BYTES = 4_096;
const UNITS_PER_PULL = 15_000;

async function openSubscribers(count: number): Promise<[Scenario, ...Scenario[]]> {
  const first = await openScenario({ subscriber: 'subscriber 1' });
  const others: Scenario[] = [];
  for (let number = 2; number <= count; number++) {
    others.push(
      await openScenario({ world: first.world, mint: first.mint, subscriber: `subscriber ${number}` }),
    );
  }
  first.world.fund(first.puller.address);
  return [first, ...others];
}

describe('subscribing in one transaction', () => {
  it('creates the authority and subscribes without knowing its slot', async () => {
    const s = await createScenario();
    await s.world.land([s.createPlan()]);
    await s.world.land([await s.initAuthority(), await s.subscribe({ initId: CREATED_IN_THIS_SLOT })]);
    expect(s.readSubscription().header.initId).toBe(FIRST_SLOT);
    await s.world.land([s.pull()]);
    expect(tokenState(s.world, s.subscriberTokens).amount).toBe(START_BALANCE - PRICE);
  });

  it('can include the first pull', async () => {
    const s = await createScenario();
    const instructions = [
      s.createPlan(),
      await s.initAuthority(),
      await s.subscribe({ initId: CREATED_IN_THIS_SLOT }),
    ];
    const { events } = await s.world.land([...instructions, s.pull()]);
    expect(events.map((bytes) => bytes[8])).toEqual([0, 2]);
  });

  it('does not accept the sentinel for an authority of an earlier slot', async () => {
    const s = await createScenario();
    await s.world.land([s.createPlan(), await s.initAuthority()]);
    s.world.setTime(0n, FIRST_SLOT + 1n);
    const instructions: Instruction[] = [
      await s.initAuthority(),
      await s.subscribe({ initId: CREATED_IN_THIS_SLOT }),
    ];
    expect(await s.world.send(instructions)).toEqual({ ok: false, index: 1, code: 136 });
  });
});

describe('collecting in one version 1 transaction', () => {
  it('pulls from 19 subscribers of one plan', async () => {
    const scenarios = await openSubscribers(19);
    const [{ world, merchantTokens, puller }] = scenarios;
    const outcome = await world.land(
      scenarios.map((s) => s.pull()),
      { version1: { computeUnits: 19 * UNITS_PER_PULL, feePayer: puller } },
    );
    expect(outcome.size).toBeLessThanOrEqual(MAX_VERSION_1_BYTES);
    expect(outcome.events).toHaveLength(19);
    expect(tokenState(world, merchantTokens).amount).toBe(19n * PRICE);
    for (const s of scenarios) {
      expect(s.readSubscription()).toMatchObject({
        amountPulledInPeriod: PRICE,
        currentPeriodStartTs: START,
      });
    }
  });

  it('has no space for a twentieth pull, because the number of addresses is limited', async () => {
    const scenarios = await openSubscribers(20);
    const [{ world, puller }] = scenarios;
    const pulls = scenarios.map((s) => s.pull());
    await expect(
      world.send(pulls, { version1: { computeUnits: 20 * UNITS_PER_PULL, feePayer: puller } }),
    ).rejects.toThrow('Transaction has 67 unique account addresses but the maximum allowed is 64');
  });

  it('fails as a whole if one pull fails, and names that pull', async () => {
    const scenarios = await openSubscribers(5);
    const [{ world, merchantTokens, puller }, , third] = scenarios;
    if (!third) throw new Error('expected five scenarios');
    await world.land([await third.closeAuthority()]);
    const outcome = await world.send(
      scenarios.map((s) => s.pull()),
      { version1: { computeUnits: 5 * UNITS_PER_PULL, feePayer: puller } },
    );
    expect(outcome).toEqual({ ok: false, index: 2, code: 103 });
    expect(tokenState(world, merchantTokens).amount).toBe(0n);
  });
});
