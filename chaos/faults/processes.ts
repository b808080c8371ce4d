import { setTimeout as wait } from 'node:timers/promises';
import type { ChaosWorld, RoleName } from '../world.ts';
import type { FaultKind } from './fault.ts';

/** Longer than a claim of due payments. */
const PAST_CLAIMS_SECONDS = 65;

/** One process of the role is killed and started again. */
export function killRole(role: RoleName): FaultKind['run'] {
  return async (world, { choice }) => {
    const running = world.rolesOf(role);
    if (await running[choice % running.length]?.killAndRestart()) world.tally.add(`${role} killed`);
  };
}

/** One process of the role is stopped during its work and started again. */
export function stopRole(role: RoleName): FaultKind['run'] {
  return async (world, { choice }) => {
    const running = world.rolesOf(role);
    if (await running[choice % running.length]?.stopAndRestart()) world.tally.add(`${role} stopped`);
  };
}

/**
 * A worker with claimed payments is suspended until its claims have expired, and then continues.
 */
export const freezeWorker: FaultKind['run'] = async (world: ChaosWorld, { choice, lastsMs }) => {
  const workers = world.rolesOf('worker');
  await workers[choice % workers.length]?.frozen(async () => {
    await world.travel(PAST_CLAIMS_SECONDS);
    await wait(lastsMs);
    world.tally.add('worker frozen');
  });
};
