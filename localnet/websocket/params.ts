import { type Address, isAddress } from '@solana/kit';
import type { Commitment } from '../accounts.ts';
import type { AnyAccountEncoding } from '../rpc/account-encoding.ts';
import { INVALID_PARAMS, RpcError } from '../rpc/method.ts';

/**
 * Params of a subscription in the order a cluster reads them, refused in its words: first their number, then their
 * types, then what they say.
 */

const ENCODINGS: readonly string[] = ['binary', 'base64', 'base58', 'jsonParsed', 'base64+zstd'];
const COMMITMENTS: readonly string[] = ['processed', 'confirmed', 'finalized'];

/** @throws RpcError where there are fewer than `required` or more than `most`; a null at the end counts as left out */
export function positional(params: unknown, required: number, most: number): readonly unknown[] {
  const given = params ?? [];
  if (!Array.isArray(given)) throw refused(most === 0 ? NONE_EXPECTED : '`params` should be an array');
  if (given.length < required) {
    throw refused(`\`params\` should have at least ${required} argument(s)`);
  }
  if (given.length > most) {
    const expected = most === 0 ? NONE_EXPECTED : `Invalid parameters: Expected from ${required} to ${most} parameters.`;
    throw new RpcError(INVALID_PARAMS, expected, `Got: ${given.length}`);
  }
  return given;
}

const NONE_EXPECTED = 'Invalid parameters: No parameters were expected';
