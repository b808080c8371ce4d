import type { FaultKind } from './fault.ts';

const WEBHOOKS = 15;

/** The merchants' server answers the next webhooks with 500, or not at all. */
export function receiverFails(how: 'error' | 'hang'): FaultKind['run'] {
  return async (world) => world.merchantServer.misbehave(how, WEBHOOKS);
}
