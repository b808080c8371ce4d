import type { Address, ReadonlyUint8Array } from '@solana/kit';
import { authorityFacts, subscriptionFacts } from '../src/chain/account-facts.ts';
import { AccountLayoutError, accountKind, decodeTokenAccount } from '../src/chain/accounts.ts';
import { authorityAddress, PROGRAM } from '../src/chain/addresses.ts';
import { readAccounts } from '../src/chain/read-accounts.ts';
import { retryNow, watchedTokenAccounts } from '../src/domain/payment/retry-now.ts';
import type { Mirror } from './mirror.ts';

/** 20 calls of 100 accounts: what a turn may ask of the cluster, however many are past due. */
const READ_A_TURN = 2_000;

/** What could be collected from a token account when it was last seen. */
interface LastSeen {
  readonly slot: bigint;
  readonly collectable: bigint;
}

/** What can be collected from a token account, and through which authority. */
interface Collectable {
  readonly amount: bigint;
  readonly authority: Address | null;
}

/**
 * Watches the token accounts of past-due payers, and makes their payment due as soon as more can be collected than
 * before. Only more: a payment that fails although the money is there must not be tried in a loop, for every failure
 * counts. What a token account did may be missed; the payment's own retry comes anyway.
 *
 * So many as the stream's provider lets a filter name are watched by the stream, the longest watched ones: who came first
 * stays, so that the filter changes little. The others are read in turn, some at a time.
 */
export class TopUps {
  #mirror: Mirror;
  /** How many the stream may watch. */
  #mostStreamed: number;
  /** In the order in which they came. */
  #seen = new Map<Address, LastSeen | undefined>();
  /** Those that the stream was asked for last. */
  #streamed: readonly Address[] = [];
  /** To be read soon: new ones, once as they come and once when the stream should know of them. */
  #unread: Address[] = [];
  #readAgain: Address[] = [];
  /** Where the turn of those that are not streamed stands. */
  #turn = 0;

  constructor(mirror: Mirror, { mostStreamed }: { readonly mostStreamed: number }) {
    this.#mirror = mirror;
    this.#mostStreamed = mostStreamed;
  }

  /** Takes over who is past due now. Answers with what the stream is to watch, where that is not what it watches. */
  async refresh(): Promise<readonly Address[] | undefined> {
    const { ctx, environment } = this.#mirror;
    const wanted = new Set((await watchedTokenAccounts(ctx, environment)) as Address[]);
    for (const address of this.#seen.keys()) if (!wanted.has(address)) this.#seen.delete(address);
    const added = [...wanted].filter((address) => !this.#seen.has(address));
    for (const address of added) this.#seen.set(address, undefined);
    // Nobody tells when a new request is in force: what happened until then shows the second time.
    this.#unread.push(...this.#readAgain, ...added);
    this.#readAgain = added;
    const streamed = [...this.#seen.keys()].slice(0, this.#mostStreamed);
    const isSame =
      streamed.length === this.#streamed.length &&
      streamed.every((address, index) => address === this.#streamed[index]);
    if (isSame) return undefined;
    this.#streamed = streamed;
    return streamed;
  }

  /** Reads some that the stream does not tell of: new ones first, then those that are too many for it, in turn. */
  async look(): Promise<void> {
    const unread = this.#unread.splice(0, READ_A_TURN).filter((address) => this.#seen.has(address));
    const rest = [...this.#seen.keys()].slice(this.#streamed.length);
    const left = Math.min(READ_A_TURN - unread.length, rest.length);
    const inTurn = Array.from({ length: left }, (_, index) => rest[(this.#turn + index) % rest.length]);
    this.#turn = rest.length > 0 ? (this.#turn + left) % rest.length : 0;
    const addresses = new Set([...unread, ...inTurn.filter((address) => address !== undefined)]);
    for (const account of await readAccounts(this.#mirror.chain, [...addresses])) {
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
    const { amount, authority } = await collectableFrom(data);
    this.#seen.set(address, { slot, collectable: amount });
    if (!authority || amount <= (before?.collectable ?? 0n)) return;
    const { ctx, environment } = this.#mirror;
    const retried = await retryNow(ctx, environment, {
      tokenAccount: address,
      balance: amount,
      subscriptions: await this.#approved(address, authority),
      isFirstLook: before === undefined,
    });
    if (retried > 0) ctx.log.info({ environment, tokenAccount: address, retried }, 'topped up, retried now');
  }

  /** Those past due that were agreed to through this authority: one that was made again pays for none of the old ones. */
  async #approved(tokenAccount: Address, authority: Address): Promise<string[]> {
    const { ctx, chain, environment } = this.#mirror;
    const [account] = await readAccounts(chain, [authority]);
    if (account?.owner !== PROGRAM || accountKind(account.data) !== 'authority') return [];
    const { initId } = authorityFacts(account.data);
    const pastDue = await ctx.db.subscription.findMany({
      where: { environment, tokenAccount, status: 'PAST_DUE' },
      select: { address: true },
    });
    const mirrored = await ctx.db.chainAccount.findMany({
      where: { environment, closed: false, address: { in: pastDue.map((each) => each.address) } },
    });
    return mirrored
      .filter(({ data }) => accountKind(data) === 'subscription' && subscriptionFacts(data).initId === initId)
      .map((each) => each.address);
  }
}

/** What the program could pull: the balance, where its authority is the delegate. */
async function collectableFrom(data: ReadonlyUint8Array): Promise<Collectable> {
  const nothing: Collectable = { amount: 0n, authority: null };
  try {
    const { owner, mint, amount, delegate, delegatedAmount, frozen } = decodeTokenAccount(data);
    if (frozen || !delegate || delegate !== (await authorityAddress(owner, mint))) return nothing;
    if (delegatedAmount < amount) return { amount: delegatedAmount, authority: delegate };
    return { amount, authority: delegate };
  } catch (error) {
    // Closed: it is no token account any more.
    if (error instanceof AccountLayoutError) return nothing;
    throw error;
  }
}
