import { setTimeout as wait } from 'node:timers/promises';
import type { FaultKind } from './fault.ts';

const TAKEN_OVER_WITHIN_MS = 15_000;

/**
 * Makes two indexers lead at the same time: the leader is suspended and loses its lock, the other
 * one takes over, and then the first one continues and still acts as the leader for a while.
 */
export const splitLeader: FaultKind['run'] = async (world, { lastsMs }) => {
  const before = await world.findLeader();
  const leader = world.rolesOf('indexer').find(({ name }) => name === before?.name);
  if (!before || !leader) return;
  await leader.freeze(async () => {
    await world.queryUntilAnswered(() => world.db.$queryRaw`SELECT pg_terminate_backend(${before.pid}::int)`);
    const deadline = performance.now() + TAKEN_OVER_WITHIN_MS;
    while (performance.now() < deadline) {
      const now = await world.findLeader();
      if (now && now.name !== before.name) {
        await wait(lastsMs / 2);
        world.tally.add('leader split');
        return;
      }
      await wait(50);
    }
  });
};
