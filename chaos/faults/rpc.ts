import { setTimeout as wait } from 'node:timers/promises';
import type { FaultMoment, MethodFault } from '../../localnet/faults.ts';
import { METHODS } from '../network.ts';
import type { FaultKind } from './fault.ts';

/** Affected calls per method. */
const TIMES = {
  'rate-limit': 6,
  'rate-limit-inside': 6,
  'server-error': 6,
  disconnect: 6,
  timeout: 2,
} as const;
const MOMENTS: readonly FaultMoment[] = ['before', 'after'];

/**
 * The next calls of some methods fail in the given way, every second one after it was executed.
 * Only sending hangs, because a client waits about fifteen seconds and nothing else waits for
 * sending.
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

/** For a while the RPC answers with the state of some slots ago. */
export const nodesLag: FaultKind['run'] = async (world, { choice, lastsMs }) => {
  await world.network.setFaults({ nodes: { '*': { lagSlots: 10 + (choice % 140) } } });
  await wait(lastsMs);
  await world.network.setFaults({ nodes: { '*': { lagSlots: 0 } } });
};
