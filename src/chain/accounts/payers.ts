import type { Address } from '@solana/kit';
import type { Chain } from '../chain.ts';
import {
  AccountLayoutError,
  type AuthorityAccount,
  accountKind,
  decodeAuthority,
  decodeSubscription,
  decodeTokenAccount,
  type SubscriptionAccount,
  type TokenAccount,
} from './accounts.ts';
import { PROGRAM } from './addresses.ts';
import type { PullTerms } from './pulls.ts';
import { type ChainAccount, readAccounts } from './read-accounts.ts';
import { readApart, Unread } from './read-apart.ts';

/** The accounts behind one pull; `null` for a closed account. */
export interface Payer {
  readonly tokenAccount: TokenAccount | null;
  /** The authority that may move the payer's tokens, if it is the delegate of the token account. */
  readonly authority: AuthorityAccount | null;
  /** Also holds the amount pulled in the current period and the cancellation. */
  readonly subscription: SubscriptionAccount | null;
  /**
   * The error of an account that cannot be decoded. Then nothing may be concluded from the others.
   */
  readonly unreadable: AccountLayoutError | null;
}

/** The terms that determine the accounts behind a pull. */
export type PayerTerms = Pick<
  PullTerms,
  'payer' | 'payerTokenAccount' | 'mint' | 'tokenProgram' | 'subscription'
>;

/**
 * Reads the payers of these pulls, in their order. Each distinct account is read once, 100 per
 * call. The owner of a token account may name any account as its delegate, so only the fields of an
 * authority are read of it. The authority is found as the delegate of the token account, which
 * saves deriving its address. A wallet has only one authority per token, so an authority account of
 * the program with this user and mint is the right one.
 */
export async function readPayers(chain: Chain, terms: readonly PayerTerms[]): Promise<Payer[]> {
  const found = new Map<Address, ChainAccount>();
  const readAll = async (addresses: readonly Address[]) => {
    for (const account of await readAccounts(chain, [...new Set(addresses)], 'fields')) {
      if (account) found.set(account.address, account);
    }
  };
  const unreadable = new Map<Address, AccountLayoutError>();
  // The owner is checked, because anyone can send lamports to the address of a closed account. The
  // account then exists with another owner.
  const read = <T>(address: Address, owner: Address, decode: (data: ChainAccount['data']) => T): T | null => {
    const account = found.get(address);
    if (account?.owner !== owner) return null;
    try {
      return decode(account.data);
    } catch (error) {
      if (!(error instanceof AccountLayoutError)) throw error;
      unreadable.set(address, error);
      return null;
    }
  };
  await readAll(terms.flatMap(({ payerTokenAccount, subscription }) => [payerTokenAccount, subscription]));
  const tokenAccounts = terms.map(({ payerTokenAccount, tokenProgram }) =>
    read(payerTokenAccount, tokenProgram, decodeTokenAccount),
  );
  await readAll(tokenAccounts.flatMap((account) => account?.delegate ?? []));
  return terms.map(({ payer, payerTokenAccount, mint, subscription: address }, index) => {
    const tokenAccount = tokenAccounts[index] ?? null;
    const authority = tokenAccount?.delegate && read(tokenAccount.delegate, PROGRAM, authorityOrNull);
    const subscription = read(address, PROGRAM, decodeSubscription);
    return {
      tokenAccount,
      subscription,
      authority: authority && authority.user === payer && authority.mint === mint ? authority : null,
      unreadable: unreadable.get(payerTokenAccount) ?? unreadable.get(address) ?? null,
    };
  });
}

/**
 * Reads payers like `readPayers`; undefined for a payer whose accounts cannot be read although the
 * cluster answers.
 *
 * @throws NodeBehind, and the error of a cluster that does not answer
 */
export async function readPayersApart(
  chain: Chain,
  terms: readonly PayerTerms[],
): Promise<(Payer | undefined)[]> {
  const payers = await readApart(chain, terms, readPayers);
  return payers.map((payer) => (payer instanceof Unread ? undefined : payer));
}

/** Null for other accounts of the program: an owner may make any account the delegate. */
function authorityOrNull(data: ChainAccount['data']): AuthorityAccount | null {
  return accountKind(data) === 'authority' ? decodeAuthority(data) : null;
}
