import { setTimeout as wait } from 'node:timers/promises';
import type { FaultKind } from './catalog.ts';

const TAKEN_OVER_WITHIN_MS = 15_000;

/**
 * Two indexers lead: one is held still, its lock is taken from it, the other one takes over, and then the first one goes on
 * and believes for a while that it leads.
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
