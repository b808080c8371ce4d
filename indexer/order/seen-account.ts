import type { Address, ReadonlyUint8Array } from '@solana/kit';
import { PROGRAM } from '../../src/chain/accounts/addresses.ts';
import type { ChainAccount } from '../../src/chain/accounts/read-accounts.ts';
import type { AccountUpdate } from '../../src/chain/rpc/yellowstone.ts';

/** Sorts after every write of the slot: a read shows the state at the end of its slot. */
const AFTER_ALL_WRITES = 2n ** 63n - 1n;

/** The state of an account of the program, from a stream or a read. */
export interface SeenAccount {
  readonly address: Address;
  /** Null for a closed account, which has another owner or does not exist. */
  readonly data: ReadonlyUint8Array | null;
  readonly slot: bigint;
  /** Orders the states within one slot. */
  readonly writeVersion: bigint;
}

/** The state in an update of the stream. */
export function accountFromStream({ address, owner, data, slot, writeVersion }: AccountUpdate): SeenAccount {
  return { address, data: owner === PROGRAM ? data : null, slot, writeVersion };
}

/** @param slot the slot of the read, because a missing account has none */
export function accountFromRead(
  address: Address,
  account: Pick<ChainAccount, 'owner' | 'data'> | undefined,
  slot: bigint,
): SeenAccount {
  // Anyone can send lamports to the address of a closed account: the account then exists with
  // another owner.
  const data = account?.owner === PROGRAM ? account.data : null;
  return { address, data, slot, writeVersion: AFTER_ALL_WRITES };
}

/** Whether a state is older than another. */
export function isOlder(
  seen: Pick<SeenAccount, 'slot' | 'writeVersion'>,
  other: Pick<SeenAccount, 'slot' | 'writeVersion'>,
): boolean {
  return seen.slot === other.slot ? seen.writeVersion < other.writeVersion : seen.slot < other.slot;
}
