import { setTimeout as wait } from 'node:timers/promises';
import type { Network } from './network.ts';
import { saveState } from './state-file.ts';

const EVERY_MS = 1_000;
/** A large state takes long to write: so many times that long passes before it is written again. */
const REST_FACTOR = 20;

/** Keeps a network's state in a file; closed, it has written the last of it. */
export interface StateKeeper {
  close(): Promise<void>;
}

/**
 * Writes the network's state a moment after something happened to it, so that a process that is killed loses a second
 * or so and not everything since it was started: whoever kept books of this chain would be ahead of it by that.
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
      // The next one tries again; the last one, when it is closed, says what is wrong.
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

/** Changes where the chain's time is moved, and while it stands still. */
function aheadOfWall({ clock }: Network): number {
  return clock.paused ? 0 : clock.nowMs() - Date.now();
}

function rest(ms: number, signal: AbortSignal): Promise<boolean> {
  return wait(ms, true, { signal, ref: false }).catch(() => false);
}
