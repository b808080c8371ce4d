import type { Address } from '@solana/kit';
import type { AccountState } from './accounts.ts';
import { addressOf } from './address-bytes.ts';
import type { ParsedTransaction } from './transaction.ts';
import type { TransactionError } from './transaction-error.ts';

export const LOOKUP_TABLE_PROGRAM = 'AddressLookupTab1e1111111111111111111111111' as Address;
const TABLE_HEADER_BYTES = 56;

export interface LoadedAddresses {
  readonly writable: Address[];
  readonly readonly: Address[];
}

/**
 * Whether the transaction reads the SlotHashes sysvar: only the lookup table program, and
 * transactions that load from its tables, do.
 */
export function readsSlotHashes({ lookups, staticKeys }: ParsedTransaction): boolean {
  return lookups.length > 0 || staticKeys.includes(LOOKUP_TABLE_PROGRAM);
}

/** The addresses that a version 0 message loads from lookup tables, or a cluster's error. */
export function loadAddresses(
  transaction: ParsedTransaction,
  read: (address: Address) => AccountState | null,
): LoadedAddresses | { readonly err: TransactionError } {
  const writable: Address[] = [];
  const readonly: Address[] = [];
  for (const lookup of transaction.lookups) {
    const table = read(lookup.table);
    if (!table) return { err: 'AddressLookupTableNotFound' };
    if (table.owner !== LOOKUP_TABLE_PROGRAM) return { err: 'InvalidAddressLookupTableOwner' };
    const count = Math.floor((table.data.length - TABLE_HEADER_BYTES) / 32);
    if (count < 0) return { err: 'InvalidAddressLookupTableData' };
    const readAddress = (index: number) => addressAt(table.data, TABLE_HEADER_BYTES + 32 * index);
    const indexes = [...lookup.writableIndexes, ...lookup.readonlyIndexes];
    if (indexes.some((index) => index >= count)) return { err: 'InvalidAddressLookupTableIndex' };
    writable.push(...lookup.writableIndexes.map(readAddress));
    readonly.push(...lookup.readonlyIndexes.map(readAddress));
  }
  return { writable, readonly };
}

function addressAt(data: Uint8Array, offset: number): Address {
  return addressOf(data.subarray(offset, offset + 32));
}
