import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { fenceDb } from '../../../indexer/source/fence-db.ts';
import { holdLeadership, LeadershipLost, Term } from '../../../indexer/source/leadership.ts';
import { savePosition, saveSearchedSlot } from '../../../indexer/stream-position.ts';
import { runPrepared } from '../../../src/db/db.ts';
import { SilentProxy } from '../../../tools/silent-proxy.ts';
import { type IndexerWorld, startIndexerWorld } from '../../indexer/world.ts';
import { SOON } from '../../support/soon.ts';

/** The process ids of the database connections that hold the indexer's lock. */
async function readLeaders({ db }: IndexerWorld): Promise<number[]> {
  const rows = await db.$queryRaw<{ pid: number }[]>`
    SELECT l.pid FROM pg_locks l JOIN pg_database d ON d.oid = l.database
    WHERE l.locktype = 'advisory' AND l.granted AND l.classid = ${0x64756573} AND d.datname = current_database()`;
  return rows.map(({ pid }) => pid);
}

const countTerms = (world: IndexerWorld) =>
  world.messages().filter((message) => message === 'indexer leads').length;

test('one of two indexers leads, and the other one leads when the first is closed', async () => {
  const world = await startIndexerWorld();
  const first = await world.startIndexing();
  const plan = await world.publishActivePlan();
  await world.startIndexing();
  await world.waitUntilCaughtUp();
  expect(await readLeaders(world)).toHaveLength(1);
  expect(countTerms(world)).toBe(1);
  await first.close();
  await world.waitForSubscription(plan, await world.subscribeWithoutCompleting(plan), 'ACTIVE');
  expect(await readLeaders(world)).toHaveLength(1);
  expect(countTerms(world)).toBe(2);
});

test('a leader whose connection breaks is replaced, and may lead again', async () => {
  const world = await startIndexerWorld();
  await world.startIndexing();
  const plan = await world.publishActivePlan();
  const second = await world.startIndexing();
  for (let round = 0; round < 3; round += 1) {
    const [leader] = await readLeaders(world);
    await world.db.$queryRaw`SELECT pg_terminate_backend(${leader}::int)`;
    await world.eventually(async () => {
      const [successor] = await readLeaders(world);
      expect(successor).toBeDefined();
      expect(successor).not.toBe(leader);
    });
    await world.waitForSubscription(plan, await world.subscribeWithoutCompleting(plan), 'ACTIVE');
  }
  await second.close();
  await world.waitForSubscription(plan, await world.subscribeWithoutCompleting(plan), 'ACTIVE');
});

test('a leader whose connection breaks and whose work does not end competes again', async () => {
  const world = await startIndexerWorld();
  const { databaseUrl } = world.ctx.config;
  const stop = new AbortController();
  const onNoAnswer = vi.fn();
  const options = {
    databaseUrl,
    environment: 'LIVE',
    checkMs: 50,
    lastWorkMs: 100,
    onNoAnswer,
    log: world.ctx.log,
  } as const;
  let terms = 0;
  const ended = holdLeadership(options, stop.signal, async (signal) => {
    terms += 1;
    if (terms === 1) await new Promise(() => undefined);
    if (!signal.aborted) await once(signal, 'abort');
  });
  // The lock is taken before the work begins.
  await world.eventually(async () => expect(terms).toBe(1));
  const [leader] = await readLeaders(world);
  await world.db.$queryRaw`SELECT pg_terminate_backend(${leader}::int)`;
  await world.eventually(async () => expect(terms).toBe(2));
  expect(world.messages()).toContain('work of a lost leadership does not end');
  expect(onNoAnswer).not.toHaveBeenCalled();
  stop.abort();
  await ended;
});

test('an indexer that is closed while it waits for leadership ends at once', async () => {
  const world = await startIndexerWorld();
  await world.startIndexing();
  await world.publishActivePlan();
  const standby = await world.startIndexing();
  await standby.close();
  expect(await readLeaders(world)).toHaveLength(1);
});

