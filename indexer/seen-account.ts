import type { Address, ReadonlyUint8Array } from '@solana/kit';
import { PROGRAM } from '../src/chain/addresses.ts';
import type { ChainAccount } from '../src/chain/read-accounts.ts';
import type { AccountUpdate } from '../src/chain/yellowstone.ts';

/** Behind every write of the slot that was read: a read shows what its slot left behind. */
const AFTER_ALL_WRITES = 2n ** 63n - 1n;

/** An account of the program at one moment, whichever way it was seen. */
export interface SeenAccount {
  readonly address: Address;
  /** Null where it is closed: nobody's, or not the program's any more. */
  readonly data: ReadonlyUint8Array | null;
  readonly slot: bigint;
  /** Orders what was seen of one slot. */
  readonly writeVersion: bigint;
}

export function seenOnStream({ address, owner, data, slot, writeVersion }: AccountUpdate): SeenAccount {
  return { address, data: owner === PROGRAM ? data : null, slot, writeVersion };
}

/** `slot` is that of the read: an account that is not there has none of its own. */
export function seenByReading(
  address: Address,
  account: Pick<ChainAccount, 'owner' | 'data'> | undefined,
  slot: bigint,
): SeenAccount {
  // Anyone can send lamports to the address of a closed account: it is there then, and nobody's.
  const data = account?.owner === PROGRAM ? account.data : null;
  return { address, data, slot, writeVersion: AFTER_ALL_WRITES };
}

/** Whether `seen` came before `than`. */
export function isOlder(
  seen: Pick<SeenAccount, 'slot' | 'writeVersion'>,
  than: Pick<SeenAccount, 'slot' | 'writeVersion'>,
): boolean {
  return seen.slot === than.slot ? seen.writeVersion < than.writeVersion : seen.slot < than.slot;
}
