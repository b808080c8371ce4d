// The minimum slot of an answer.
//
// Even one URL may lead to several nodes, at different slots. A node that is behind shows an old
// state, in which the customer had no money yet, had not approved or had not subscribed. A caller
// that makes a decision from an answer therefore requires a minimum slot: the slot that the mirror
// or the transaction in question has already shown. A node below it is called again. After some
// attempts the call throws NodeBehind, and the caller retries later without counting a failure.
// Reads that are only displayed, or that the chain checks again, accept any slot.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chain } from '../chain.ts';
import { slotWhenBehind } from './rpc-outcome.ts';

/** With the pauses between them, five seconds in total. */
const ATTEMPTS = 20;
const PAUSE_MS = 250;
/** Healthy nodes are less than this apart. The stream is often a few slots ahead of them. */
export const NEAR_SLOTS = 32n;
/** For a caller that has a fallback, or for which a person waits: half a second in total. */
export const FEW_ATTEMPTS = 3;

/** The node is behind the minimum slot. The caller retries later and counts no failure. */
export class NodeBehind extends Error {
  override name = 'NodeBehind';
}

/** The chain with a minimum slot for reads and simulations: this slot, or its own if higher. */
export function asOf(chain: Chain, slot: bigint, slotAttempts = chain.slotAttempts): Chain {
  const withAttempts = slotAttempts === undefined ? chain : { ...chain, slotAttempts };
  return slot > chain.minSlot ? { ...withAttempts, minSlot: slot } : withAttempts;
}

/** The chain without a minimum slot. No failure may be counted because of what it reads. */
export function asOfAny(chain: Chain): Chain {
  return { ...chain, minSlot: 0n };
}

/** The highest slot. */
export function highestSlot(slots: readonly bigint[]): bigint {
  let highest = 0n;
  for (const slot of slots) if (slot > highest) highest = slot;
  return highest;
}

/** The slot part of a method's configuration. */
export interface SlotConfig {
  readonly minContextSlot?: bigint;
}

/**
 * Calls up to `slotAttempts` times, until the answer has at least `minSlot`. A provider's proxy may
 * drop `minContextSlot`, so the slot of the answer is checked if it has one.
 *
 * @param slotOf the slot of the answer, if it has one
 * @throws NodeBehind
 */
export async function callAsOf<T>(
  { minSlot, slotAttempts = ATTEMPTS }: Pick<Chain, 'minSlot' | 'slotAttempts'>,
  call: (config: SlotConfig) => Promise<T>,
  slotOf: (answer: T) => bigint | undefined = () => undefined,
): Promise<T> {
  if (minSlot === 0n) return call({});
  let reached: bigint | undefined;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await call({ minContextSlot: minSlot });
      reached = slotOf(answer);
      if (reached === undefined || reached >= minSlot) return answer;
    } catch (error) {
      reached = slotWhenBehind(error);
      if (reached === undefined) throw error;
    }
    if (attempt >= slotAttempts)
      throw new NodeBehind(
        reached > 0n
          ? `The RPC node is at slot ${reached}, before ${minSlot}`
          : `The RPC node is before slot ${minSlot} and does not say where`,
      );
    await sleep(PAUSE_MS);
  }
}

/** An answer of `callNear`. */
export interface NearAnswer<T> {
  readonly answer: T;
  /** Whether the node is at most `NEAR_SLOTS` behind the minimum slot. */
  readonly isNear: boolean;
}

/**
 * Calls a node that has almost reached `minSlot`, or any node if all available ones are further
 * behind. For answers that may come from a node slightly behind, but not from one that has stopped,
 * because its answer would never change.
 */
export async function callNear<T>(
  minSlot: bigint,
  call: (config: SlotConfig) => Promise<T>,
): Promise<NearAnswer<T>> {
  const minContextSlot = minSlot - NEAR_SLOTS;
  if (minContextSlot <= 0n) return { answer: await call({}), isNear: true };
  try {
    return { answer: await call({ minContextSlot }), isNear: true };
  } catch (error) {
    if (slotWhenBehind(error) === undefined) throw error;
    return { answer: await call({}), isNear: false };
  }
}

/** The slot in the context of an answer. */
export function contextSlot({ context }: { readonly context: { readonly slot: bigint } }): bigint {
  return context.slot;
}
