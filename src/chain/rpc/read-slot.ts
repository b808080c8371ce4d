import type { Chain } from '../chain.ts';
import { callAsOf, callNear } from './as-of.ts';

/**
 * Reads the newest confirmed slot of a node that has reached the chain's minimum slot.
 *
 * @throws NodeBehind
 */
export function readSlot({
  rpc,
  ...limits
}: Pick<Chain, 'rpc' | 'minSlot' | 'slotAttempts'>): Promise<bigint> {
  return callAsOf(
    limits,
    (config) => rpc.getSlot({ commitment: 'confirmed', ...config }).send(),
    (slot) => slot,
  );
}

/**
 * Reads the newest confirmed slot of a node that has almost reached `minSlot`, or of any node if
 * all available ones are further behind.
 */
export async function readNearSlot({ rpc }: Pick<Chain, 'rpc'>, minSlot: bigint): Promise<bigint> {
  const { answer } = await callNear(minSlot, (config) =>
    rpc.getSlot({ commitment: 'confirmed', ...config }).send(),
  );
  return answer;
}
