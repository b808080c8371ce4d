import { isDeepStrictEqual } from 'node:util';
import type { Address } from '@solana/kit';
import {
  type AccountState,
  AccountStore,
  type AccountWrite,
  CLOSED_ACCOUNT,
  type Commitment,
} from './accounts.ts';
import type { Chain } from './chain.ts';
import type { TransactionRecord } from './ledger.ts';
import { UnwritableAccount, type VirtualMachine } from './virtual-machine.ts';

const SYSVAR_OWNER = 'Sysvar1111111111111111111111111111111111111' as Address;

/** A changed account. */
export interface ChangedAccount {
  /** Its state at a commitment. */
  readonly past: AccountState;
  /** Its newest state. */
  readonly newest: AccountState;
}

export interface BankOptions {
  readonly vm: VirtualMachine;
  readonly chain: Chain;
  /** Saved accounts and the number of their last write. */
  readonly saved?: { readonly accounts: Iterable<AccountWrite>; readonly writeVersion: number };
  /** Called for every write except those of genesis. */
  readonly onWrite: (write: AccountWrite) => void;
}

/**
 * The accounts at each commitment. The store holds the versions that were written on this network.
 * The virtual machine holds the newest state of each account, and also the accounts that LiteSVM
 * provides and that have not been written yet.
 */
export class Bank {
  readonly #vm: VirtualMachine;
  readonly #chain: Chain;
  readonly #onWrite: (write: AccountWrite) => void;
  readonly #store = new AccountStore();
  #writeVersion: number;

  constructor({ vm, chain, saved, onWrite }: BankOptions) {
    this.#vm = vm;
    this.#chain = chain;
    this.#onWrite = onWrite;
    this.#writeVersion = saved?.writeVersion ?? 0;
    for (const write of saved?.accounts ?? []) this.#store.add(write);
  }

  get writeVersion(): number {
    return this.#writeVersion;
  }

  account(address: Address, commitment: Commitment): AccountState | null {
    const write = this.#store.at(address, this.#chain.slot(commitment));
    if (write) return write.account.lamports > 0n ? write.account : null;
    if (this.#store.has(address)) return null;
    // The account was never written on this network: LiteSVM provides it. Programs do not change;
    // sysvars change without a write.
    this.#chain.followClock();
    const time = this.#chain.isLagging ? this.#chain.timeAt(commitment) : null;
    const account = this.#vm.during(new Map(), time, () => this.#vm.getAccount(address));
    if (account?.executable) this.#keepAsGenesis(address, account);
    return account;
  }

  ownedBy(owner: Address, commitment: Commitment): Iterable<AccountWrite> {
    return this.#store.ownedBy(owner, this.#chain.slot(commitment));
  }

  /** The newest write of every account, for saving. */
  latest(): Iterable<AccountWrite> {
    return this.#store.latest();
  }

  /**
   * The accounts among `addresses` that have changed since the commitment. Programs are left out,
   * so simulations run their newest version: loading programs repeatedly would be too expensive.
   */
  changedSince(commitment: Commitment, addresses: readonly Address[]): Map<Address, ChangedAccount> {
    const slot = this.#chain.slot(commitment);
    const changed = new Map<Address, ChangedAccount>();
    for (const address of addresses) {
      if (!this.#store.hasChangedSince(address, slot)) continue;
      const past = this.account(address, commitment) ?? CLOSED_ACCOUNT;
      // The newest state is restored afterwards, even if the called node is behind.
      const newest =
        this.#chain.seenWith(undefined, () => this.account(address, 'processed')) ?? CLOSED_ACCOUNT;
      if (!past.executable && !newest.executable) changed.set(address, { past, newest });
    }
    return changed;
  }

  /**
   * Records a state that the virtual machine already has. `signature` is that of the writing
   * transaction, or null without one.
   */
  record(address: Address, written: AccountState, signature: string | null): void {
    const write = this.#nextWrite(address, written, signature);
    this.#store.add(write);
    this.#onWrite(write);
  }

  /**
   * Writes an account without a transaction.
   *
   * @throws UnwritableAccount for a sysvar, for closing a program, or for a program that cannot run
   */
  set(address: Address, account: AccountState): void {
    this.#put(address, account);
    this.record(address, account, null);
  }

  /**
   * Writes an account without a transaction, as `set` does, but readers at every commitment see the
   * write at once. Streams report it like any other write, once per commitment.
   */
  overwrite(address: Address, account: AccountState): void {
    this.#put(address, account);
    const write = this.#nextWrite(address, account, null);
    this.#store.replace({ ...write, slot: this.#chain.slot('finalized') });
    this.#onWrite(write);
  }

  /**
   * Restores the accounts of a transaction to the state before its slot.
   *
   * @throws RangeError if one of them was written since, and this was not undone; then nothing changes
   */
  undo({ signature, slot, accountKeys }: TransactionRecord): void {
    const before = new Map<Address, AccountState>();
    for (const address of accountKeys) {
      const write = this.#store.at(address, slot);
      if (write?.signature !== signature) continue;
      if (!isDeepStrictEqual(this.account(address, 'processed') ?? CLOSED_ACCOUNT, write.account)) {
        throw new RangeError(`${address} was written since ${signature}`);
      }
      before.set(address, this.#store.at(address, slot - 1)?.account ?? CLOSED_ACCOUNT);
    }
    for (const [address, account] of before) this.set(address, account);
  }

  /** Adds an account that was finalized from the start, without an event. */
  setGenesis(address: Address, account: AccountState): void {
    this.#vm.setAccount(address, account);
    this.#keepAsGenesis(address, account);
  }

  /** Drops the versions that no commitment can show once this slot is finalized. */
  prune(finalizedSlot: number): void {
    this.#store.prune(finalizedSlot);
  }

  #put(address: Address, account: AccountState): void {
    // Reading first keeps the state from LiteSVM for commitments that this write has not reached.
    const before = this.account(address, 'processed');
    // LiteSVM keeps a sysvar's bytes even if it refuses them, and ends the process when it next
    // decodes them.
    if ([before?.owner, account.owner].includes(SYSVAR_OWNER) || address.startsWith('Sysvar')) {
      throw new UnwritableAccount(`${address} is a sysvar`);
    }
    // It also ends the process if a called program has no account.
    if (before?.executable && account.lamports === 0n) {
      throw new UnwritableAccount(`${address} is a program, which cannot be closed`);
    }
    this.#vm.setAccount(address, account);
  }

  #nextWrite(address: Address, written: AccountState, signature: string | null): AccountWrite {
    const account = written.lamports > 0n ? written : CLOSED_ACCOUNT;
    this.#writeVersion += 1;
    const slot = this.#chain.slot('processed');
    return { address, slot, writeVersion: this.#writeVersion, account, signature };
  }

  #keepAsGenesis(address: Address, account: AccountState): void {
    this.#writeVersion += 1;
    const slot = this.#chain.slot('finalized');
    this.#store.add({ address, slot, writeVersion: this.#writeVersion, account, signature: null });
  }
}
