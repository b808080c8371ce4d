import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { gathered } from '../../src/gathered.ts';

/** A call that ends when it is told to. */
function watched() {
  const calls: { questions: readonly number[]; end: (error?: Error) => void }[] = [];
  const ask = gathered<number, string>((questions) => {
    const { promise, resolve, reject } = Promise.withResolvers<string[]>();
    const end = (error?: Error) => (error ? reject(error) : resolve(questions.map(String)));
    calls.push({ questions, end });
    return promise;
  });
  return { calls, ask };
}

it('a question that comes alone is asked at once, and those that come meanwhile all go with the next call', async () => {
  const { calls, ask } = watched();
  const first = ask(1);
  const others = [ask(2), ask(3), ask(4)];
  expect(calls.map(({ questions }) => questions)).toEqual([[1]]);
  calls[0]?.end();
  expect(await first).toBe('1');
  await turn();
  expect(calls.map(({ questions }) => questions)).toEqual([[1], [2, 3, 4]]);
  calls[1]?.end();
  expect(await Promise.all(others)).toEqual(['2', '3', '4']);
});

it('a call that fails fails those that went with it, and nobody after them', async () => {
  const { calls, ask } = watched();
  const first = ask(1);
  const second = ask(2);
  calls[0]?.end(new Error('out of reach'));
  await expect(first).rejects.toThrow('out of reach');
  await turn();
  calls[1]?.end();
  expect(await second).toBe('2');
  const third = ask(3);
  calls[2]?.end();
  expect(await third).toBe('3');
});
