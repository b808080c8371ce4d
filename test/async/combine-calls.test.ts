import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { combineCalls } from '../../src/async/combine-calls.ts';

/** Creates a combined call that the test ends. */
function createHeldCalls() {
  const calls: { questions: readonly number[]; end: (error?: Error) => void }[] = [];
  const ask = combineCalls<number, string>((questions) => {
    const { promise, resolve, reject } = Promise.withResolvers<string[]>();
    const end = (error?: Error) => (error ? reject(error) : resolve(questions.map(String)));
    calls.push({ questions, end });
    return promise;
  });
  return { calls, ask };
}

it('questions of one turn share a call, and later ones share the next', async () => {
  const { calls, ask } = createHeldCalls();
  const first = [ask(1), ask(2)];
  await turn();
  const others = [ask(3), ask(4), ask(5)];
  await turn();
  expect(calls.map(({ questions }) => questions)).toEqual([[1, 2]]);
  calls[0]?.end();
  expect(await Promise.all(first)).toEqual(['1', '2']);
  await turn();
  expect(calls.map(({ questions }) => questions)).toEqual([
    [1, 2],
    [3, 4, 5],
  ]);
  calls[1]?.end();
  expect(await Promise.all(others)).toEqual(['3', '4', '5']);
});

it('a failing call fails the calls combined with it, and no later ones', async () => {
  const { calls, ask } = createHeldCalls();
  const first = ask(1);
  await turn();
  const second = ask(2);
  calls[0]?.end(new Error('out of reach'));
  await expect(first).rejects.toThrow('out of reach');
  await turn();
  calls[1]?.end();
  expect(await second).toBe('2');
  const third = ask(3);
  await turn();
  calls[2]?.end();
  expect(await third).toBe('3');
});
