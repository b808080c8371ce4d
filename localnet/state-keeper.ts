import { setTimeout as wait } from 'node:timers/promises';
import type { Network } from './network.ts';
import { saveState } from './state-file.ts';

const MIN_PAUSE_MS = 1_000;
/** A large state is slow to write: the pause is this many times the duration of the write. */
const PAUSE_FACTOR = 20;

/** Keeps a network's state in a file; `close` writes the final state. */
export interface StateKeeper {
  close(): Promise<void>;
}

/**
 * Writes the network's state shortly after a change, so that a killed process loses about a second,
 * or more if the state is large. If it lost much more, the books of dues would be far ahead of the
 * chain after a restart.
 */
export function keepState(network: Network, path: string): StateKeeper {
  let isChanged = true;
  let savedOffsetMs = timeOffsetMs(network);
  const onAccount = () => {
    isChanged = true;
  };
  network.on('account', onAccount);
  const closing = new AbortController();
  const save = async () => {
    isChanged = false;
    savedOffsetMs = timeOffsetMs(network);
    await saveState(path, network.save());
  };
  const saving = (async () => {
    let pauseMs = MIN_PAUSE_MS;
    while (await pause(pauseMs, closing.signal)) {
      const hasMoved = Math.abs(timeOffsetMs(network) - savedOffsetMs) >= MIN_PAUSE_MS;
      if (!isChanged && !hasMoved) continue;
      const startedAtMs = performance.now();
      // The next write retries; the last one, on close, reports the error.
      await save().catch(onAccount);
      pauseMs = Math.max(MIN_PAUSE_MS, PAUSE_FACTOR * (performance.now() - startedAtMs));
    }
  })();
  return {
    close: async () => {
      closing.abort();
      await saving;
      network.off('account', onAccount);
      await save();
    },
  };
}

/** The time by which the chain is ahead of the machine. While its clock is paused, its time. */
function timeOffsetMs({ clock }: Network): number {
  return clock.paused ? clock.nowMs() : clock.nowMs() - Date.now();
}

function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  return wait(ms, true, { signal, ref: false }).catch(() => false);
}
