import { setTimeout as wait } from 'node:timers/promises';
import type { FaultKind } from './fault.ts';

/** Ends all streams, with an error or without one. */
export function breakStreams(how: 'cut' | 'end'): FaultKind['run'] {
  return async (world) => {
    await world.network.setFaults({ streams: { [how]: true } });
  };
}

/** Makes the streams skip up to eight slots, or repeat or reorder updates for a while. */
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
