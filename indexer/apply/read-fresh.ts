import type { Address } from '@solana/kit';
import { inChunks } from '../../src/async/in-chunks.ts';
import { sideBySide } from '../../src/async/side-by-side.ts';
import { readAddresses } from '../../src/chain/accounts/read-accounts.ts';
import type { Chain } from '../../src/chain/chain.ts';
import { asOf } from '../../src/chain/rpc/as-of.ts';
import { type SeenAccount, seenByReading } from '../order/seen-account.ts';

export const ACCOUNTS_A_CALL = 100;
const CALLS_AT_ONCE = 8;

/**
 * Reads accounts of the program at `minSlot` or later: the RPC node may be behind the streaming
 * node and still show closed accounts.
 *
 * @throws NodeBehind
 */
export async function readFresh(
  chain: Chain,
  addresses: readonly Address[],
  minSlot: bigint,
): Promise<SeenAccount[]> {
  const fresh = asOf(chain, minSlot);
  const chunks = [...inChunks(addresses, ACCOUNTS_A_CALL)];
  const seen = await sideBySide(chunks, CALLS_AT_ONCE, (chunk) => readAddresses(fresh, chunk));
  return seen.flat().map(({ address, account, slot }) => seenByReading(address, account, slot));
}
