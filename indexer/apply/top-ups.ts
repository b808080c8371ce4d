import type { Address, ReadonlyUint8Array } from '@solana/kit';
import { mapConcurrently } from '../../src/async/map-concurrently.ts';
import { collectableOf } from '../../src/chain/accounts/collectable.ts';
import { readAccounts } from '../../src/chain/accounts/read-accounts.ts';
import { asOf, NodeBehind } from '../../src/chain/rpc/as-of.ts';
import { approvedSubscriptions } from '../../src/domain/billing/collect/approved-subscriptions.ts';
import { retryNow, watchedTokenAccounts } from '../../src/domain/billing/collect/retry-now.ts';
import { recordSlot, upToDate } from '../../src/domain/chain-state/mirror/known-slot.ts';
import type { Mirror } from './mirror.ts';

/**
 * Maximum accounts read per turn, for any number of past-due payers: 20 calls of 100 accounts.
 */
const READ_PER_TURN = 2_000;
const MAX_CONCURRENT_RETRIES = 4;
const POSTPONED = 'top-up not used: its account will be read again';

/** The slot of the last read of a token account, and the amount that could be collected then. */
interface LastSeen {
  readonly slot: bigint;
  readonly collectable: bigint;
}

/**
 * Watches the token accounts of past-due payers, and makes their payments due as soon as more can
 * be collected than before. An unchanged balance causes no attempt, because every failure counts. A
 * missed change is harmless, because the payments are retried anyway.
 *
 * The stream watches the maximum number of accounts that its provider allows: those of payments that are
 * retried, and then those that wait for a top-up, the newest first. The other accounts are read in turn.
 */
export class TopUps {
  #mirror: Mirror;
  /** Maximum accounts watched by the stream. */
  #maxStreamed: number;
  #seen = new Map<Address, LastSeen | undefined>();
  /** The accounts in the last stream filter. */
  #streamed: readonly Address[] = [];
  /**
   * Accounts to read in the next turns. An account that is new, or new in the stream filter, is read at
   * once, and again after the next refresh, when the filter should include it.
   */
  #unread: Address[] = [];
  #readAgain: Address[] = [];
  /** The index of the next account to read among those that are not streamed. */
  #turn = 0;

  constructor(mirror: Mirror, { maxStreamed }: { readonly maxStreamed: number }) {
    this.#mirror = mirror;
    this.#maxStreamed = maxStreamed;
  }

