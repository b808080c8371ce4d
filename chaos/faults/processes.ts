import { setTimeout as wait } from 'node:timers/promises';
import type { ChaosWorld, RoleName } from '../world.ts';
import type { FaultKind } from './fault.ts';

/** Longer than the claim of due payments lasts. */
const PAST_CLAIMS_SECONDS = 65;

/** Kills one process of the role and starts it again. */
export function killRole(role: RoleName): FaultKind['run'] {
  return async (world, { choice }) => {
    const running = world.rolesOf(role);
    if (await running[choice % running.length]?.killAndRestart()) world.tally.add(`${role} killed`);
  };
}

/** Stops one process of the role during its work and starts it again. */
export function stopRole(role: RoleName): FaultKind['run'] {
  return async (world, { choice }) => {
    const running = world.rolesOf(role);
    if (await running[choice % running.length]?.stopAndRestart()) world.tally.add(`${role} stopped`);
  };
}

/**
 * Suspends a worker, which may have claimed payments, until its claims have expired.
 */
export const freezeWorker: FaultKind['run'] = async (world: ChaosWorld, { choice, lastsMs }) => {
  const workers = world.rolesOf('worker');
  await workers[choice % workers.length]?.freeze(async () => {
    await world.travel(PAST_CLAIMS_SECONDS);
    await wait(lastsMs);
    world.tally.add('worker frozen');
  });
};
