import { setTimeout as wait } from 'node:timers/promises';

/** Only ends a wait that would hang. */
const LIMIT_MS = 600_000;

/**
 * Reads until the value is truthy. Returns it. An expensive read needs a long interval.
 *
 * @throws after ten minutes
 */
export async function pollUntil<T>(read: () => Promise<T | false>, everyMs = 50): Promise<T> {
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    const value = await read();
    if (value) return value;
    if (performance.now() > deadline)
      throw new Error(`no result of ${read} after ${LIMIT_MS / 60_000} minutes`);
    await wait(everyMs);
  }
}
