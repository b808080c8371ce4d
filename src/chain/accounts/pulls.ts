import type { Address } from '@solana/kit';
import type { Chain } from '../chain.ts';
import { AccountLayoutError, decodeTokenAccount } from './accounts.ts';
import { tokenAccountAddress } from './addresses.ts';
import { type ChainAccount, readAddresses } from './read-accounts.ts';
import { isConfidentialOnly, requiresMemo } from './token-extensions.ts';

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
  readonly receiverTokenAccount: Address;
  /** Whether the receiver's token account does not exist and must be created first. */
  readonly receiverIsMissing: boolean;
}

/** A receiver's token account. The merchant may have closed it. */
export interface Receiver extends Pick<Pull, 'receiverTokenAccount' | 'receiverIsMissing'> {
  /** The reason why it accepts no payments; null if it accepts them. */
  readonly refuses: 'frozen' | 'requires_memo' | 'confidential' | 'unreadable' | 'missing' | null;
  /** The slot of this read. */
  readonly slot: bigint;
}

/**
 * Reads the receiver's token account of each pull. An account that several pulls share is derived
 * and read once, because deriving is slow.
 */
export async function readReceivers(chain: Chain, terms: readonly PullTerms[]): Promise<Receiver[]> {
  const keyOf = ({ receiver, mint }: PullTerms) => `${receiver} ${mint}`;
  const distinct = [...new Map(terms.map((term) => [keyOf(term), term])).values()];
  const addresses = await Promise.all(
    distinct.map(({ receiver, mint, tokenProgram }) => tokenAccountAddress(receiver, mint, tokenProgram)),
  );
  const accounts = await readAddresses(chain, addresses, 'extensions');
  const found = new Map<string, Receiver>();
  for (const [index, term] of distinct.entries()) {
    const receiverTokenAccount = addresses[index];
    const read = accounts[index];
    if (!receiverTokenAccount || !read) continue;
    const { account, slot } = read;
    const receiverIsMissing = account?.owner !== term.tokenProgram;
    const refuses = account && !receiverIsMissing ? refusalReason(account) : null;
    found.set(keyOf(term), { receiverTokenAccount, receiverIsMissing, refuses, slot });
  }
  return terms.map((term) => {
    const receiver = found.get(keyOf(term));
    if (!receiver) throw new Error('a receiver was not read');
    return receiver;
  });
}

function refusalReason({ data, isLonger }: ChainAccount): Receiver['refuses'] {
  // The extensions of a token account have fixed lengths, so only a later release makes it longer.
  if (isLonger) return 'unreadable';
  try {
    if (decodeTokenAccount(data).frozen) return 'frozen';
    if (requiresMemo(data)) return 'requires_memo';
    return isConfidentialOnly(data) ? 'confidential' : null;
  } catch (error) {
    if (!(error instanceof AccountLayoutError)) throw error;
    return 'unreadable';
  }
}
