import { expect, test } from 'vitest';
import { type IndexerWorld, startIndexerWorld } from '../world.ts';

/** Backends that hold the indexer's lock. */
async function leaders({ db }: IndexerWorld): Promise<number[]> {
  const rows = await db.$queryRaw<{ pid: number }[]>`
    SELECT l.pid FROM pg_locks l JOIN pg_database d ON d.oid = l.database
    WHERE l.locktype = 'advisory' AND l.granted AND l.classid = ${0x64756573} AND d.datname = current_database()`;
  return rows.map(({ pid }) => pid);
}

const timesLed = (world: IndexerWorld) => world.messages().filter((each) => each === 'indexer leads').length;

test('of two indexers one leads, and the other takes over when it is closed', async () => {
  const world = await startIndexerWorld();
  const first = await world.startIndexing();
  const plan = await world.activePlan();
  await world.startIndexing();
  await world.caughtUp();
  expect(await leaders(world)).toHaveLength(1);
  expect(timesLed(world)).toBe(1);
  await first.close();
  await world.subscriptionIs(plan, await world.subscribeAndVanish(plan), 'ACTIVE');
  expect(await leaders(world)).toHaveLength(1);
  expect(timesLed(world)).toBe(2);
});

test('a leader whose connection breaks is replaced, and becomes a candidate again', async () => {
  const world = await startIndexerWorld();
  await world.startIndexing();
  const plan = await world.activePlan();
  const second = await world.startIndexing();
  for (let round = 0; round < 3; round += 1) {
    const [leader] = await leaders(world);
    await world.db.$queryRaw`SELECT pg_terminate_backend(${leader}::int)`;
    await world.eventually(async () => {
      const [successor] = await leaders(world);
      expect(successor).toBeDefined();
      expect(successor).not.toBe(leader);
    });
    await world.subscriptionIs(plan, await world.subscribeAndVanish(plan), 'ACTIVE');
  }
  await second.close();
  await world.subscriptionIs(plan, await world.subscribeAndVanish(plan), 'ACTIVE');
});

test('an indexer that is closed while it waits for leadership ends at once', async () => {
  const world = await startIndexerWorld();
  await world.startIndexing();
  await world.activePlan();
  const standby = await world.startIndexing();
  await standby.close();
  expect(await leaders(world)).toHaveLength(1);
});
