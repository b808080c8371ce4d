import { performance } from 'node:perf_hooks';

/**
 * Shares an expensive check among callers: callers during a check wait for its result, which is
 * kept for `keepMs` from its start. Checks never run side by side.
 */
export function shareResult<T>(look: () => Promise<T>, keepMs: number): () => Promise<T> {
  let found: Promise<T> | undefined;
  let isLooking = false;
  let at = 0;
  return () => {
    const now = performance.now();
    if (found && (isLooking || now - at < keepMs)) return found;
    at = now;
    isLooking = true;
    found = look().finally(() => {
      isLooking = false;
    });
    return found;
  };
}
