import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { CallerQueues, type CountRequest, MAX_WAITING } from '../../src/api/rate-limit/caller-queues.ts';
import { FullWindows, MAX_REMEMBERED } from '../../src/api/rate-limit/full-windows.ts';
import {
  type Counted,
  type RatePolicy,
  rateLimitHeaders,
  verdictOf,
} from '../../src/api/rate-limit/rate-limit.ts';

const POLICY: RatePolicy = { name: 'test', limit: 1_000, windowMs: 60_000 };

/** Creates queues on a store whose calls the test answers. */
function createHeldStore() {
  const calls: { requests: readonly CountRequest[]; answer: () => void }[] = [];
  const used = new Map<string, number>();
  const queues = new CallerQueues({
    takeAll: (requests) =>
      new Promise((resolve) => {
        calls.push({ requests, answer: () => resolve(requests.map(counted)) });
      }),
    close: async () => undefined,
  });
  const counted = ({ key, count, limit }: CountRequest): Counted => {
    const before = used.get(key) ?? 0;
    const allowed = before + count <= limit;
    if (allowed) used.set(key, before + count);
    return { allowed, used: used.get(key) ?? 0, at: 1, oldestAt: 1 };
  };
  return { queues, calls };
}

it('the waiting requests of a caller share one call', async () => {
  const { queues, calls } = createHeldStore();
  const first = queues.take(POLICY, 'flooder', 1);
  await turn();
  const others = Array.from({ length: 100 }, () => queues.take(POLICY, 'flooder', 1));
  const merchant = queues.take(POLICY, 'merchant', 1);
  await turn();
  // The flooding caller's first call is unanswered, and the merchant's is still sent.
  expect(calls.map(({ requests }) => requests.map(({ key, count }) => `${key} ${count}`))).toEqual([
    ['test/flooder 1'],
    ['test/merchant 1'],
  ]);
  calls[1]?.answer();
  expect(await merchant).toMatchObject({ allowed: true, used: 1 });
  calls[0]?.answer();
  await first;
  await turn();
  expect(calls[2]?.requests).toMatchObject([{ key: 'test/flooder', count: 100 }]);
  calls[2]?.answer();
  expect((await Promise.all(others)).map(({ used }) => used)).toEqual(
    Array.from({ length: 100 }, (_, index) => index + 2),
  );
});

it('requests of several callers in one turn of the event loop share one call', async () => {
  const { queues, calls } = createHeldStore();
  const taken = ['one', 'two', 'one', 'three'].map((caller) => queues.take(POLICY, caller, 1));
  await turn();
  calls[0]?.answer();
  expect((await Promise.all(taken)).map(({ used }) => used)).toEqual([1, 1, 2, 1]);
  expect(calls).toHaveLength(1);
});

it('requests beyond a caller’s maximum are refused without a call', async () => {
  const { queues, calls } = createHeldStore();
  const first = queues.take(POLICY, 'flooder', 1);
  await turn();
  const waiting = Array.from({ length: MAX_WAITING }, () => queues.take(POLICY, 'flooder', 1));
  const refused = await queues.take(POLICY, 'flooder', 1);
  expect(refused).toMatchObject({ allowed: false, used: POLICY.limit });
  expect(rateLimitHeaders(verdictOf(POLICY, refused))['Retry-After']).toBe('1');
  calls[0]?.answer();
  await first;
  await turn();
  calls[1]?.answer();
  expect((await Promise.all(waiting)).every(({ allowed }) => allowed)).toBe(true);
  expect(calls).toHaveLength(2);
});

it('accepts requests that wait together up to the limit, and refuses the others', async () => {
  const { queues, calls } = createHeldStore();
  const policy = { ...POLICY, limit: 10 };
  const first = queues.take(policy, 'caller', 4);
  await turn();
  const others = Array.from({ length: 9 }, () => queues.take(policy, 'caller', 1));
  const answered = Promise.all([first, ...others]);
  for (let call = 0; call < 4; call++) {
    calls[call]?.answer();
    await turn();
  }
  expect((await answered).map(({ allowed }) => allowed)).toEqual([
    ...Array<boolean>(7).fill(true),
    ...Array<boolean>(3).fill(false),
  ]);
  expect(calls.map(({ requests }) => requests[0]?.count)).toEqual([4, 9, 6, 3]);
});

it('a full window is kept until its oldest request leaves it', async () => {
  const windows = new FullWindows();
  const counted = { allowed: false, used: 998, at: 1_000, oldestAt: 1_000 };
  windows.note({ ...POLICY, windowMs: 50 }, 'caller', counted, performance.now());
  expect(windows.recall(POLICY, 'caller', 3)).toMatchObject({ allowed: false, remaining: 2 });
  // Requests that fit into the window are not refused from memory.
  expect(windows.recall(POLICY, 'caller', 2)).toBeUndefined();
  expect(windows.recall(POLICY, 'another', 3)).toBeUndefined();
  expect(windows.recall({ ...POLICY, name: 'other' }, 'caller', 3)).toBeUndefined();
  while (windows.recall(POLICY, 'caller', 3)) await turn();
});

it('the number of remembered windows is bounded', () => {
  const windows = new FullWindows();
  const counted = { allowed: false, used: 1_000, at: 1_000, oldestAt: 1_000 };
  for (let caller = 0; caller <= MAX_REMEMBERED; caller++) {
    windows.note(POLICY, String(caller), counted, performance.now());
  }
  expect(windows.size).toBe(MAX_REMEMBERED);
  expect(windows.recall(POLICY, '0', 1)).toBeUndefined();
  expect(windows.recall(POLICY, String(MAX_REMEMBERED), 1)).toBeDefined();
});
