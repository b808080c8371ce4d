import { expect, it } from 'vitest';
import { inBatches } from '../../src/db/in-batches.ts';

it.each([
  [0, [0]],
  [1, [1]],
  [3, [3, 0]],
  [7, [3, 3, 1]],
])('%d rows are taken three at a time', async (rows, batches) => {
  let left = rows;
  const taken: number[] = [];
  const all = await inBatches(3, async (size) => {
    const count = Math.min(size, left);
    left -= count;
    taken.push(count);
    return count;
  });
  expect(taken).toEqual(batches);
  expect(all).toBe(rows);
});

it.each([0, 1, 2])('at most %d batches are taken', async (maxBatches) => {
  let calls = 0;
  const take = async (size: number) => {
    calls += 1;
    return size;
  };
  expect(await inBatches(3, take, maxBatches)).toBe(3 * maxBatches);
  expect(calls).toBe(maxBatches);
});

it('an error ends it', async () => {
  let calls = 0;
  const failing = inBatches(3, async () => {
    calls += 1;
    throw new Error('away');
  });
  await expect(failing).rejects.toThrow('away');
  expect(calls).toBe(1);
});
