import type { Address } from '@solana/kit';
import type { Commitment } from './accounts.ts';
import type { Bank } from './bank.ts';
import type { Chain } from './chain.ts';
import { type LoadedAddresses, loadAddresses, readsSlotHashes } from './lookup-tables.ts';
import type { ParsedTransaction } from './transaction.ts';
import type { TransactionError } from './transaction-error.ts';
import type { VirtualMachine } from './virtual-machine.ts';

const SLOT_HASHES = 512;

/** The parts of the network that run a transaction. */
export interface Runtime {
  readonly vm: VirtualMachine;
  readonly chain: Chain;
  readonly bank: Bank;
}

/** A transaction with loaded addresses. */
export interface ReadyTransaction {
  readonly transaction: ParsedTransaction;
  readonly loaded: LoadedAddresses;
  /** Static keys, then the writable and the readonly ones of `loaded`. */
  readonly keys: readonly Address[];
}

/** Loads the addresses at the commitment, and updates the sysvars that the transaction may read. */
export function prepareAccounts(
  { vm, chain, bank }: Runtime,
  transaction: ParsedTransaction,
  commitment: Commitment,
): ReadyTransaction | { readonly err: TransactionError } {
  const loaded = loadAddresses(transaction, (address) => bank.account(address, commitment));
  if ('err' in loaded) return loaded;
  chain.followClock();
  // The sysvar is set only for these transactions: setting 512 hashes would slow down every slot.
  if (readsSlotHashes(transaction)) {
    vm.setSlotHashes(
      chain.recentBlocks(SLOT_HASHES).map(({ slot, blockhash }) => ({ slot, hash: blockhash })),
    );
  }
  return { transaction, loaded, keys: [...transaction.staticKeys, ...loaded.writable, ...loaded.readonly] };
}
