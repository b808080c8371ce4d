import { expect, test } from 'vitest';
import { ReadAhead } from '../../src/api/graphql/live/read-ahead.ts';

/**
 * Creates a queue of messages that name rows. `next` reads the row of the first message. Each row
 * contains the number of the query that returned it.
 */
function createQueue() {
  const waiting: string[] = [];
  const reads: string[][] = [];
  const rows = new ReadAhead<{ id: string; read: number }>(() => waiting);
  const find = async (ids: string[]) => {
    reads.push(ids);
    return ids.filter((id) => id !== 'gone').map((id) => ({ id, read: reads.length }));
  };
  const next = (): Promise<{ id: string; read: number } | undefined> =>
    rows.read(waiting.shift() ?? '', find);
  return { waiting, reads, next };
}

test('the rows of waiting messages are read together with the row of the first message', async () => {
  const { waiting, reads, next } = createQueue();
  waiting.push('a', 'b', 'c');
  expect([await next(), await next(), await next()]).toMatchObject([{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
  expect(reads).toEqual([['a', 'b', 'c']]);
});

test('a row is read again for a message that arrived after the read', async () => {
  const { waiting, reads, next } = createQueue();
  waiting.push('a', 'b');
  await next();
  waiting.push('b');
  expect(await next()).toEqual({ id: 'b', read: 1 });
  expect(await next()).toEqual({ id: 'b', read: 2 });
  expect(reads).toEqual([['a', 'b'], ['b']]);
});

test('the result is undefined for a row that does not exist', async () => {
  const { waiting, next } = createQueue();
  waiting.push('gone', 'b');
  expect(await next()).toBeUndefined();
  expect(await next()).toMatchObject({ id: 'b' });
});
