import { setImmediate } from 'node:timers/promises';
import { expect, inject, it, onTestFinished } from 'vitest';
import { Liveness } from '../../src/operations/liveness.ts';
import { startOperations } from '../../src/operations/start-operations.ts';
import { recordStatements } from '../../tools/statements.ts';
import { testContext } from '../jobs/context.ts';
import { cloneDatabase } from '../support/postgres.ts';

const REQUESTS = 100;

it.each(['/health/ready', '/metrics'])('a flood of %s costs no more than one request', async (path) => {
  const database = await cloneDatabase(inject('templateDatabaseUrl'));
  onTestFinished(() => database.drop());
  const ctx = testContext({ databaseUrl: database.url, operations: { host: '127.0.0.1', port: 0 } });
  onTestFinished(() => ctx.close());
  const operations = await startOperations(ctx, ['worker']);
  onTestFinished(() => operations?.close());
  const flood = (count: number) =>
    recordStatements(() =>
      Promise.all(
        Array.from({ length: count }, async () => {
          const answer = await fetch(`http://127.0.0.1:${operations?.port}${path}`);
          // Without a running worker some queues may not exist yet.
          expect([200, 503]).toContain(answer.status);
          await answer.text();
        }),
      ),
    );
  const statementsOfOne = (await flood(1)).length;
  expect(statementsOfOne).toBeGreaterThan(0);
  // On a slow machine the flood may take longer than a reading is cached.
  expect((await flood(REQUESTS)).length).toBeLessThan((statementsOfOne * REQUESTS) / 5);
});

it('a process is not live after two minutes without an answer of the database, and live after one', async () => {
  let now = 0;
  let answer = Promise.withResolvers<void>();
  const liveness = new Liveness(
    () => answer.promise,
    () => now,
  );
  const isLiveAt = async (ms: number) => {
    now = ms;
    const isLive = liveness.isLive();
    // The question of this probe may be answered.
    await setImmediate();
    return isLive;
  };
  answer.resolve();
  expect(await isLiveAt(0)).toBe(true);
  // Nobody asks for an hour.
  answer = Promise.withResolvers();
  expect(await isLiveAt(3_600_000)).toBe(true);
  expect(await isLiveAt(3_600_000 + 119_999)).toBe(true);
  expect(await isLiveAt(3_600_000 + 120_000)).toBe(false);
  // A refused connection counts as a silent one.
  answer.reject(new Error('refused'));
  await setImmediate();
  expect(await isLiveAt(3_600_000 + 121_000)).toBe(false);
  answer = Promise.withResolvers();
  answer.resolve();
  await isLiveAt(3_600_000 + 122_000);
  expect(await isLiveAt(3_600_000 + 123_000)).toBe(true);
});
