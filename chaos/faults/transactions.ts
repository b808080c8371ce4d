import { setTimeout as wait } from 'node:timers/promises';
import { COLLECTING_DEFAULTS } from '../../src/config/cluster-config.ts';
import type { ChaosWorld } from '../world.ts';
import type { FaultKind } from './fault.ts';

/** Longer than a blockhash is valid. */
const PAST_BLOCKHASHES_SECONDS = 60;
const SENT_WITHIN_MS = 5_000;
const ALL = 1_000_000;

/** For a while sent transactions are lost. */
export const dropTransactions: FaultKind['run'] = async (world, { lastsMs }) => {
  await world.network.setFaults({ dropTransactions: ALL });
  await wait(lastsMs);
  await world.network.setFaults({ dropTransactions: 0 });
};

/**
 * The cluster is congested: transactions with the first priority fee are dropped until their
 * blockhash expires, and those with a higher fee land.
 */
export const loseTransactions: FaultKind['run'] = async (world, { lastsMs }) => {
  await world.network.setFaults({ congestedBelow: 2 * Number(COLLECTING_DEFAULTS.minPriorityFee) });
  const lost = await untilSent(world);
  await world.travel(PAST_BLOCKHASHES_SECONDS);
  await wait(lastsMs);
  await world.network.setFaults({ congestedBelow: 0 });
  world.tally.add('transactions lost for good', lost);
};

/** Waits until transactions were sent, if any are. Returns their number. */
async function untilSent(world: ChaosWorld): Promise<number> {
  const deadline = performance.now() + SENT_WITHIN_MS;
  const open = () =>
    world.insist(() => world.db.transferTransaction.count({ where: { status: 'SUBMITTED' } }));
  while ((await open()) === 0 && performance.now() < deadline) await wait(50);
  return open();
}

/** For a while sent transactions land late, some just before their blockhash expires. */
export const delayTransactions: FaultKind['run'] = async (world, { choice, lastsMs }) => {
  await world.network.setFaults({ delayLandingSlots: 5 + (choice % 110) });
  await wait(lastsMs);
  await world.network.setFaults({ delayLandingSlots: 0 });
};
