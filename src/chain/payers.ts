import type { Address } from '@solana/kit';
import type { FailureCode } from '../generated/prisma/client.ts';
import {
  type AuthorityAccount,
  decodeAuthority,
  decodeSubscription,
  decodeTokenAccount,
  type SubscriptionAccount,
  type TokenAccount,
} from './accounts.ts';
import { PROGRAM } from './addresses.ts';
import type { Chain } from './chain.ts';
import type { Pull } from './pulls.ts';
import { type ChainAccount, readAccounts } from './read-accounts.ts';

/** What stands behind one pull just now; `null` for what is closed. */
export interface Payer {
  readonly tokenAccount: TokenAccount | null;
  readonly authorityAddress: Address;
  readonly authority: AuthorityAccount | null;
  /** Tells also what was pulled in the running period, and whether it is cancelled. */
  readonly subscription: SubscriptionAccount | null;
}

export type PaymentAbility =
  | { readonly ok: true }
  | { readonly ok: false; readonly failure: FailureCode; readonly balanceAvailable: bigint };

/** Reads the payers of these pulls, in their order, in one go: each distinct account once, 100 a call. */
export async function readPayers(chain: Chain, pulls: readonly Pull[]): Promise<Payer[]> {
  const addresses = new Set(
    pulls.flatMap(({ payerTokenAccount, authority, subscription }) => [
      payerTokenAccount,
      authority,
      subscription,
    ]),
  );
  const found = new Map<Address, ChainAccount>();
  for (const account of await readAccounts(chain, [...addresses])) {
    if (account) found.set(account.address, account);
  }
  // An address whose account is closed can be given lamports by anyone: it is there, and nobody's.
  const read = <T>(address: Address, owner: Address, decode: (data: ChainAccount['data']) => T): T | null => {
    const account = found.get(address);
    return account?.owner === owner ? decode(account.data) : null;
  };
  return pulls.map(({ payerTokenAccount, tokenProgram, authority, subscription }) => ({
    tokenAccount: read(payerTokenAccount, tokenProgram, decodeTokenAccount),
    authorityAddress: authority,
    authority: read(authority, PROGRAM, decodeAuthority),
    subscription: read(subscription, PROGRAM, decodeSubscription),
  }));
}

/**
 * Whether the chain would let `amount` be pulled from the payer, as far as it is the payer's doing. A wallet that pays
 * several subscriptions is asked about each by itself: where it cannot pay both, the second pull fails on chain.
 */
export function canPay(payer: Payer, amount: bigint): PaymentAbility {
  const { tokenAccount } = payer;
  const failed = (failure: FailureCode): PaymentAbility => ({
    ok: false,
    failure,
    balanceAvailable: tokenAccount?.amount ?? 0n,
  });
  if (!tokenAccount) return failed('ACCOUNT_CLOSED');
  if (tokenAccount.frozen) return failed('ACCOUNT_FROZEN');
  if (!isApproved(payer, tokenAccount, amount)) return failed('APPROVAL_REVOKED');
  return tokenAccount.amount < amount ? failed('INSUFFICIENT_FUNDS') : { ok: true };
}

/** The customer's approval is the authority's: the account's delegate, and not made again since subscribing. */
function isApproved(
  { authority, authorityAddress, subscription }: Payer,
  { delegate, delegatedAmount }: TokenAccount,
  amount: bigint,
): boolean {
  if (delegate !== authorityAddress || delegatedAmount < amount || !authority) return false;
  // A closed subscription is a cancellation, and that is not for here to say.
  return !subscription || subscription.initId === authority.initId;
}