test('a leader that the network has lost is replaced, and notices it', async () => {
  const { ctx } = await startIndexerWorld();
  const { databaseUrl } = ctx.config;
  const proxy = await SilentProxy.start(Number(new URL(databaseUrl).port));
  onTestFinished(() => proxy.close());
  const stop = new AbortController();
  const compete = (url: string) => {
    const terms: { readonly term: Term; readonly signal: AbortSignal }[] = [];
    const onNoAnswer = vi.fn();
    const options = {
      databaseUrl: url,
      environment: 'LIVE',
      checkMs: 50,
      lastWorkMs: 60_000,
      onNoAnswer,
      log: ctx.log,
    } as const;
    const ended = holdLeadership(options, stop.signal, async (signal, term) => {
      terms.push({ term, signal });
      if (!signal.aborted) await once(signal, 'abort');
    });
    return { terms, ended, onNoAnswer };
  };
  const first = compete(proxy.urlOf(databaseUrl));
  await vi.waitFor(() => expect(first.terms).toHaveLength(1), SOON);
  const second = compete(databaseUrl);
  proxy.silence();
  // Nothing tells PostgreSQL that the first is gone: only the silence of its session.
  await vi.waitFor(() => expect(second.terms).toHaveLength(1), SOON);
  expect(first.terms[0]?.signal.aborted).toBe(true);
  expect(first.onNoAnswer).toHaveBeenCalledOnce();
  expect(() => first.terms[0]?.term.assertHeld()).toThrow(LeadershipLost);
  stop.abort();
  proxy.serve();
  await Promise.all([first.ended, second.ended]);
  expect(first.terms).toHaveLength(1);
});

test('a leader whose term is over or was not confirmed reaches no table', async () => {
  const { db } = await startIndexerWorld();
  const term = new Term(1n, performance.now());
  const fenced = fenceDb(db, () => term.assertHeld());
  expect(await fenced.merchant.count()).toBe(1);
  expect(await fenced.$transaction((tx) => tx.merchant.count())).toBe(1);
  // As after eight seconds in which the process stood still.
  term.confirm(performance.now() - 8_000);
  const uses = [
    () => fenced.merchant.updateMany({ data: { companyName: 'Changed' } }),
    () => fenced.$executeRaw`UPDATE "Merchant" SET "companyName" = 'Changed'`,
    () => fenced.$transaction((tx) => tx.merchant.updateMany({ data: { companyName: 'Changed' } })),
    () => runPrepared(fenced, { name: 'leadership.test', text: 'SELECT 1' }, []),
  ];
  for (const use of uses) await expect((async () => use())()).rejects.toThrow(LeadershipLost);
  expect(await db.merchant.count({ where: { companyName: 'Changed' } })).toBe(0);
  term.confirm(performance.now());
  expect(await fenced.merchant.count()).toBe(1);
  term.end();
  expect(() => fenced.merchant).toThrow(LeadershipLost);
});

test('a leader of an earlier term does not write the position, whatever its clock says', async () => {
  const world = await startIndexerWorld();
  const first = await world.startIndexing();
  await world.publishActivePlan();
  await world.waitUntilCaughtUp();
  const readRow = () => world.db.streamPosition.findUniqueOrThrow({ where: { environment: 'TEST' } });
  const { epoch } = await readRow();
  await first.close();
  const second = await world.startIndexing();
  await world.eventually(async () => expect((await readRow()).epoch).toBe(epoch + 1n));
  await second.close();
  const before = await readRow();
  const condition = { receivedSlot: before.slot + 1_000n, doubt: 'written by the first' };
  await savePosition({ ...world.ctx, epoch }, 'TEST', before.slot + 1_000n, condition);
  await saveSearchedSlot({ ...world.ctx, epoch }, 'TEST', before.slot + 1_000n);
  expect(await readRow()).toEqual(before);
  await savePosition({ ...world.ctx, epoch: epoch + 1n }, 'TEST', before.slot + 1n, { doubt: null });
  expect(await readRow()).toMatchObject({ slot: before.slot + 1n, epoch: epoch + 1n });
});
