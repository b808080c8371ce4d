import { setTimeout as wait } from 'node:timers/promises';
import type { FaultKind } from './fault.ts';

/** All streams end, with an error or without one. */
export function breakStreams(how: 'cut' | 'end'): FaultKind['run'] {
  return async (world) => {
    await world.network.setFaults({ streams: { [how]: true } });
  };
}

/** For a while slots are silently skipped, or updates are repeated or reordered. */
export function disturbStreams(how: 'skip' | 'duplicate' | 'reorder'): FaultKind['run'] {
  const streams = {
    skip: { on: { skipSlots: 8 }, off: { skipSlots: 0 } },
    duplicate: { on: { duplicate: true }, off: { duplicate: false } },
    reorder: { on: { reorder: true }, off: { reorder: false } },
  }[how];
  return async (world, { lastsMs }) => {
    await world.network.setFaults({ streams: streams.on });
    await wait(lastsMs);
    await world.network.setFaults({ streams: streams.off });
  };
}
