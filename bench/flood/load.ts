// A separate process for `main.ts`. For each message it floods the API with one attack, or uses
// the processor without calling the API, for a limited time.
import { setTimeout as wait } from 'node:timers/promises';
import { ATTACKS, type AttackName, type AttackOptions, type FloodFigures } from './attacks.ts';

export interface FloodOrder extends Omit<AttackOptions, 'until' | 'count'> {
  readonly attack: AttackName;
  readonly seconds: number;
}

/** A request to use as much processor time as a flood did, without calling the API. */
export interface NeighbourOrder {
  readonly busyShare: number;
  readonly seconds: number;
}

const TURN_MS = 10;

process.on('message', async (order: FloodOrder | NeighbourOrder) => {
  const until = performance.now() + order.seconds * 1_000;
  if ('busyShare' in order) {
    await useProcessor(order.busyShare, until);
    process.send?.('done');
    return;
  }
  const { attack, seconds, ...options } = order;
  const count: FloodFigures = { refused: 0, answered: 0, opened: 0, busyShare: 0 };
  const before = process.cpuUsage();
  await ATTACKS[attack]({ ...options, until, count });
  const { user, system } = process.cpuUsage(before);
  count.busyShare = Math.min(1, (user + system) / 1_000_000 / seconds);
  process.send?.(count);
});

/** Uses a share of one processor until a time. */
async function useProcessor(share: number, until: number): Promise<void> {
  const since = performance.now();
  const before = process.cpuUsage();
  while (performance.now() < until) {
    const { user, system } = process.cpuUsage(before);
    if ((user + system) / 1_000 > (performance.now() - since) * share) await wait(TURN_MS);
    else for (const end = performance.now() + TURN_MS; performance.now() < end; );
  }
}

process.once('disconnect', () => process.exit());
