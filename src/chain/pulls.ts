import type { Address } from '@solana/kit';
import { AccountLayoutError, decodeTokenAccount } from './accounts.ts';
import { tokenAccountAddress } from './addresses.ts';
import type { Chain } from './chain.ts';
import { type ChainAccount, readAccounts } from './read-accounts.ts';
import { requiresMemo } from './token-extensions.ts';

/** What is to be collected from whom. */
export interface PullTerms {
  readonly subscription: Address;
  readonly plan: Address;
  readonly payer: Address;
  /** The payer's associated token account: the only one that the program pulls from. */
  readonly payerTokenAccount: Address;
  /** The merchant's wallet: the plan's only destination. */
  readonly receiver: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly amount: bigint;
}

/** The same with every address that collecting it needs. */
export interface Pull extends PullTerms {
  /** The delegate of the payer's token account, through which the program moves tokens. */
  readonly authority: Address;
  readonly receiverTokenAccount: Address;
  /** The receiver's token account has to be made first. */
  readonly receiverIsMissing: boolean;
}

/** A receiver's token account, which the merchant may have closed. */
export interface Receiver extends Pick<Pull, 'receiverTokenAccount' | 'receiverIsMissing'> {
  /** Why nothing can be paid into it, whoever pays; null where nothing stands in the way. */
  readonly refuses: 'frozen' | 'requires_memo' | 'unreadable' | null;
}

/** Finds the receiver's token account of each; one that many pay to is derived and read once, for deriving is slow. */
export async function readReceivers(chain: Chain, terms: readonly PullTerms[]): Promise<Receiver[]> {
  const keyOf = ({ receiver, mint }: PullTerms) => `${receiver} ${mint}`;
  const distinct = [...new Map(terms.map((term) => [keyOf(term), term])).values()];
  const addresses = await Promise.all(
    distinct.map(({ receiver, mint, tokenProgram }) => tokenAccountAddress(receiver, mint, tokenProgram)),
  );
  const accounts = await readAccounts(chain, addresses);
  const found = new Map<string, Receiver>();
  for (const [index, term] of distinct.entries()) {
    const receiverTokenAccount = addresses[index];
    if (!receiverTokenAccount) continue;
    const account = accounts[index];
    const receiverIsMissing = account?.owner !== term.tokenProgram;
    const refuses = account && !receiverIsMissing ? refusalOf(account) : null;
    found.set(keyOf(term), { receiverTokenAccount, receiverIsMissing, refuses });
  }
  return terms.map((term) => {
    const receiver = found.get(keyOf(term));
    if (!receiver) throw new Error('a receiver was not read');
    return receiver;
  });
}

function refusalOf({ data }: ChainAccount): Receiver['refuses'] {
  try {
    if (decodeTokenAccount(data).frozen) return 'frozen';
    return requiresMemo(data) ? 'requires_memo' : null;
  } catch (error) {
    if (!(error instanceof AccountLayoutError)) throw error;
    return 'unreadable';
  }
}
