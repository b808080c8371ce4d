import type { FaultKind } from './fault.ts';

const FAILED_WEBHOOKS = 15;

/** Makes the merchants' server answer the next webhooks with 500, or not at all. */
export function failReceiver(failure: 'error' | 'hang'): FaultKind['run'] {
  return async (world) => world.merchantServer.failNext(failure, FAILED_WEBHOOKS);
}
