import { describe, expect, inject, it } from 'vitest';
import { startApi } from '../../src/api/server/server.ts';
import { createApp } from '../../src/app.ts';
import type { Chain } from '../../src/chain/chain.ts';
import type { Config } from '../../src/config.ts';
import { withSessionSettings } from '../../src/db/bounded-connection.ts';
import { connectDb, type Db, type DbTransaction } from '../../src/db/db.ts';
import { collectDue } from '../../src/domain/billing/collect/collect-due.ts';
import { followTransactions } from '../../src/domain/billing/follow/follow-transactions.ts';
import { Resends } from '../../src/domain/billing/follow/resends.ts';
import { createLog } from '../../src/observability/log.ts';
import { Gauges } from '../../src/operations/gauges.ts';
import { checkReadiness, isReady } from '../../src/operations/health.ts';
import { warnIfUnreplicated } from '../../src/operations/replication.ts';
import { pollUntil } from '../../tools/poll-until.ts';
import { startPostgresPair } from '../../tools/postgres-pair.ts';
import { querySql, runSql } from '../../tools/run-sql.ts';
import { aroundCalls } from '../scenarios/around-calls.ts';
import { DAY, PRICE, startWorld } from '../scenarios/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

const closing = new AsyncDisposableStack();
await sharedByFile({ close: () => closing.disposeAsync() });
const pair = await startPostgresPair(closing, {
  isSynchronous: true,
  // Its commits wait for the standby too.
  settings: ['autovacuum=off'],
});
// Blockhashes are valid for half a minute.
const world = await startWorld({ databaseUrl: pair.url, slotMs: 200 });
closing.defer(() => world.close());
const customer = await world.renewing();
await world.stopWorkers();
await world.stopIndexer();

/** Waits until a commit of this statement waits for the standby. Returns its process. */
const untilWaiting = (statement: string) =>
  pollUntil(async () => {
    const [session] = await querySql(
      pair.primaryUrl,
      `SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE '%${statement}%'`,
    );
    return session?.pid as number;
  });

const endWait = (pid: number, by = 'pg_cancel_backend') => runSql(pair.primaryUrl, `SELECT ${by}(${pid})`);

