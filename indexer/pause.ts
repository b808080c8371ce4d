import type { Schedule } from './schedule.ts';

/** Sleeps; ends early when the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });
}

/**
 * Calls `task` at an interval until the signal aborts. A failure is passed to `onError`, and the
 * calls continue.
 */
export async function repeatEvery(
  ms: number,
  signal: AbortSignal,
  task: () => Promise<void>,
  onError: (error: unknown) => void,
): Promise<void> {
  for (;;) {
    await pause(ms, signal);
    if (signal.aborted) return;
    await task().catch(onError);
  }
}

/**
 * Calls `task` whenever it is due, until the signal aborts. A failure is passed to `onError`, and
 * the calls continue. A task that fails because of the abort stays due.
 */
export async function repeatWhenDue(
  schedule: Schedule,
  signal: AbortSignal,
  task: () => Promise<void>,
  onError: (error: unknown) => void,
): Promise<void> {
  for (;;) {
    await pause(schedule.remainingMs, signal);
    if (signal.aborted) return;
    try {
      await task();
      schedule.ran();
    } catch (error) {
      onError(error);
      if (!signal.aborted) schedule.ran();
    }
  }
}
