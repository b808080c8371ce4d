import { setTimeout as wait } from 'node:timers/promises';

interface Waiting<T> {
  readonly item: T;
  readonly settled: PromiseWithResolvers<void>;
}

/**
 * Processes single items in batches: a batch has the items that arrive within `waitMs` of the
 * first, or during the previous batch. `work` returns the errors of the items, in their order
 * (undefined: none). If it throws, all items of the batch fail.
 */
export function batchItems<T>(
  waitMs: number,
  work: (items: readonly T[]) => Promise<readonly unknown[]>,
): (item: T) => Promise<void> {
  let waiting: Waiting<T>[] = [];
  let isRunning = false;
  const run = async () => {
    isRunning = true;
    await wait(waitMs);
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await finish(batch, work);
    }
    isRunning = false;
  };
  return (item) => {
    const settled = Promise.withResolvers<void>();
    waiting.push({ item, settled });
    if (!isRunning) void run();
    return settled.promise;
  };
}

async function finish<T>(
  batch: readonly Waiting<T>[],
  work: (items: readonly T[]) => Promise<readonly unknown[]>,
): Promise<void> {
  try {
    const failures = await work(batch.map(({ item }) => item));
    for (const [index, { settled }] of batch.entries()) {
      if (failures[index] === undefined) settled.resolve();
      else settled.reject(failures[index]);
    }
  } catch (error) {
    for (const { settled } of batch) settled.reject(error);
  }
}
