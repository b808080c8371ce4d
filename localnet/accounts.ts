import type { Address } from '@solana/kit';

export const SYSTEM_PROGRAM = '11111111111111111111111111111111' as Address;

/** Each commitment shows the state of the newest slot that has reached it. */
export type Commitment = 'processed' | 'confirmed' | 'finalized';

export interface AccountState {
  readonly lamports: bigint;
  readonly owner: Address;
  readonly data: Uint8Array;
  readonly executable: boolean;
}

/**
 * One write of one account. A closed account has no lamports and no data, and is owned by the
 * system program.
 */
export interface AccountWrite {
  readonly address: Address;
  readonly slot: number;
  /** Increases with every write on the network, so (slot, writeVersion) orders all writes. */
  readonly writeVersion: number;
  readonly account: AccountState;
  /** Base58 signature of the writing transaction; null for a cheat code or genesis. */
  readonly signature: string | null;
}

export const CLOSED_ACCOUNT: AccountState = {
  lamports: 0n,
  owner: SYSTEM_PROGRAM,
  data: new Uint8Array(),
  executable: false,
};

/**
 * The accounts that were written on this network, with the versions that the three commitments can
 * show: the newest finalized one and all later ones. An account is dropped once its closing is
 * finalized. An index by owner serves getProgramAccounts.
 */
export class AccountStore {
  #versions = new Map<Address, AccountWrite[]>();
  #byOwner = new Map<Address, Set<Address>>();
  #unpruned: { slot: number; address: Address }[] = [];

  add(write: AccountWrite): void {
    const { address, slot, account } = write;
    const versions = this.#versions.get(address);
    this.#index(address, account.owner);
    if (!versions) {
      this.#versions.set(address, [write]);
      if (account.lamports === 0n) this.#unpruned.push({ slot, address });
      return;
    }
    // Within a slot only the last write can be read.
    const replaced = versions.at(-1)?.slot === slot ? versions.pop() : undefined;
    versions.push(write);
    this.#unpruned.push({ slot, address });
    if (replaced) this.#unindexUnlessOwned(address, replaced.account.owner);
  }

  /** Adds a write that is visible at every commitment at once: older versions are dropped. */
  replace(write: AccountWrite): void {
    const { address, account } = write;
    const dropped = this.#versions.get(address) ?? [];
    this.#index(address, account.owner);
    this.#versions.set(address, [write]);
    if (account.lamports === 0n) this.#unpruned.push({ slot: write.slot, address });
    for (const { account: before } of dropped) this.#unindexUnlessOwned(address, before.owner);
  }

  /** The newest write at or before `slot`; undefined if there was none. */
  at(address: Address, slot: number): AccountWrite | undefined {
    return newestAt(this.#versions.get(address), slot);
  }

  has(address: Address): boolean {
    return this.#versions.has(address);
  }

  /** Whether the account was written in a later slot. */
  hasChangedSince(address: Address, slot: number): boolean {
    return (this.#versions.get(address)?.at(-1)?.slot ?? 0) > slot;
  }

  /** Existing accounts owned by `owner` at `slot`; none for the system program. */
  *ownedBy(owner: Address, slot: number): Generator<AccountWrite> {
    for (const address of this.#byOwner.get(owner) ?? []) {
      const write = this.at(address, slot);
      if (write && write.account.owner === owner && write.account.lamports > 0n) yield write;
    }
  }

  /**
   * The newest write of every account, also of closed ones that are not dropped yet, for saving.
   */
  *latest(): Generator<AccountWrite> {
    for (const versions of this.#versions.values()) {
      const write = versions.at(-1);
      if (write) yield write;
    }
  }

  /**
   * Drops the versions that no commitment can show: all that are older than the newest one at or
   * before `finalizedSlot`.
   */
  prune(finalizedSlot: number): void {
    let prunedCount = 0;
    for (const { slot, address } of this.#unpruned) {
      if (slot > finalizedSlot) break;
      prunedCount += 1;
      this.#pruneAccount(address, finalizedSlot);
    }
    if (prunedCount > 0) this.#unpruned.splice(0, prunedCount);
  }

  #pruneAccount(address: Address, finalizedSlot: number): void {
    const versions = this.#versions.get(address);
    if (!versions) return;
    const keepFrom = versions.findLastIndex((version) => version.slot <= finalizedSlot);
    if (keepFrom < 0) return;
    const dropped = versions.splice(0, keepFrom);
    const onlyVersion = versions.length === 1 ? versions[0] : undefined;
    if (onlyVersion && onlyVersion.account.lamports === 0n) {
      dropped.push(onlyVersion);
      this.#versions.delete(address);
    }
    for (const { account } of dropped) this.#unindexUnlessOwned(address, account.owner);
  }

  // System accounts are not indexed by owner: they are never listed, and there is one per wallet.
  #index(address: Address, owner: Address): void {
    if (owner === SYSTEM_PROGRAM) return;
    const addresses = this.#byOwner.get(owner);
    if (addresses) addresses.add(address);
    else this.#byOwner.set(owner, new Set([address]));
  }

  #unindexUnlessOwned(address: Address, owner: Address): void {
    if (this.#versions.get(address)?.some((version) => version.account.owner === owner)) return;
    const addresses = this.#byOwner.get(owner);
    addresses?.delete(address);
    if (addresses?.size === 0) this.#byOwner.delete(owner);
  }
}

function newestAt(versions: readonly AccountWrite[] | undefined, slot: number): AccountWrite | undefined {
  return versions?.findLast((version) => version.slot <= slot);
}
