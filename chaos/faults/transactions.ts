import { setTimeout as wait } from 'node:timers/promises';
import type { FaultKind } from './catalog.ts';

/** Longer than a blockhash lives. */
const PAST_BLOCKHASHES_SECONDS = 60;
const SENT_WITHIN_MS = 5_000;
const ALL = 1_000_000;

/** For a while nothing that is sent arrives. */
export const dropTransactions: FaultKind['run'] = async (world, { lastsMs }) => {
  await world.network.setFaults({ dropTransactions: ALL });
  await wait(lastsMs);
  await world.network.setFaults({ dropTransactions: 0 });
};

/** Nothing that is sent arrives until its blockhash is dead. */
export const loseTransactions: FaultKind['run'] = async (world) => {
  await world.network.setFaults({ dropTransactions: ALL });
  const deadline = performance.now() + SENT_WITHIN_MS;
  const open = () =>
    world.insist(() => world.db.transferTransaction.count({ where: { status: 'SUBMITTED' } }));
  while ((await open()) === 0 && performance.now() < deadline) await wait(50);
  const lost = await open();
  await world.travel(PAST_BLOCKHASHES_SECONDS);
  await world.network.setFaults({ dropTransactions: 0 });
  world.tally.add('transactions lost for good', lost);
};

/** For a while all that is sent lands later, some of it just before its blockhash dies. */
export const delayTransactions: FaultKind['run'] = async (world, { choice, lastsMs }) => {
  await world.network.setFaults({ delayLandingSlots: 5 + (choice % 110) });
  await wait(lastsMs);
  await world.network.setFaults({ delayLandingSlots: 0 });
};
