import { performance } from 'node:perf_hooks';

/**
 * Shares an expensive check among callers. The result is kept for `keepMs` from the start of the
 * check. Callers during a check wait for its result, so two checks never run at the same time.
 */
export function shareResult<T>(check: () => Promise<T>, keepMs: number): () => Promise<T> {
  let result: Promise<T> | undefined;
  let isChecking = false;
  let startedAt = 0;
  return () => {
    const now = performance.now();
    if (result && (isChecking || now - startedAt < keepMs)) return result;
    startedAt = now;
    isChecking = true;
    result = check().finally(() => {
      isChecking = false;
    });
    return result;
  };
}
