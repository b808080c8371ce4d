import { setTimeout as wait } from 'node:timers/promises';
import type { ChaosWorld } from '../world.ts';
import type { FaultKind } from './fault.ts';

const TAKEN_OVER_WITHIN_MS = 60_000;
const POLL_INTERVAL_MS = 50;

/**
 * Makes two indexers lead at the same time: the leader is suspended and loses its lock, the other
 * one takes over, and then the first one continues and still acts as the leader for a while.
 */
export const splitLeader: FaultKind['run'] = async (world, { lastsMs }) => {
  const takeOver = async ({ name, pid }: Leader) => {
    await world.queryUntilAnswered(() => world.db.$queryRaw`SELECT pg_terminate_backend(${pid}::int)`);
    return untilAnotherLeads(world, name);
  };
  await duringFreeze(world, takeOver, async (takenOverMs) => {
    await wait(lastsMs / 2);
    if (takenOverMs !== undefined) world.tally.add('leader split');
  });
};

/** Suspends the leader until the other indexer has taken over by itself, and measures the time. */
export const freezeLeader: FaultKind['run'] = async (world, { lastsMs }) => {
  await duringFreeze(
    world,
    ({ name }) => untilAnotherLeads(world, name),
    async (takenOverMs) => {
      if (takenOverMs === undefined) throw new Error('no indexer took over from a frozen one');
      world.tally.add('frozen');
      world.tally.measure('leader_s', takenOverMs / 1000);
      await wait(lastsMs / 2);
    },
  );
};

type Leader = NonNullable<Awaited<ReturnType<ChaosWorld['findLeader']>>>;

async function duringFreeze(
  world: ChaosWorld,
  takeOver: (leader: Leader) => Promise<number | undefined>,
  then: (takenOverMs: number | undefined) => Promise<void>,
): Promise<void> {
  const before = await world.findLeader();
  const leader = world.rolesOf('indexer').find(({ name }) => name === before?.name);
  if (!before || !leader) return;
  await leader.freeze(async () => then(await takeOver(before)));
}

/** The time until another indexer leads; undefined if none does. */
async function untilAnotherLeads(world: ChaosWorld, name: string): Promise<number | undefined> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < TAKEN_OVER_WITHIN_MS) {
    const now = await world.findLeader();
    if (now && now.name !== name) return performance.now() - startedAt;
    await wait(POLL_INTERVAL_MS);
  }
  return undefined;
}
