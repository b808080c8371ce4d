// The minimum slot of an answer.
//
// One or several URLs may lead to nodes at different slots. A node that is behind shows an old
// state, in which the customer had no money yet, had not approved or had not subscribed. A caller
// that decides by an answer therefore names a minimum slot: that of what is already known from the
// mirror or from the transaction in question. A node below it is asked again. After some attempts
// the call throws NodeBehind, which means "later" and is never counted as a failure. Reads that are
// only shown or that the chain checks again accept any slot.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chain } from '../chain.ts';
import { slotWhenBehind } from './rpc-outcome.ts';

/** Five seconds in total. */
const ATTEMPTS = 20;
const PAUSE_MS = 250;
/** The stream is often a few slots ahead of a healthy node. */
const NEAR_SLOTS = 32n;
/** Attempts of a caller with a fallback or with a person waiting: half a second in total. */
export const FEW_ATTEMPTS = 3;

/** The node is behind the known slot. It is asked again later; no failure is counted. */
export class NodeBehind extends Error {
  override name = 'NodeBehind';
}

/** The same chain, whose reads and simulations must have at least this slot. */
export function asOf(chain: Chain, slot: bigint, slotAttempts = chain.slotAttempts): Chain {
  const hurried = slotAttempts === undefined ? chain : { ...chain, slotAttempts };
  return slot > chain.minSlot ? { ...hurried, minSlot: slot } : hurried;
}

/** The same chain without a minimum slot. No failure may be counted from what it reads. */
export function asOfAny(chain: Chain): Chain {
  return { ...chain, minSlot: 0n };
}

/** The highest slot. */
export function newest(slots: readonly bigint[]): bigint {
  let max = 0n;
  for (const slot of slots) if (slot > max) max = slot;
  return max;
}

/** The slot part of a method's configuration. */
export interface SlotConfig {
  readonly minContextSlot?: bigint;
}

/**
 * Asks up to `slotAttempts` times until the answer has at least `minSlot`. A provider's proxy may
 * drop that parameter, so the slot of the answer is checked if it has one.
 *
 * @param slotOf the slot of the answer, if it has one
 * @throws NodeBehind
 */
export async function askAsOf<T>(
  { minSlot, slotAttempts = ATTEMPTS }: Pick<Chain, 'minSlot' | 'slotAttempts'>,
  ask: (config: SlotConfig) => Promise<T>,
  slotOf: (answer: T) => bigint | undefined = () => undefined,
): Promise<T> {
  if (minSlot === 0n) return ask({});
  let reached: bigint | undefined;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await ask({ minContextSlot: minSlot });
      reached = slotOf(answer);
      if (reached === undefined || reached >= minSlot) return answer;
    } catch (error) {
      reached = slotWhenBehind(error);
      if (reached === undefined) throw error;
    }
    if (attempt >= slotAttempts)
      throw new NodeBehind(`The RPC node is at slot ${reached}, before ${minSlot}`);
    await sleep(PAUSE_MS);
  }
}

/**
 * Asks a node that has about reached `minSlot`, or any node where all are further behind: for
 * answers that every node can give, but a stopped node would give forever.
 */
export async function askNear<T>(minSlot: bigint, ask: (config: SlotConfig) => Promise<T>): Promise<T> {
  const minContextSlot = minSlot - NEAR_SLOTS;
  if (minContextSlot <= 0n) return ask({});
  return ask({ minContextSlot }).catch((error: unknown) => {
    if (slotWhenBehind(error) === undefined) throw error;
    return ask({});
  });
}

/** The slot in the context of an answer. */
export function contextSlot({ context }: { readonly context: { readonly slot: bigint } }): bigint {
  return context.slot;
}
