import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Lane } from '../../src/api/admission/lane.ts';
import { LoopPace } from '../../src/api/admission/loop-pace.ts';

const OPTIONS = { min: 20, max: 2_000, busy: 0.75 };

const noDrop = () => expect.unreachable('dropped');

it('the pace falls while the event loop is busy, and rises when it is not', async () => {
  let use = 1;
  const pace = new LoopPace(OPTIONS, () => use);
  const measure = async () => {
    await wait(60);
    pace.take();
    return pace.perSecond;
  };
  expect(pace.perSecond).toBe(2_000);
  expect(await measure()).toBeLessThan(2_000);
  for (let count = 0; count < 20; count++) await measure();
  expect(pace.perSecond).toBe(20);
  use = 0.5;
  expect(await measure()).toBeGreaterThan(20);
});

it('a lane starts no faster than its pace', async () => {
  let permits = 2;
  let continueLater: (() => void) | undefined;
  const pace = {
    take: () => permits > 0 && permits-- > 0,
    returnPermission: () => void permits++,
    callLater: (call: () => void) => {
      continueLater = call;
    },
  };
  const lane = new Lane({
    maxRunning: 10,
    maxRunningPerCaller: 10,
    maxWaitingPerCaller: 100,
    maxWaiting: 100,
    countsForMs: 60_000,
    pace,
  });
  let started = 0;
  for (let count = 0; count < 5; count++) lane.enter('a', () => void started++, noDrop);
  expect(started).toBe(2);
  permits = 2;
  continueLater?.();
  expect(started).toBe(4);
  permits = 1;
  continueLater?.();
  for (let count = 0; count < 5; count++) lane.enter('b', (leave) => leave(), noDrop);
  expect(started).toBe(5);
  expect(lane.waiting).toBe(5);
  permits = 1;
  continueLater?.();
  // Each request ends at once and returns its permission.
  expect(lane.waiting).toBe(0);
});

it('work that waits for a connection counts for a limited time', async () => {
  let isHeld = true;
  const lane = new Lane({
    maxRunning: 1,
    maxRunningPerCaller: 1,
    maxWaitingPerCaller: 9,
    maxWaiting: 9,
    countsForMs: 5,
    isHeld: () => isHeld,
    deadlineMs: 200,
  });
  const since = performance.now();
  const enter = (caller: string) => new Promise((resolve) => lane.enter(caller, resolve, noDrop));
  await enter('first');
  await enter('second');
  expect(performance.now() - since).toBeGreaterThan(190);
  isHeld = false;
  await enter('third');
});
