import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { Lane, type Leave } from '../../src/api/admission/lane.ts';
import { PROBES_PER_ADDRESS, ProbeAllowance } from '../../src/api/admission/probe-allowance.ts';

const noDrop = () => expect.unreachable('dropped');

const OPTIONS = {
  maxRunning: 2,
  maxRunningPerCaller: 2,
  maxWaitingPerCaller: 3,
  maxWaiting: 5,
  countsForMs: 60_000,
};

it('callers of a lane take turns, and each has a maximum of waiting requests', () => {
  const lane = new Lane(OPTIONS);
  const started: string[] = [];
  const dropped: string[] = [];
  const leaves: Leave[] = [];
  const enter = (caller: string) =>
    lane.enter(
      caller,
      (leave) => {
        started.push(caller);
        leaves.push(leave);
      },
      () => dropped.push(caller),
    );
  expect(['a', 'a', 'a', 'a', 'a', 'a'].map(enter)).toEqual([true, true, true, true, true, false]);
  expect(['b', 'c'].map(enter)).toEqual([true, true]);
  expect(dropped).toEqual([]);
  // All capacity is in use. A caller without a waiting request replaces the newest request of the
  // caller with the most.
  expect(['d', 'b', 'e', 'f'].map(enter)).toEqual([true, false, true, false]);
  expect(dropped).toEqual(['a', 'a']);
  expect(started).toEqual(['a', 'a']);
  for (let index = 0; index < 7; index++) leaves[index]?.();
  expect(started).toEqual(['a', 'a', 'a', 'b', 'c', 'd', 'e']);
  expect(lane.waiting).toBe(0);
});

it('each caller has a maximum of running work, and its capacity is freed once', () => {
  const lane = new Lane({ ...OPTIONS, maxRunning: 3 });
  const started: string[] = [];
  const leaves: Leave[] = [];
  for (const caller of ['a', 'a', 'a', 'b']) {
    const begin = (leave: Leave) => {
      started.push(caller);
      leaves.push(leave);
    };
    lane.enter(caller, begin, noDrop);
  }
  expect(started).toEqual(['a', 'a', 'b']);
  leaves[2]?.();
  leaves[2]?.();
  expect(started).toEqual(['a', 'a', 'b']);
  leaves[0]?.();
  expect(started).toEqual(['a', 'a', 'b', 'a']);
});

it('work that waits for something else frees its capacity after a while', async () => {
  const lane = new Lane({ ...OPTIONS, maxRunning: 1, countsForMs: 1 });
  lane.enter('slow', () => undefined, noDrop);
  const { promise, resolve } = Promise.withResolvers<Leave>();
  lane.enter('other', resolve, noDrop);
  await promise;
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

it('thousands of requests that end together do not run nested', () => {
  const lane = new Lane({ ...OPTIONS, maxRunning: 1, maxWaitingPerCaller: 20_000, maxWaiting: 20_000 });
  let first: Leave = () => undefined;
  const keep = (leave: Leave) => {
    first = leave;
  };
  lane.enter('a', keep, noDrop);
  let ended = 0;
  for (let count = 0; count < 20_000; count++) {
    const end = (leave: Leave) => {
      ended += 1;
      leave();
    };
    lane.enter('a', end, noDrop);
  }
  first();
  expect(ended).toBe(20_000);
});

it('probes pass while they are few, and forwarded ones are ordinary requests', () => {
  const allowance = new ProbeAllowance();
  const takes = (method: string, url: string, headers = {}, network = 'a') =>
    allowance.takes({ method, url, headers } as IncomingMessage, network);
  const passed = Array.from({ length: 10 * PROBES_PER_ADDRESS }, () => takes('GET', '/health/live?x=1'));
  // At most two seconds begin meanwhile.
  expect(passed.filter(Boolean).length).toBeLessThanOrEqual(2 * PROBES_PER_ADDRESS);
  expect(passed.slice(0, PROBES_PER_ADDRESS)).not.toContain(false);
  expect(takes('GET', '/health', {}, 'b')).toBe(true);
  expect(takes('POST', '/health/live', {}, 'c')).toBe(false);
  expect(takes('GET', '/health/elsewhere', {}, 'c')).toBe(false);
  expect(takes('GET', '/health', { 'x-forwarded-for': '203.0.113.1' }, 'c')).toBe(false);
});
