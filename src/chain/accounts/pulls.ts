import type { Address } from '@solana/kit';
import type { Chain } from '../chain.ts';
import { type ReadAddress, readAddresses } from './read-accounts.ts';
import {
  obstacleTo,
  type ReceivedAsset,
  type Refusal,
  receivingAddresses,
  refusalOf,
} from './receiving-accounts.ts';

/** The terms of one pull. */
export interface PullTerms {
  readonly subscription: Address;
  readonly plan: Address;
  readonly payer: Address;
  /** The payer's associated token account, the only one that the program pulls from. */
  readonly payerTokenAccount: Address;
  /** The merchant's wallet, the plan's only destination. */
  readonly receiver: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly amount: bigint;
}

/** The terms and all addresses that the pull needs. */
export interface Pull extends PullTerms {
  /** The delegate of the payer's token account, with which the program moves tokens. */
  readonly authority: Address;
  /** An account that the receiver owns. */
  readonly receiverTokenAccount: Address;
  /** Whether the receiver's token account does not exist and must be created first. */
  readonly receiverIsMissing: boolean;
}

/** Where a merchant receives a token. The merchant may have closed an account. */
export interface Receiver extends Pick<Pull, 'receiverTokenAccount' | 'receiverIsMissing'> {
  /** The accounts that accept payments. If there is none, the fields describe the associated account. */
  readonly usable: readonly Address[];
  /** The reason why no account accepts payments; null if one does. */
  readonly refuses: Refusal | 'missing' | null;
  /** The slot of this read. */
  readonly slot: bigint;
}

/**
 * Reads the token accounts in which the merchant of each pull receives, as many as `countOf` says.
 * Accounts that several pulls share are derived and read once, because deriving is slow.
 */
export async function readReceivers(
  chain: Chain,
  terms: readonly PullTerms[],
  countOf: (terms: PullTerms) => number = () => 1,
): Promise<Receiver[]> {
  const keyOf = ({ receiver, mint }: PullTerms) => `${receiver} ${mint}`;
  const distinct = [...new Map(terms.map((term) => [keyOf(term), term])).values()];
  const derived = await Promise.all(
    distinct.map(async (term) => {
      const asset = { owner: term.receiver, mint: term.mint, tokenProgram: term.tokenProgram };
      return { key: keyOf(term), asset, addresses: await receivingAddresses(asset, countOf(term)) };
    }),
  );
  const accounts = await readAddresses(
    chain,
    derived.flatMap(({ addresses }) => addresses),
    'extensions',
  );
  const found = new Map<string, Receiver>();
  let start = 0;
  for (const { key, asset, addresses } of derived) {
    found.set(key, receiverOf(asset, accounts.slice(start, start + addresses.length)));
    start += addresses.length;
  }
  return terms.map((term) => {
    const receiver = found.get(keyOf(term));
    if (!receiver) throw new Error('a receiver was not read');
    return receiver;
  });
}

/** The receiver with these accounts, of which the associated one is the first. */
function receiverOf(asset: ReceivedAsset, accounts: readonly ReadAddress[]): Receiver {
  const [associated] = accounts;
  if (!associated) throw new Error('a receiver has no account');
  const { account, address, slot } = associated;
  const usable = accounts
    .filter((read, index) => obstacleTo(read.account, asset, index + 1) === null)
    .map((read) => read.address);
  const [first] = usable;
  if (first) return { receiverTokenAccount: first, receiverIsMissing: false, usable, refuses: null, slot };
  const receiverIsMissing = account?.owner !== asset.tokenProgram;
  const refuses = account && !receiverIsMissing ? refusalOf(account) : null;
  return { receiverTokenAccount: address, receiverIsMissing, usable, refuses, slot };
}
