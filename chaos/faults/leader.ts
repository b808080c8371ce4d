import { setTimeout as wait } from 'node:timers/promises';
import type { FaultKind } from './fault.ts';

const TAKEN_OVER_WITHIN_MS = 15_000;

/**
 * Two indexers lead: the leader is suspended and loses its lock, the other one takes over, and then
 * the first one continues and for a while still acts as the leader.
 */
export const splitLeader: FaultKind['run'] = async (world, { lastsMs }) => {
  const before = await world.leader();
  const leader = world.rolesOf('indexer').find(({ name }) => name === before?.name);
  if (!before || !leader) return;
  await leader.frozen(async () => {
    await world.insist(() => world.db.$queryRaw`SELECT pg_terminate_backend(${before.pid}::int)`);
    const deadline = performance.now() + TAKEN_OVER_WITHIN_MS;
    while (performance.now() < deadline) {
      const now = await world.leader();
      if (now && now.name !== before.name) {
        await wait(lastsMs / 2);
        world.tally.add('leader split');
        return;
      }
      await wait(50);
    }
  });
};