async function create(apiUrl: string, key: string) {
  const { planId } = await world.ctx.db.plan.findFirstOrThrow();
  const response = await fetch(`${apiUrl}/checkout/create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ planId, customerEmail: 'ann@example.com', idempotency_key: key }),
  });
  return { status: response.status, body: await response.json() };
}

describe('a checkout whose commit waits for a silent standby', () => {
  const CHECKOUT = 'IdempotencyKey';

  const UNKNOWN = {
    status: 500,
    body: { error: { code: 'internal_error', message: expect.stringContaining('did not confirm') } },
  };

  it('is unknown after the limit of an answer, and is found by its key later', async () => {
    await using stack = new AsyncDisposableStack();
    // The API of the world has no limits.
    const app = await createApp(world.ctx.config, 'api');
    stack.defer(() => app.close());
    const api = await startApi(app.ctx);
    stack.defer(() => api.close());
    const before = await world.ctx.db.checkoutSession.count();
    pair.pauseStandby();
    stack.defer(() => pair.resumeStandby());
    expect(await create(api.url, 'limit')).toMatchObject(UNKNOWN);
    expect(await world.ctx.db.checkoutSession.count()).toBe(before);
    pair.resumeStandby();
    const { status, body } = await create(api.url, 'limit');
    expect(status).toBe(200);
    expect(await create(api.url, 'limit')).toMatchObject({ status, body });
    expect(await world.ctx.db.checkoutSession.count()).toBe(before + 1);
  });

  it.each(['pg_cancel_backend', 'pg_terminate_backend'])(
    'is an error after %s, and its key returns it when replicated',
    async (end) => {
      await using stack = new AsyncDisposableStack();
      const before = await world.ctx.db.checkoutSession.count();
      pair.pauseStandby();
      stack.defer(() => pair.resumeStandby());
      const first = create(world.apiUrl, end);
      await endWait(await untilWaiting(CHECKOUT), end);
      expect(await first).toMatchObject(UNKNOWN);
      // The session is visible now, but no answer may say so.
      expect(await world.ctx.db.checkoutSession.count()).toBe(before + 1);
      const second = create(world.apiUrl, end);
      await endWait(await untilWaiting(CHECKOUT), end);
      expect(await second).toMatchObject(UNKNOWN);
      const third = create(world.apiUrl, end);
      await untilWaiting(CHECKOUT);
      pair.resumeStandby();
      expect((await third).status).toBe(200);
      expect(await world.ctx.db.checkoutSession.count()).toBe(before + 1);
    },
  );
});

describe('readiness', () => {
  const ctx = {
    ...world.ctx,
    config: { ...world.ctx.config, clusters: { ...world.ctx.config.clusters, LIVE: world.chain.config } },
  };

  it('ends while a commit waits for long, and metrics show the commit', async () => {
    await using stack = new AsyncDisposableStack();
    const read = () => checkReadiness(ctx, ['api']);
    expect(isReady(await read(), ['api'])).toBe(true);
    pair.pauseStandby();
    stack.defer(() => pair.resumeStandby());
    const waiting = runSql(pair.primaryUrl, "SELECT pg_logical_emit_message(true, 'test', '')");
    const checks = await pollUntil(async () => {
      const found = await read();
      return !isReady(found, ['api']) && found;
    });
    expect(checks.database).toEqual({ ok: true });
    expect(checks.commits).toEqual({ ok: false, detail: { count: 1, longestSeconds: expect.any(Number) } });
    const metrics = await new Gauges(ctx, ['worker'], read).scrape();
    expect(metrics).toMatch(/^dues_commits_waiting 1$/m);
    expect(Number(/^dues_commit_wait_seconds (.*)$/m.exec(metrics)?.[1])).toBeGreaterThan(5);
    pair.resumeStandby();
    await waiting;
    expect(isReady(await read(), ['api'])).toBe(true);
  });

  it('says whether live commits wait for a standby, and stays', async () => {
    const serverWithoutStandby = new URL('/postgres', inject('templateDatabaseUrl'));
    await using stack = new AsyncDisposableStack();
    const withDatabase = (databaseUrl: string, standby: Config['databaseStandby'] = 'expected') => {
      const db = connectDb(databaseUrl);
      stack.defer(() => db.$disconnect());
      return { ...ctx, db, config: { ...ctx.config, databaseUrl, databaseStandby: standby } };
    };
    expect((await checkReadiness(ctx, ['worker']))['standby LIVE']).toMatchObject({ ok: true });
    const alone = withDatabase(serverWithoutStandby.href);
    const checks = await checkReadiness(alone, ['api']);
    expect(checks['standby LIVE']).toEqual({
      ok: false,
      isAdvice: true,
      environment: 'LIVE',
      detail: { problem: 'synchronous_standby_names of PostgreSQL is empty' },
    });
    expect(isReady(checks, ['api'])).toBe(true);
    const local = withDatabase(withSessionSettings(pair.primaryUrl, { synchronous_commit: 'local' }));
    expect((await checkReadiness(local, ['api']))['standby LIVE']).toMatchObject({
      detail: { problem: 'synchronous_commit of our role is local' },
    });
    expect(await warnings(ctx)).toEqual([]);
    expect(await warnings(local)).toEqual([expect.stringContaining('DATABASE_STANDBY=unchecked')]);
    // Neither an operator that accepts it nor a test environment is warned.
    const unchecked = withDatabase(serverWithoutStandby.href, 'unchecked');
    const onlyTest = { ...alone, config: world.ctx.config };
    for (const silent of [unchecked, onlyTest]) {
      expect(await warnings(silent)).toEqual([]);
      expect(await checkReadiness(silent, ['api'])).not.toHaveProperty('standby LIVE');
    }
  });

  async function warnings(checked: Parameters<typeof warnIfUnreplicated>[0]): Promise<string[]> {
    const lines: string[] = [];
    const log = createLog('warn', { write: (line) => void lines.push(line) });
    await warnIfUnreplicated({ ...checked, log });
    return lines;
  }
});

it('a payment is not sent before the standby has it, and is paid once', async () => {
  await using stack = new AsyncDisposableStack();
  stack.defer(() => pair.resumeStandby());
  const { db } = world.ctx;
  let sent = 0;
  const chain = aroundCalls(world.chain, (method, send) => {
    if (method === 'sendTransaction') sent += 1;
    return send();
  });
  // The standby falls silent just before the commit of the signed transaction.
  const pausing = beforeCommit(db, async (tx) => {
    if ((await tx.transferTransaction.count({ where: { status: 'SUBMITTED' } })) > 0) pair.pauseStandby();
  });
  const ctx = { ...world.ctx, chain: { TEST: chain as Chain }, db: pausing };
  await world.jump(DAY);
  const collecting = collectDue(ctx, 'TEST');
  await endWait(await untilWaiting('COMMIT'));
  await collecting;
  expect(await db.transferTransaction.count({ where: { status: 'SUBMITTED' } })).toBe(1);
  expect(world.logged.map(({ msg }) => msg)).toContain('collection failed: will be retried');
  const resends = new Resends();
  const following = pollUntil(async () => {
    await followTransactions(ctx, 'TEST', resends);
    return sent > 0;
  });
  const sentTooEarly = following.then(() => {
    throw new Error('sent, and the standby does not have it');
  });
  await Promise.race([untilWaiting('pg_logical_emit_message'), sentTooEarly]);
  expect(sent).toBe(0);
  pair.resumeStandby();
  await expect(sentTooEarly).rejects.toThrow();
  await Promise.all([world.startIndexer(), world.startWorkers()]);
  await world.quiet();
  expect(await world.books(customer.id)).toMatchObject([{ status: 'SUCCEEDED' }, { status: 'SUCCEEDED' }]);
  expect(await world.tokensOf(customer.wallet.address)).toBe(98n * PRICE);
});

it('nothing is acknowledged or pulled in 30 silent seconds, and then all goes on', async () => {
  await using stack = new AsyncDisposableStack();
  const app = await createApp(world.ctx.config, 'api');
  stack.defer(() => app.close());
  const api = await startApi(app.ctx);
  stack.defer(() => api.close());
  const before = await world.ctx.db.checkoutSession.count();
  pair.pauseStandby();
  stack.defer(() => pair.resumeStandby());
  await world.jump(DAY);
  // A key that is taken before the API knows of the jump has expired at the next request.
  await app.ctx.clock.sync?.();
  const statuses: number[] = [];
  const waits: number[] = [];
  await pollUntil(async () => {
    statuses.push((await create(api.url, `silent ${statuses.length}`)).status);
    const checks = await checkReadiness(world.ctx, ['api']);
    const metrics = await new Gauges(world.ctx, ['worker'], async () => checks).scrape();
    waits.push(Number(/^dues_commit_wait_seconds (.*)$/m.exec(metrics)?.[1]));
    const isSilent = (waits.at(-1) ?? 0) > 30;
    if (isSilent) expect(isReady(checks, ['api'])).toBe(false);
    return isSilent;
  });
  expect(new Set(statuses)).toEqual(new Set([500]));
  expect(waits).toEqual(waits.toSorted((a, b) => a - b));
  expect(await world.tokensOf(customer.wallet.address)).toBe(98n * PRICE);
  pair.resumeStandby();
  // Those that were not acknowledged are found by their keys, or created now.
  for (const index of statuses.keys()) {
    expect((await create(api.url, `silent ${index}`)).status).toBe(200);
  }
  expect(await world.ctx.db.checkoutSession.count()).toBe(before + statuses.length);
  await world.until('the payment of the silent time is settled', async () => {
    const payments = await world.books(customer.id);
    return payments.length === 3 && payments.every(({ status }) => status === 'SUCCEEDED');
  });
  await world.quiet();
  expect(await world.tokensOf(customer.wallet.address)).toBe(97n * PRICE);
  expect(isReady(await checkReadiness(world.ctx, ['api']), ['api'])).toBe(true);
});

/** The same database. `run` is called in each transaction just before its commit. */
function beforeCommit(db: Db, run: (tx: DbTransaction) => Promise<void>): Db {
  type Work = (tx: DbTransaction) => Promise<unknown>;
  return new Proxy(db, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== '$transaction') return typeof value === 'function' ? value.bind(target) : value;
      return (work: Work, options?: object) =>
        target.$transaction(async (tx) => {
          const result = await work(tx);
          await run(tx);
          return result;
        }, options);
    },
  });
}
