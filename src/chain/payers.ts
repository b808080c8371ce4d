import type { Address } from '@solana/kit';
import type { FailureCode } from '../generated/prisma/client.ts';
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
import type { Chain } from './chain.ts';
import type { PullTerms } from './pulls.ts';
import { type ChainAccount, readAccounts } from './read-accounts.ts';

/** What stands behind one pull just now; `null` for what is closed. */
export interface Payer {
  readonly tokenAccount: TokenAccount | null;
  /** The one through which the program may move this payer's tokens: only where it is the token account's delegate. */
  readonly authority: AuthorityAccount | null;
  /** Tells also what was pulled in the running period, and whether it is cancelled. */
  readonly subscription: SubscriptionAccount | null;
  /** What of it cannot be read, where something cannot: nothing is to be concluded from the rest then. */
  readonly unreadable: AccountLayoutError | null;
}

export type PaymentAbility =
  | { readonly ok: true }
  | { readonly ok: false; readonly failure: FailureCode; readonly balanceAvailable: bigint };

/**
 * Reads the payers of these pulls, in their order: each distinct account once, 100 a call. An authority is found by the
 * delegate that the token account names, which saves deriving its address: there is only one for a wallet and asset, so
 * an account of the program that says it is that of this payer is the one.
 */
export async function readPayers(chain: Chain, terms: readonly PullTerms[]): Promise<Payer[]> {
  const found = new Map<Address, ChainAccount>();
  const readAll = async (addresses: readonly Address[]) => {
    for (const account of await readAccounts(chain, [...new Set(addresses)])) {
      if (account) found.set(account.address, account);
    }
  };
  const unreadable = new Map<Address, AccountLayoutError>();
  // An address whose account is closed can be given lamports by anyone: it is there, and nobody's.
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
      ...{ tokenAccount, subscription },
      authority: authority && authority.user === payer && authority.mint === mint ? authority : null,
      unreadable: unreadable.get(payerTokenAccount) ?? unreadable.get(address) ?? null,
    };
  });
}

/** Anyone may make any account their delegate, another one of the program too. */
function authorityOrNull(data: ChainAccount['data']): AuthorityAccount | null {
  return accountKind(data) === 'authority' ? decodeAuthority(data) : null;
}

/** What is left of a token account when the pulls before this one are taken from it. */
export interface Purse {
  readonly amount: bigint;
  readonly delegatedAmount: bigint;
}

/**
 * Whether the chain would let `amount` be pulled from the payer, as far as it is the payer's doing. `left` is what other
 * pulls of the same wallet leave of it.
 */
export function canPay(
  payer: Payer,
  amount: bigint,
  left: Purse | null = payer.tokenAccount,
): PaymentAbility {
  const { tokenAccount } = payer;
  const failed = (failure: FailureCode): PaymentAbility => ({
    ok: false,
    failure,
    balanceAvailable: left?.amount ?? 0n,
  });
  if (!tokenAccount || !left) return failed('ACCOUNT_CLOSED');
  if (tokenAccount.frozen) return failed('ACCOUNT_FROZEN');
  if (!isApproved(payer) || left.delegatedAmount < amount) return failed('APPROVAL_REVOKED');
  return left.amount < amount ? failed('INSUFFICIENT_FUNDS') : { ok: true };
}

/** The customer's approval is the authority's, and that has not been made again since subscribing. */
function isApproved({ authority, subscription }: Payer): boolean {
  // A closed subscription is a cancellation, and that is not for here to say.
  return authority !== null && (!subscription || subscription.initId === authority.initId);
}
