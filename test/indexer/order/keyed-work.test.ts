import { expect, test } from 'vitest';
import { KeyedWork } from '../../../indexer/order/keyed-work.ts';

/** Keyed work with tasks that the test ends. */
function createWork(limits = { parallel: 10, pending: 100 }) {
  const failures: unknown[] = [];
  const work = new KeyedWork(limits, (error) => failures.push(error));
  const started: string[] = [];
  const endings = new Map<string, PromiseWithResolvers<void>>();
  const add = (key: string, name: string) => {
    const ending = Promise.withResolvers<void>();
    endings.set(name, ending);
    return work.add(key, () => {
      started.push(name);
      return ending.promise;
    });
  };
  return {
    work,
    failures,
    started,
    add,
    end: (name: string) => endings.get(name)?.resolve(),
    fail: (name: string, error: Error) => endings.get(name)?.reject(error),
  };
}

/** Waits until every pending microtask and immediate has run. */
const runPending = () => new Promise((resolve) => setImmediate(resolve));

test('tasks of one key run one after the other, tasks of other keys in parallel', async () => {
  const { add, end, started } = createWork();
  const first = add('a', 'a1');
  const second = add('a', 'a2');
  add('b', 'b1');
  await runPending();
  expect(started).toEqual(['a1', 'b1']);
  end('a1');
  expect(await first).toBe(true);
  await runPending();
  expect(started).toEqual(['a1', 'b1', 'a2']);
  end('a2');
  expect(await second).toBe(true);
});

test('no more tasks run in parallel than allowed', async () => {
  const { add, end, started } = createWork({ parallel: 2, pending: 100 });
  for (const name of ['a', 'b', 'c', 'd']) add(name, name);
  await runPending();
  expect(started).toEqual(['a', 'b']);
  end('b');
  await runPending();
  expect(started).toEqual(['a', 'b', 'c']);
  end('a');
  end('c');
  await runPending();
  expect(started).toEqual(['a', 'b', 'c', 'd']);
});

test('adding a task waits for capacity, and a caller can wait for the end of all', async () => {
  const { work, add, end } = createWork({ parallel: 1, pending: 2 });
  add('a', 'a');
  add('b', 'b');
  const resolved: string[] = [];
  void work.waitForRoom().then(() => resolved.push('room'));
  void work.waitUntilFinished().then(() => resolved.push('finished'));
  await runPending();
  expect(resolved).toEqual([]);
  end('a');
  await runPending();
  expect(resolved).toEqual(['room']);
  end('b');
  await runPending();
  expect(resolved).toEqual(['room', 'finished']);
});

test('waiting for the end does not include work added meanwhile', async () => {
  const { work, add, end } = createWork();
  add('a', 'a1');
  add('a', 'a2');
  let isFinished = false;
  const finished = work.waitUntilFinished().then(() => {
    isFinished = true;
  });
  add('a', 'a3');
  add('b', 'b');
  end('a1');
  await runPending();
  expect(isFinished).toBe(false);
  end('a2');
  await finished;
});

test('a failure is reported once and starts nothing more', async () => {
  const { add, end, fail, failures, started, work } = createWork({ parallel: 2, pending: 10 });
  const tasks = [add('a', 'a1'), add('a', 'a2'), add('b', 'b'), add('c', 'c')];
  await runPending();
  const error = new Error('no database');
  fail('a1', error);
  await runPending();
  fail('b', new Error('no database either'));
  end('a2');
  expect(await Promise.all(tasks)).toEqual([false, false, false, false]);
  expect(failures).toEqual([error]);
  expect(started).toEqual(['a1', 'b']);
  await work.waitUntilFinished();
  expect(await add('d', 'd')).toBe(false);
});

test('stopping drops tasks that have not started, and waits for the others', async () => {
  const { add, end, failures, work } = createWork({ parallel: 1, pending: 10 });
  const running = add('a', 'a');
  const waiting = add('b', 'b');
  await runPending();
  work.stop();
  end('a');
  expect(await running).toBe(true);
  expect(await waiting).toBe(false);
  expect(failures).toEqual([]);
});

test('a gathered task takes no capacity, and keeps the order of its key', async () => {
  const { work, add, end, started } = createWork({ parallel: 1, pending: 100 });
  add('a', 'a1');
  const gathered: string[] = [];
  const ending = Promise.withResolvers<void>();
  const recordName = (name: string) => async () => {
    gathered.push(name);
    await ending.promise;
  };
  const [first, second] = [work.addGathered('b', recordName('b')), work.addGathered('a', recordName('a2'))];
  add('b', 'b1');
  await runPending();
  expect(gathered).toEqual(['b']);
  end('a1');
  await runPending();
  expect(gathered).toEqual(['b', 'a2']);
  expect(started).toEqual(['a1']);
  ending.resolve();
  expect(await Promise.all([first, second])).toEqual([true, true]);
  await runPending();
  expect(started).toEqual(['a1', 'b1']);
});
