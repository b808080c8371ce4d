import { setTimeout as wait } from 'node:timers/promises';
import type { Network } from './network.ts';
import { saveState } from './state-file.ts';

const EVERY_MS = 1_000;
/** A large state is slow to write: the pause is this many times the duration of the write. */
const REST_FACTOR = 20;

/** Keeps a network's state in a file; `close` writes the final state. */
export interface StateKeeper {
  close(): Promise<void>;
}

/**
 * Writes the network's state shortly after a change, so that a killed process loses about a second.
 * Otherwise the books of its clients would be ahead of the chain.
 */
export function keepState(network: Network, path: string): StateKeeper {
  let isChanged = true;
  let aheadMs = aheadOfWall(network);
  const onAccount = () => {
    isChanged = true;
  };
  network.on('account', onAccount);
  const closing = new AbortController();
  const save = async () => {
    isChanged = false;
    aheadMs = aheadOfWall(network);
    await saveState(path, network.save());
  };
  const saving = (async () => {
    let restMs = EVERY_MS;
    while (await rest(restMs, closing.signal)) {
      if (!isChanged && Math.abs(aheadOfWall(network) - aheadMs) < EVERY_MS) continue;
      const since = performance.now();
      // The next write retries; the last one, on close, reports the error.
      await save().catch(onAccount);
      restMs = Math.max(EVERY_MS, REST_FACTOR * (performance.now() - since));
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

/** Changes when the chain's time is moved or paused. */
function aheadOfWall({ clock }: Network): number {
  return clock.paused ? 0 : clock.nowMs() - Date.now();
}

function rest(ms: number, signal: AbortSignal): Promise<boolean> {
  return wait(ms, true, { signal, ref: false }).catch(() => false);
}
