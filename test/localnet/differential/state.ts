/** The current contents of the program's accounts, so that most random calls name existing ones. */
import type { Address } from '@solana/kit';
import { addressOf } from '../../../localnet/address-bytes.ts';
import { SUBSCRIPTIONS_PROGRAM } from '../../../localnet/genesis.ts';
import type { Machines } from './machines.ts';

export const KINDS = { authority: 0, plan: 1, fixed: 2, recurring: 3, subscription: 4 };

export interface ExistingAccount {
  readonly address: Address;
  readonly kind: number;
  readonly data: Buffer;
}

/** The existing accounts of the program, updated from each transaction's accounts. */
export class State {
  readonly #machines: Machines;
  readonly #live = new Map<Address, ExistingAccount>();

  constructor(machines: Machines) {
    this.#machines = machines;
  }

  update(addresses: Iterable<Address>): void {
    for (const address of addresses) {
      const account = this.#machines.read(address);
      if (account?.owner !== SUBSCRIPTIONS_PROGRAM) this.#live.delete(address);
      else this.#live.set(address, { address, kind: account.data[0] ?? -1, data: Buffer.from(account.data) });
    }
  }

  get(address: Address): ExistingAccount | undefined {
    return this.#live.get(address);
  }

  /** All accounts of these kinds, or of any kind. */
  of(...kinds: number[]): ExistingAccount[] {
    const accounts = [...this.#live.values()];
    return kinds.length === 0 ? accounts : accounts.filter(({ kind }) => kinds.includes(kind));
  }
}

/** Reads an address from an account. Bytes after the account's end are zeros, here and below. */
export function addressAt({ data }: ExistingAccount, offset: number): Address {
  const bytes = new Uint8Array(32);
  bytes.set(data.subarray(offset, offset + 32));
  return addressOf(bytes);
}

export function i64At({ data }: ExistingAccount, offset: number): bigint {
  return data.length >= offset + 8 ? data.readBigInt64LE(offset) : 0n;
}

export function bytesAt({ data }: ExistingAccount, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  bytes.set(data.subarray(offset, offset + length));
  return bytes;
}
