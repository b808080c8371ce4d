import { setTimeout as wait } from 'node:timers/promises';
import type { BackendFactory, IQueueBackend } from 'bullmq';

const PAUSE_AFTER_ERROR_MS = 1_000;

/**
 * Delays errors of the store by a second. Without the delay, a worker of BullMQ 6.7 repeats its
 * call within a tenth of a second, for as long as the store returns errors (starting, disk full,
 * read-only).
 */
export function pauseAfterErrors<B extends IQueueBackend, C>(
  createBackend: BackendFactory<B, C>,
): BackendFactory<B, C> {
  return (...args) => {
    const backend = createBackend(...args);
    backend.moveToActive = delayErrors(backend.moveToActive.bind(backend));
    backend.waitForJob = delayErrors(backend.waitForJob.bind(backend));
    return backend;
  };
}

function delayErrors<Arguments extends unknown[], Answer>(ask: (...args: Arguments) => Promise<Answer>) {
  return async (...args: Arguments): Promise<Answer> => {
    try {
      return await ask(...args);
    } catch (error) {
      await wait(PAUSE_AFTER_ERROR_MS);
      throw error;
    }
  };
}
