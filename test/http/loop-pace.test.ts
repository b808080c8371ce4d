import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Lane } from '../../src/api/admission/lane.ts';
import { LoopPace } from '../../src/api/admission/loop-pace.ts';

const OPTIONS = { min: 20, max: 2_000, busy: 0.75 };

const noDrop = () => expect.unreachable('dropped');

it('the pace falls to a minimum while the event loop is busy, and rises when it is not', async () => {
  let use = 1;
  const pace = new LoopPace(OPTIONS, () => use);
  const look = async () => {
    await wait(60);
    pace.take();
    return pace.perSecond;
  };
  expect(pace.perSecond).toBe(2_000);
  expect(await look()).toBeLessThan(2_000);
  for (let looks = 0; looks < 20; looks++) await look();
  expect(pace.perSecond).toBe(20);
  use = 0.5;
  expect(await look()).toBeGreaterThan(20);
});

it('a lane starts no faster than its pace, and idle time is not counted', async () => {
  let rights = 2;
  let later: (() => void) | undefined;
  const pace = {
    take: () => rights > 0 && rights-- > 0,
    giveBack: () => void rights++,
    later: (call: () => void) => {
      later = call;
    },
  };
  const lane = new Lane({
    atOnce: 10,
    ofOne: 10,
    waitingOfOne: 100,
    waitingOfAll: 100,
    leaseMs: 60_000,
    pace,
  });
  let begun = 0;
  for (let count = 0; count < 5; count++) lane.enter('a', () => void begun++, noDrop);
  expect(begun).toBe(2);
  rights = 2;
  later?.();
  expect(begun).toBe(4);
  rights = 1;
  later?.();
  for (let count = 0; count < 5; count++) lane.enter('b', (leave) => leave(), noDrop);
  expect(begun).toBe(5);
  expect(lane.waiting).toBe(5);
  rights = 1;
  later?.();
  // Each releases its permit.
  expect(lane.waiting).toBe(0);
});

it('a place whose work waits for a connection is kept for a limited time', async () => {
  let isHeld = true;
  const lane = new Lane({
    atOnce: 1,
    ofOne: 1,
    waitingOfOne: 9,
    waitingOfAll: 9,
    leaseMs: 5,
    isHeld: () => isHeld,
    deadlineMs: 200,
  });
  const since = performance.now();
  const entered = (caller: string) => new Promise((resolve) => lane.enter(caller, resolve, noDrop));
  await entered('first');
  await entered('second');
  expect(performance.now() - since).toBeGreaterThan(190);
  isHeld = false;
  await entered('third');
});
