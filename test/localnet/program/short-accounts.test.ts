/**
 * Accounts of the program that are too short, down to empty. The program must fail with its own
 * code. A read beyond the end would abort it with another error.
 */
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { openScenario, PERIOD, type Scenario } from './scenario.ts';

const LENGTHS = [0, 1, 2, 34, 35, 106, 107, 154, 490];
type Part = 'plan' | 'authority' | 'subscription';

async function openCancelled(): Promise<Scenario> {
  const s = await openScenario();
  await s.world.land([await s.cancel()]);
  return s;
}

/**
 * Every instruction that reads one of the program's accounts, with the account that is shortened.
 */
const calls: { name: string; part: Part; from?: typeof openCancelled; call: (s: Scenario) => unknown }[] = [
  { name: 'transferSubscription', part: 'subscription', call: (s) => s.pull() },
  { name: 'transferSubscription', part: 'plan', call: (s) => s.pull() },
  { name: 'transferSubscription', part: 'authority', call: (s) => s.pull() },
  { name: 'subscribe', part: 'plan', call: (s) => s.subscribe() },
  { name: 'subscribe', part: 'authority', call: (s) => s.subscribe() },
  { name: 'cancelSubscription', part: 'subscription', call: (s) => s.cancel() },
  { name: 'cancelSubscription', part: 'plan', call: (s) => s.cancel() },
  { name: 'cancelSubscriptionNow', part: 'subscription', call: (s) => s.cancelNow() },
  { name: 'cancelSubscriptionNow', part: 'plan', call: (s) => s.cancelNow() },
  { name: 'resumeSubscription', part: 'subscription', from: openCancelled, call: (s) => s.resume() },
  { name: 'resumeSubscription', part: 'plan', from: openCancelled, call: (s) => s.resume() },
  { name: 'resumeSubscription', part: 'authority', from: openCancelled, call: (s) => s.resume() },
  { name: 'revokeDelegation', part: 'subscription', from: openCancelled, call: (s) => s.revoke() },
  { name: 'updatePlan', part: 'plan', call: (s) => s.updatePlan({}) },
  { name: 'deletePlan', part: 'plan', call: (s) => s.deletePlan() },
  { name: 'closeSubscriptionAuthority', part: 'authority', call: (s) => s.closeAuthority() },
];

const fullLength: Record<Part, number> = { plan: 491, authority: 106, subscription: 155 };
const INVALID_HEADER_DATA = 127;
const INVALID_ACCOUNT_DATA = 111;

describe('an account that is too short', () => {
  it.each(calls)('is refused by $name: $part', async ({ name, part, from = openScenario, call }) => {
    const s = await from();
    s.world.setTime(PERIOD);
    const instruction = await (call(s) as ReturnType<Scenario['subscribe']>);
    const address: Address = s[part];
    const fullData = s.world.data(address);
    for (const length of LENGTHS.filter((candidate) => candidate < fullLength[part])) {
      s.world.tamper(address, { data: fullData.subarray(0, length) });
      const isHeader = name === 'revokeDelegation' && length < 107;
      expect(await s.world.refusal([instruction])).toBe(
        isHeader ? INVALID_HEADER_DATA : INVALID_ACCOUNT_DATA,
      );
    }
  });
});
