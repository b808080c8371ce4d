import type { Commitment } from '../accounts.ts';
import type { Network } from '../network.ts';
import { MIN_CONTEXT_SLOT_NOT_REACHED, RpcError } from './method.ts';
import { configOf, invalidParams, oneOf, optionalNaturalOf } from './params.ts';

/** The software version that the network reports. */
export const API_VERSION = '4.0.0';

const COMMITMENTS = ['processed', 'confirmed', 'finalized'] as const;

/** The commitment of a read, and the newest slot that has reached it. */
export interface ReadContext {
  readonly commitment: Commitment;
  readonly slot: number;
}

/**
 * Reads a commitment; `finalized` if it is missing.
 *
 * @throws RpcError for another text
 */
export function commitmentOf(value: unknown): Commitment {
  return oneOf(value, COMMITMENTS, 'finalized');
}

/**
 * Reads `commitment` and `minContextSlot` from a method's configuration.
 *
 * @throws RpcError if the network has not reached `minContextSlot`
 */
export function readContext(network: Network, config: unknown): ReadContext {
  const { commitment, minContextSlot } = configOf(config);
  return contextAt(network, commitmentOf(commitment), minContextSlot);
}

/** @throws RpcError if the network has not reached `minContextSlot` */
export function contextAt(network: Network, commitment: Commitment, minContextSlot: unknown): ReadContext {
  const slot = network.slot(commitment);
  if (slot < (optionalNaturalOf(minContextSlot) ?? 0)) {
    throw new RpcError(MIN_CONTEXT_SLOT_NOT_REACHED, 'Minimum context slot has not been reached', {
      contextSlot: slot,
    });
  }
  return { commitment, slot };
}

/**
 * Reads the context as `readContext` does, for methods about history.
 *
 * @throws RpcError for `processed`, which these methods do not support
 */
export function readHistoryContext(network: Network, config: unknown): ReadContext {
  if (configOf(config).commitment === 'processed') {
    throw invalidParams('Method does not support commitment below `confirmed`');
  }
  return readContext(network, config);
}

export function withContext({ slot }: ReadContext, value: unknown): unknown {
  return { context: { slot, apiVersion: API_VERSION }, value };
}