  /**
   * Loads the token accounts of the payers that are past due now. Returns the accounts of the new
   * stream filter if it changed.
   */
  async refresh(): Promise<readonly Address[] | undefined> {
    const { ctx, environment } = this.#mirror;
    const pastDue = new Set((await watchedTokenAccounts(ctx, environment)) as Address[]);
    for (const address of this.#seen.keys()) if (!pastDue.has(address)) this.#seen.delete(address);
    const streamed = [...pastDue].slice(0, this.#maxStreamed);
    const wasStreamed = new Set(this.#streamed);
    const isNewIn = new Set(streamed.filter((address) => !wasStreamed.has(address)));
    const added = [...pastDue].filter((address) => isNewIn.has(address) || !this.#seen.has(address));
    for (const address of added) if (!this.#seen.has(address)) this.#seen.set(address, undefined);
    // No message confirms a new filter, so the second read finds changes made before it took
    // effect. `push` is not called with all of them, because a call has a maximum number of
    // arguments.
    for (const addresses of [this.#readAgain, added]) {
      for (const address of addresses) this.#unread.push(address);
    }
    this.#readAgain = added;
    if (isNewIn.size === 0 && streamed.length === this.#streamed.length) return undefined;
    this.#streamed = streamed;
    return streamed;
  }

  /**
   * Reads some accounts without the stream: new ones first, then those beyond the stream's limit in
   * turn.
   */
  async readInTurn(): Promise<void> {
    const unread = this.#unread.splice(0, READ_PER_TURN).filter((address) => this.#seen.has(address));
    const streamed = new Set(this.#streamed);
    const unstreamed = [...this.#seen.keys()].filter((address) => !streamed.has(address));
    const count = Math.min(READ_PER_TURN - unread.length, unstreamed.length);
    const inTurn = Array.from(
      { length: count },
      (_, index) => unstreamed[(this.#turn + index) % unstreamed.length],
    );
    this.#turn = unstreamed.length > 0 ? (this.#turn + count) % unstreamed.length : 0;
    const addresses = new Set([...unread, ...inTurn.filter((address) => address !== undefined)]);
    const { ctx, chain } = this.#mirror;
    // Read at the known slot: an older state may show money that has been spent since, and every
    // failure counts.
    const accounts = await readAccounts(await upToDate(ctx, chain), [...addresses], 'fields').catch(
      (error: unknown) => {
        for (const address of unread) this.#unread.push(address);
        throw error;
      },
    );
    await this.#seeAll(accounts.filter((account) => account !== undefined));
  }

  /**
   * Applies the state of an account that may be watched. Never rejects: a top-up that cannot be
   * used now must not delay anything else, and its account is read again soon.
   */
  async applyState(account: SeenTokenAccount): Promise<void> {
    try {
      await this.#seeAll([account]);
    } catch (err) {
      const { ctx, environment } = this.#mirror;
      const facts = { err, environment, tokenAccount: account.address };
      if (err instanceof NodeBehind) ctx.log.warn(facts, 'node behind: top-up postponed');
      else ctx.log.error(facts, POSTPONED);
    }
  }

  /** Checks accounts together, because a read may return those of very many past-due payers. */
  async #seeAll(accounts: readonly SeenTokenAccount[]): Promise<void> {
    const before = new Map(accounts.map(({ address }) => [address, this.#seen.get(address)]));
    // A rise without a retry must count as a rise at the next read.
    const forget = (addresses: Iterable<Address>) => {
      for (const address of addresses) {
        if (!this.#seen.has(address)) continue;
        this.#seen.set(address, before.get(address));
        this.#unread.push(address);
      }
    };
    try {
      forget(await this.#retryRisen(accounts));
    } catch (error) {
      forget(before.keys());
      throw error;
    }
  }

  /**
   * Returns the accounts that must be looked at again: those whose payments could not be made due, and those
   * of payments that are being attempted, perhaps with the balance of before. They do not delay the others.
   */
  async #retryRisen(accounts: readonly SeenTokenAccount[]): Promise<readonly Address[]> {
    const risen: Risen[] = [];
    let seenUpTo = 0n;
    for (const { address, data, slot } of accounts) {
      if (!this.#seen.has(address)) continue;
      const { amount, authority } = await collectableOf(data);
      // Nothing may come between this and the change: another read may forget a rise that was not used.
      const before = this.#seen.get(address);
      if (!this.#seen.has(address) || (before && before.slot > slot)) continue;
      this.#seen.set(address, { slot, collectable: amount });
      if (!authority || amount <= (before?.collectable ?? 0n)) continue;
      if (slot > seenUpTo) seenUpTo = slot;
      risen.push({
        tokenAccount: address,
        balance: amount,
        slot,
        authority,
        isFirstLook: before === undefined,
      });
    }
    if (risen.length === 0) return [];
    const { ctx, chain, environment } = this.#mirror;
    // Collection must not use a state from before the top-up.
    await recordSlot(ctx, environment, seenUpTo);
    // Read at the slot of the rise, because the rise may come from a new approval.
    const approved = await approvedSubscriptions(ctx, asOf(chain, seenUpTo), environment, risen);
    const payable = risen.filter(({ tokenAccount }) => approved.has(tokenAccount));
    const again: Address[] = [];
    await mapConcurrently(payable, MAX_CONCURRENT_RETRIES, async (account) => {
      const { tokenAccount } = account;
      const subscriptions = approved.get(tokenAccount) ?? [];
      try {
        const { count: retried, isAttempting } = await retryNow(ctx, environment, {
          ...account,
          subscriptions,
        });
        if (retried > 0)
          ctx.log.info({ environment, tokenAccount, retried }, 'token account topped up: payments due now');
        if (isAttempting) again.push(tokenAccount);
      } catch (err) {
        again.push(tokenAccount);
        ctx.log.error({ err, environment, tokenAccount }, POSTPONED);
      }
    });
    return again;
  }
}

interface SeenTokenAccount {
  readonly address: Address;
  readonly data: ReadonlyUint8Array;
  readonly slot: bigint;
}

/** A token account from which more can be collected than before. */
interface Risen {
  readonly tokenAccount: Address;
  readonly balance: bigint;
  readonly slot: bigint;
  readonly authority: Address;
  readonly isFirstLook: boolean;
}
