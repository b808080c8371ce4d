import type { Address, ReadonlyUint8Array } from '@solana/kit';
import { AccountLayoutError, decodeTokenAccount } from '../src/chain/accounts.ts';
import { authorityAddress } from '../src/chain/addresses.ts';
import { readAccounts } from '../src/chain/read-accounts.ts';
import { retryNow, watchedTokenAccounts } from '../src/domain/payment/retry-now.ts';
import type { Mirror } from './mirror.ts';

/** What could be collected from a token account when it was last seen. */
interface LastSeen {
  readonly slot: bigint;
  readonly collectable: bigint;
}

/**
 * Watches the token accounts of past-due payers, and makes their payment due as soon as more can be collected than
 * before. Only more: a payment that fails although the money is there must not be tried in a loop, for every failure
 * counts. What a token account did may be missed; the payment's own retry comes anyway.
 */
export class TopUps {
  #mirror: Mirror;
  #seen = new Map<Address, LastSeen | undefined>();

  constructor(mirror: Mirror) {
    this.#mirror = mirror;
  }

  get watched(): Address[] {
    return [...this.#seen.keys()];
  }

  /** Takes over who is past due now. Answers with those that are new, or undefined where nobody came or went. */
  async refresh(): Promise<Address[] | undefined> {
    const { ctx, environment } = this.#mirror;
    const wanted = new Set((await watchedTokenAccounts(ctx, environment)) as Address[]);
    const gone = this.watched.filter((address) => !wanted.has(address));
    for (const address of gone) this.#seen.delete(address);
    const added = [...wanted].filter((address) => !this.#seen.has(address));
    for (const address of added) this.#seen.set(address, undefined);
    return added.length + gone.length > 0 ? added : undefined;
  }

  /** Looks at accounts by reading them: at new ones, which may have been topped up before they were watched. */
  async look(addresses: readonly Address[]): Promise<void> {
    for (const account of await readAccounts(this.#mirror.chain, addresses)) {
      if (account) await this.see(account);
    }
  }

  /** An account that may be one of them was seen. */
  async see(account: {
    readonly address: Address;
    readonly data: ReadonlyUint8Array;
    readonly slot: bigint;
  }): Promise<void> {
    const { address, data, slot } = account;
    const before = this.#seen.get(address);
    if (!this.#seen.has(address) || (before && before.slot > slot)) return;
    const collectable = await collectableFrom(data);
    this.#seen.set(address, { slot, collectable });
    if (collectable <= (before?.collectable ?? 0n)) return;
    const { ctx, environment } = this.#mirror;
    const retried = await retryNow(ctx, environment, address, collectable);
    if (retried > 0) ctx.log.info({ environment, tokenAccount: address, retried }, 'topped up, retried now');
  }
}

/** What the program could pull: the balance, where its authority is the delegate. */
async function collectableFrom(data: ReadonlyUint8Array): Promise<bigint> {
  try {
    const { owner, mint, amount, delegate, delegatedAmount, frozen } = decodeTokenAccount(data);
    if (frozen || !delegate || delegate !== (await authorityAddress(owner, mint))) return 0n;
    if (delegatedAmount < amount) return delegatedAmount;
    return amount;
  } catch (error) {
    // Closed: it is no token account any more.
    if (error instanceof AccountLayoutError) return 0n;
    throw error;
  }
}
