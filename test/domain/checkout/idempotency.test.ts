import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, expect, it, vi } from 'vitest';
import type { AppContext } from '../../../src/app.ts';
import { connectDb } from '../../../src/db/db.ts';
import { createCheckoutSession } from '../../../src/domain/checkout/session/create-checkout-session.ts';
import { createLive } from '../../../src/live/live.ts';
import { sharedByFile } from '../../support/shared-by-file.ts';
import { SOON } from '../../support/soon.ts';
import { invalid, refusal, startWorld } from '../world.ts';

const CONCURRENCY = 50;

const world = await sharedByFile(startWorld());
const log = pino({ level: 'silent' });
// Two processes share only the database.
const processes = [1, 2].map(() => ({
  ...world.ctx,
  db: connectDb(world.ctx.config.databaseUrl),
  live: createLive(world.ctx.config, log),
}));
const merchant = await world.newMerchant();
const plan = await world.publishPlan(merchant);
afterAll(async () => {
  await Promise.all(processes.map(({ db, live }) => Promise.all([db.$disconnect(), live.close()])));
});

const create = (process: number, customerEmail: string, idempotencyKey?: string, planId = plan.planId) =>
  createCheckoutSession(processes[process % processes.length] as AppContext, merchant.scope, {
    planId,
    customerEmail,
    idempotencyKey,
  });
const sessionsOf = (customerEmail: string) => world.db.checkoutSession.count({ where: { customerEmail } });

it(`${CONCURRENCY} identical requests at once, to two processes, open one session`, async () => {
  let round = 0;
  await fc.assert(
    fc.asyncProperty(fc.option(fc.uuid(), { nil: undefined }), async (key) => {
      const email = `round-${round++}@example.com`;
      const sessions = await Promise.all(
        Array.from({ length: CONCURRENCY }, (_, index) => create(index, email, key)),
      );
      expect(new Set(sessions.map(({ sessionId }) => sessionId)).size).toBe(1);
      expect(new Set(sessions.map(({ expiresAt }) => expiresAt.getTime())).size).toBe(1);
      expect(await sessionsOf(email)).toBe(1);
    }),
    { numRuns: 10 },
  );
});

it('different requests with one key at once open one session', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: CONCURRENCY }, (_, index) =>
      create(index, `contender-${index % 5}@example.com`, 'contended'),
    ),
  );
  const opened = outcomes.flatMap((outcome) =>
    outcome.status === 'fulfilled' ? [outcome.value.sessionId] : [],
  );
  expect(new Set(opened).size).toBe(1);
  expect(opened).toHaveLength(CONCURRENCY / 5);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected')
      expect(await refusal(Promise.reject(outcome.reason))).toEqual(invalid('idempotency_key'));
  }
});

it('a process that crashes midway leaves a session and its key, or neither', async () => {
  const email = 'crash@example.com';
  const lostDb = connectDb(world.ctx.config.databaseUrl);
  const isLocked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  // While the table is locked, every attempt with a connection is in the middle of its transaction.
  const locking = world.db.$transaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE "IdempotencyKey" IN EXCLUSIVE MODE`;
    isLocked.resolve();
    await release.promise;
  });
  await isLocked.promise;
  const attempts = Promise.allSettled(
    Array.from({ length: 20 }, (_, index) =>
      createCheckoutSession({ ...world.ctx, db: lostDb }, merchant.scope, {
        planId: plan.planId,
        customerEmail: email,
        idempotencyKey: `crash-${index}`,
      }),
    ),
  );
  // For the database, a process that crashes is a process that loses its connections.
  const killed = await vi.waitFor(async () => {
    const rows = await world.db.$queryRaw<{ ended: boolean }[]>`
      SELECT pg_terminate_backend(pid) AS "ended" FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%IdempotencyKey%'`;
    expect(rows.length).toBeGreaterThan(0);
    return rows.length;
  }, SOON);
  release.resolve();
  await locking;
  const outcomes = await attempts;
  expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThanOrEqual(killed);
  await lostDb.$disconnect();
  const keys = await world.db.idempotencyKey.findMany({ where: { key: { startsWith: 'key:crash-' } } });
  const sessions = await world.db.checkoutSession.findMany({ where: { customerEmail: email } });
  expect(keys.map(({ sessionId }) => sessionId).toSorted()).toEqual(sessions.map(({ id }) => id).toSorted());
  for (let index = 0; index < 20; index++) await create(index, email, `crash-${index}`);
  expect(await sessionsOf(email)).toBe(20);
});

it('the same request returns its session after the plan has closed', async () => {
  const closing = await world.publishPlan(merchant, { planId: 'closing' });
  const open = (email: string, key?: string) => create(0, email, key, closing.planId);
  const [keyed, withoutKey] = [await open('keyed@example.com', 'kept'), await open('bare@example.com')];
  await world.db.plan.update({ where: { id: closing.id }, data: { status: 'INACTIVE' } });
  expect(await open('keyed@example.com', 'kept')).toEqual({ ...keyed, opened: undefined });
  expect(await open('bare@example.com')).toEqual({ ...withoutKey, opened: undefined });
  expect(await refusal(open('late@example.com'))).toEqual(invalid('planId'));
  expect(await refusal(open('other@example.com', 'kept'))).toEqual(invalid('idempotency_key'));
});
