import { expect, test } from 'vitest';
import { type IndexerWorld, startIndexerWorld } from '../world.ts';

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

test('an indexer that is closed while it waits for leadership ends at once', async () => {
  const world = await startIndexerWorld();
  await world.startIndexing();
  await world.publishActivePlan();
  const standby = await world.startIndexing();
  await standby.close();
  expect(await readLeaders(world)).toHaveLength(1);
});
