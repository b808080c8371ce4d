import { setTimeout as wait } from 'node:timers/promises';
import { COLLECTING_DEFAULTS } from '../../src/config/cluster-config.ts';
import type { ChaosWorld } from '../world.ts';
import type { FaultKind } from './fault.ts';

/** Longer than the lifetime of a blockhash. */
const PAST_BLOCKHASHES_SECONDS = 60;
const SENT_WITHIN_MS = 5_000;
const UNLIMITED = 1_000_000;

/** Drops all transactions that are sent for a while. */
export const dropTransactions: FaultKind['run'] = async (world, { lastsMs }) => {
  await world.network.setFaults({ dropTransactions: UNLIMITED });
  await wait(lastsMs);
  await world.network.setFaults({ dropTransactions: 0 });
};

/**
 * Moves the time until the blockhashes of the transactions that were sent have expired. In half of the
 * cases they are lost: the cluster is congested, and only those that offer twice the minimum priority
 * fee land. In the other half they land, but all nodes answer that they have not, and some nodes are
 * behind.
 */
export const expireTransactions: FaultKind['run'] = async (world, { choice, lastsMs }) => {
  const lagSlots = choice % 4 === 1 ? 0 : 10 + (choice % 140);
  await world.network.setFaults(
    choice % 2 === 0
      ? { congestedBelow: 2 * Number(COLLECTING_DEFAULTS.minPriorityFee) }
      : { hideStatuses: true, nodes: { '*': { lagSlots } } },
  );
  const sent = await untilSent(world);
  await world.travel(PAST_BLOCKHASHES_SECONDS);
  await wait(lastsMs);
  await world.network.setFaults({ congestedBelow: 0, hideStatuses: false, nodes: { '*': { lagSlots: 0 } } });
  world.tally.add('transactions expired', sent);
};

/** Waits until transactions are in flight, at most five seconds. Returns their number. */
async function untilSent(world: ChaosWorld): Promise<number> {
  const deadline = performance.now() + SENT_WITHIN_MS;
  const countInFlight = () =>
    world.queryUntilAnswered(() => world.db.transferTransaction.count({ where: { status: 'SUBMITTED' } }));
  while ((await countInFlight()) === 0 && performance.now() < deadline) await wait(50);
  return countInFlight();
}

/**
 * Delays the landing of transactions for a while, some until just before their blockhash expires.
 */
export const delayTransactions: FaultKind['run'] = async (world, { choice, lastsMs }) => {
  await world.network.setFaults({ delayLandingSlots: 5 + (choice % 110) });
  await wait(lastsMs);
  await world.network.setFaults({ delayLandingSlots: 0 });
};
