import { setTimeout as wait } from 'node:timers/promises';
import type { BackendFactory, IQueueBackend } from 'bullmq';

const PAUSE_AFTER_ERROR_MS = 1_000;

/**
 * Delays errors of the store by a second. After an error, a worker of BullMQ 6.7 asks again within
 * a tenth of a second, for as long as the store returns errors (starting, disk full, read-only).
 */
export function pausing<B extends IQueueBackend, C>(
  createBackend: BackendFactory<B, C>,
): BackendFactory<B, C> {
  return (...args) => {
    const backend = createBackend(...args);
    backend.moveToActive = failingSlowly(backend.moveToActive.bind(backend));
    backend.waitForJob = failingSlowly(backend.waitForJob.bind(backend));
    return backend;
  };
}

function failingSlowly<Asked extends unknown[], Answer>(ask: (...asked: Asked) => Promise<Answer>) {
  return async (...asked: Asked): Promise<Answer> => {
    try {
      return await ask(...asked);
    } catch (error) {
      await wait(PAUSE_AFTER_ERROR_MS);
      throw error;
    }
  };
}
