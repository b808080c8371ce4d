import { setTimeout as wait } from 'node:timers/promises';
import type { FaultMoment, MethodFault } from '../../localnet/faults.ts';
import { METHODS } from '../network.ts';
import type { FaultKind } from './fault.ts';

/** Number of failed calls per method. */
const TIMES = {
  'rate-limit': 6,
  'rate-limit-inside': 6,
  'server-error': 6,
  disconnect: 6,
  timeout: 2,
} as const;
const MOMENTS: readonly FaultMoment[] = ['before', 'after'];

/**
 * Makes the next calls of some methods fail, in half of the cases after they were executed. Only
 * `sendTransaction` hangs: a client waits about fifteen seconds for it, and no other work waits for
 * it.
 */
export function failCalls(fault: MethodFault): FaultKind['run'] {
  return async (world, { choice }) => {
    const when = MOMENTS[choice % MOMENTS.length] ?? 'before';
    const methods =
      fault === 'timeout'
        ? (['sendTransaction'] as const)
        : [0, 2, 5].map((offset) => METHODS[(choice + offset) % METHODS.length] ?? METHODS[0]);
    const settings = methods.map((method) => [method, { fault, times: TIMES[fault], when }] as const);
    await world.network.setFaults({ methods: Object.fromEntries(settings) });
  };
}

/**
 * Makes all nodes fall behind for a while, by at most 10 to 149 slots. They show no state from
 * before the slot that is finalized when the fault begins.
 */
export const lagNodes: FaultKind['run'] = async (world, { choice, lastsMs }) => {
  await world.network.setFaults({ nodes: { '*': { lagSlots: 10 + (choice % 140) } } });
  await wait(lastsMs);
  await world.network.setFaults({ nodes: { '*': { lagSlots: 0 } } });
};
