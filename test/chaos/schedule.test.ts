import { describe, expect, test } from 'vitest';
import { FAULTS } from '../../chaos/faults/catalog.ts';
import type { FaultName } from '../../chaos/faults/fault.ts';
import { PART_NAMES } from '../../chaos/parts.ts';
import { REFUND_KINDS } from '../../chaos/refund-schedule.ts';
import { FULL, SHORT } from '../../chaos/run-size.ts';
import { scheduleRun } from '../../chaos/schedule.ts';
import { STRANGER_HABITS } from '../../chaos/stranger-schedule.ts';

const all = () => true;
const faultsOf = (plan: ReturnType<typeof scheduleRun>) =>
  plan.rounds.flatMap(({ due, retries, after }) => [...due, ...retries, ...after]);

describe('the plan of a run', () => {
  test('is the same for the same seed, and differs for another seed', () => {
    expect(scheduleRun(7, SHORT, all)).toEqual(scheduleRun(7, SHORT, all));
    expect(scheduleRun(8, SHORT, all)).not.toEqual(scheduleRun(7, SHORT, all));
  });

  test.each([
    ['short', SHORT],
    ['full', FULL],
  ])('of a %s run has every part, every habit of strangers, and every fault', (_, size) => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const plan = scheduleRun(seed, size, all);
      expect(plan.cast.length).toBeGreaterThanOrEqual(size.customers);
      expect(new Set(plan.cast.map(({ part }) => part.name))).toEqual(new Set(PART_NAMES));
      expect(new Set(plan.refunds.map(({ kind }) => kind))).toEqual(new Set(REFUND_KINDS));
      expect(new Set(plan.refunds.map(({ customer }) => customer)).size).toBe(plan.refunds.length);
      expect(plan.refunds.every(({ customer, round }) => plan.cast[customer] && round > 0)).toBe(true);
      expect(plan.strangers.map(({ habit }) => habit)).toEqual(STRANGER_HABITS);
      expect(plan.strangers.every(({ round, count }) => round > 0 && count > 0)).toBe(true);
      expect(new Set(faultsOf(plan).map(({ fault }) => fault))).toEqual(new Set(Object.keys(FAULTS)));
    }
  });

  test('advances the time only while payments fall due, and at most once', () => {
    for (const { due, retries, after } of scheduleRun(3, FULL, all).rounds) {
      const travelling = (orders: typeof due) => orders.filter(({ fault }) => FAULTS[fault].travels);
      expect(travelling(due).length).toBeLessThanOrEqual(1);
      expect(travelling([...retries, ...after])).toEqual([]);
    }
  });

  test('leaves out faults that the machine cannot cause', () => {
    const withoutRedis = (fault: FaultName) => !FAULTS[fault].needsRedis;
    expect(
      faultsOf(scheduleRun(3, FULL, withoutRedis)).filter(({ fault }) => FAULTS[fault].needsRedis),
    ).toEqual([]);
  });
});
