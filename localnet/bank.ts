import type { Address } from '@solana/kit';
import {
  type AccountState,
  AccountStore,
  type AccountWrite,
  CLOSED_ACCOUNT,
  type Commitment,
} from './accounts.ts';
import type { Chain } from './chain.ts';
import { UnwritableAccount, type VirtualMachine } from './virtual-machine.ts';

const SYSVAR_OWNER = 'Sysvar1111111111111111111111111111111111111' as Address;

/** An account as it was at a commitment and as it is. */
export interface ChangedAccount {
  readonly then: AccountState;
  readonly now: AccountState;
}

export interface BankOptions {
  readonly vm: VirtualMachine;
  readonly chain: Chain;
  /** Accounts and the number of their last write, where they were saved. */
  readonly saved?: { readonly accounts: Iterable<AccountWrite>; readonly writeVersion: number };
  /** Told of every write but those of genesis. */
  readonly onWrite: (write: AccountWrite) => void;
}

/**
 * The accounts as each commitment sees them. What was written here is kept in versions; the virtual machine holds the
 * newest of each, and what it brought itself and nobody has written yet.
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
    // Never written here: one that LiteSVM brought. Programs stay as they are; sysvars change behind our back.
    this.#chain.followClock();
    const account = this.#vm.getAccount(address);
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
   * Those of the accounts that have changed since the commitment. Programs are left out: they always are the newest,
   * for loading them again and again would cost far more than the difference is worth.
   */
  changedSince(commitment: Commitment, addresses: readonly Address[]): Map<Address, ChangedAccount> {
    const slot = this.#chain.slot(commitment);
    const changed = new Map<Address, ChangedAccount>();
    for (const address of addresses) {
      if (!this.#store.hasChangedSince(address, slot)) continue;
      const then = this.account(address, commitment) ?? CLOSED_ACCOUNT;
      const now = this.account(address, 'processed') ?? CLOSED_ACCOUNT;
      if (!then.executable && !now.executable) changed.set(address, { then, now });
    }
    return changed;
  }

  /** Keeps what the virtual machine holds already, for a transaction's signature or, for a cheat code, null. */
  record(address: Address, written: AccountState, signature: string | null): void {
    const account = written.lamports > 0n ? written : CLOSED_ACCOUNT;
    this.#writeVersion += 1;
    const slot = this.#chain.slot('processed');
    const write = { address, slot, writeVersion: this.#writeVersion, account, signature };
    this.#store.add(write);
    this.#onWrite(write);
  }

  /** @throws UnwritableAccount for a sysvar, a program to be closed, or one that cannot be run */
  set(address: Address, account: AccountState): void {
    // Reading it first keeps what LiteSVM brought, for readers at the commitments that this write has yet to reach.
    const before = this.account(address, 'processed');
    // LiteSVM keeps a sysvar's bytes even where it refuses them, and ends the process when it next decodes them.
    if ([before?.owner, account.owner].includes(SYSVAR_OWNER) || address.startsWith('Sysvar')) {
      throw new UnwritableAccount(`${address} is a sysvar`);
    }
    // And it ends the process where a program is called whose account is gone.
    if (before?.executable && account.lamports === 0n) {
      throw new UnwritableAccount(`${address} is a program, which cannot be closed`);
    }
    this.#vm.setAccount(address, account);
    this.record(address, account, null);
  }

  /** Puts an account there as if it had always been: finalized from the start, told to nobody. */
  setGenesis(address: Address, account: AccountState): void {
    this.#vm.setAccount(address, account);
    this.#keepAsGenesis(address, account);
  }

  /** Forgets what no commitment can see any more, now that the slot is final. */
  prune(finalizedSlot: number): void {
    this.#store.prune(finalizedSlot);
  }

  #keepAsGenesis(address: Address, account: AccountState): void {
    this.#writeVersion += 1;
    const slot = this.#chain.slot('finalized');
    this.#store.add({ address, slot, writeVersion: this.#writeVersion, account, signature: null });
  }
}
