import type { Address } from '@solana/kit';
import { inChunks } from '../../src/async/in-chunks.ts';
import { mapConcurrently } from '../../src/async/map-concurrently.ts';
import { readAddresses } from '../../src/chain/accounts/read-accounts.ts';
import type { Chain } from '../../src/chain/chain.ts';
import { asOf } from '../../src/chain/rpc/as-of.ts';
import { accountFromRead, type SeenAccount } from '../order/seen-account.ts';

/** Maximum accounts per `getMultipleAccounts` call. */
export const ACCOUNTS_PER_CALL = 100;
const MAX_CONCURRENT_CALLS = 8;

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
  const chunks = [...inChunks(addresses, ACCOUNTS_PER_CALL)];
  const seen = await mapConcurrently(chunks, MAX_CONCURRENT_CALLS, (chunk) =>
    readAddresses(fresh, chunk, 'program'),
  );
  return seen.flat().map(({ address, account, slot }) => accountFromRead(address, account, slot));
}
