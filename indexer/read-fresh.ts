import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from '@solana/kit';
import type { Chain } from '../src/chain/chain.ts';
import { CLOCK_SYSVAR, readAccounts } from '../src/chain/read-accounts.ts';
import { inChunks } from '../src/in-chunks.ts';
import { sideBySide } from '../src/side-by-side.ts';
import { type SeenAccount, seenByReading } from './seen-account.ts';

/** Read along, it tells of which slot the answer is where the account itself is missing. */
const WITNESS = CLOCK_SYSVAR;
const ACCOUNTS_A_CALL = 99;
const CALLS_AT_ONCE = 8;
const ATTEMPTS = 20;
const PAUSE_MS = 250;

/** The node that answers has not come as far as what was seen on another. */
export class NodeBehind extends Error {
  override name = 'NodeBehind';
}

/**
 * Reads accounts of the program as of `minSlot` or later: the node behind the RPC may be slower than the one that
 * streams, and would show what is closed as still open.
 *
 * @throws NodeBehind
 */
export async function readFresh(
  chain: Chain,
  addresses: readonly Address[],
  minSlot: bigint,
): Promise<SeenAccount[]> {
  const chunks = [...inChunks(addresses, ACCOUNTS_A_CALL)];
  const seen = await sideBySide(chunks, CALLS_AT_ONCE, async (chunk) => {
    const { slot, accounts } = await waitFor(minSlot, async () => {
      const [witness, ...found] = await readAccounts(chain, [WITNESS, ...chunk]);
      if (!witness) throw new Error('The cluster has no clock');
      return { slot: witness.slot, accounts: found };
    });
    return chunk.map((address, index) => seenByReading(address, accounts[index], slot));
  });
  return seen.flat();
}

async function waitFor<T extends { readonly slot: bigint }>(
  minSlot: bigint,
  read: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await read();
    if (answer.slot >= minSlot) return answer;
    if (attempt === ATTEMPTS)
      throw new NodeBehind(`The RPC node is at slot ${answer.slot}, before ${minSlot}`);
    await sleep(PAUSE_MS);
  }
}
