import type { Address } from '@solana/kit';
import type { FailureCode } from '../../generated/prisma/client.ts';
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

/** The accounts behind one pull; `null` for a closed account. */
export interface Payer {
  readonly tokenAccount: TokenAccount | null;
  /** The authority that may move the payer's tokens, if it is the delegate of the token account. */
  readonly authority: AuthorityAccount | null;
  /** Also holds the amount pulled in the current period and the cancellation. */
  readonly subscription: SubscriptionAccount | null;
  /** The account that cannot be read, if any: then nothing may be concluded from the others. */
  readonly unreadable: AccountLayoutError | null;
}

/** Which accounts are behind a pull. */
export type PayerTerms = Pick<
  PullTerms,
  'payer' | 'payerTokenAccount' | 'mint' | 'tokenProgram' | 'subscription'
>;

export type PaymentAbility =
  | { readonly ok: true }
  | { readonly ok: false; readonly failure: FailureCode; readonly balanceAvailable: bigint };

/**
 * Reads the payers of these pulls, in their order: each distinct account once, 100 per call. The
 * authority is found as the delegate of the token account, which saves deriving its address. There
 * is only one for a wallet and token, so an authority account of the program with this user is the
 * right one.
 */
export async function readPayers(chain: Chain, terms: readonly PayerTerms[]): Promise<Payer[]> {
  const found = new Map<Address, ChainAccount>();
  const readAll = async (addresses: readonly Address[]) => {
    for (const account of await readAccounts(chain, [...new Set(addresses)])) {
      if (account) found.set(account.address, account);
    }
  };
  const unreadable = new Map<Address, AccountLayoutError>();
  // Anyone can send lamports to the address of a closed account: the account then exists with
  // another owner.
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

/** An owner may make any account the delegate, including other accounts of the program. */
function authorityOrNull(data: ChainAccount['data']): AuthorityAccount | null {
  return accountKind(data) === 'authority' ? decodeAuthority(data) : null;
}

/** The rest of a token account after the pulls before this one. */
export interface Purse {
  readonly amount: bigint;
  readonly delegatedAmount: bigint;
}

/**
 * Whether the chain would let `amount` be pulled, as far as it depends on the payer. `left` is what
 * other pulls of the same wallet leave.
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

/**
 * Whether the approval is valid and its authority was not created again since the customer
 * subscribed.
 */
function isApproved({ authority, subscription }: Payer): boolean {
  // A closed subscription is a cancellation, which is handled elsewhere.
  return authority !== null && (!subscription || subscription.initId === authority.initId);
}
