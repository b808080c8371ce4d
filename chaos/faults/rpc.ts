import type { FaultMoment, MethodFault } from '../../localnet/faults.ts';
import type { FaultKind } from './catalog.ts';

/** What collecting and mirroring ask the node for. */
export const METHODS = [
  'sendTransaction',
  'getMultipleAccounts',
  'simulateTransaction',
  'getSignatureStatuses',
  'getLatestBlockhash',
  'getBlockHeight',
  'getTransaction',
  'getSignaturesForAddress',
  'getProgramAccounts',
] as const;
/** Calls of a method that meet with it. */
const TIMES = { 'rate-limit': 6, 'server-error': 6, disconnect: 6, timeout: 2 } as const;
const MOMENTS: readonly FaultMoment[] = ['before', 'after'];

/**
 * The next calls of some methods fail like that, every second time after they were carried out. A client waits some fifteen
 * seconds for an answer: only what is sent hangs, for nothing else waits for that.
 */
export function callsFail(fault: MethodFault): FaultKind['run'] {
  return async (world, { choice }) => {
    const when = MOMENTS[choice % MOMENTS.length] ?? 'before';
    const methods =
      fault === 'timeout'
        ? (['sendTransaction'] as const)
        : [0, 2, 5].map((step) => METHODS[(choice + step) % METHODS.length] ?? METHODS[0]);
    const settings = methods.map((method) => [method, { fault, times: TIMES[fault], when }] as const);
    await world.network.setFaults({ methods: Object.fromEntries(settings) });
  };
}
