import { type Address, isOffCurveAddress } from '@solana/kit';
import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system';
import { decodeTokenAccount } from '../../../chain/accounts/accounts.ts';
import type { WalletAccounts } from '../../../chain/accounts/wallet-accounts.ts';
import { invalidRequest } from '../../../errors.ts';
import type { Plan } from '../../../generated/prisma/client.ts';

/** The recommended number of payments in the wallet before it subscribes. */
const BUFFER_PERIODS = 3n;

export interface WalletBalance {
  /** Balance of the plan's token, in base units. */
  readonly amount: bigint;
  /** The amount of three payments, recommended for the wallet. */
  readonly recommended: bigint;
  readonly sufficient: boolean;
  /** Balance in lamports, for network fees. */
  readonly lamports: bigint;
}

/** @throws BillingError invalid_request, param `userWallet`, if it is not a wallet */
export function balanceOf(
  wallet: Address,
  { wallet: walletAccount, tokenAccount }: Pick<WalletAccounts, 'wallet' | 'tokenAccount'>,
  plan: Pick<Plan, 'tokenProgram' | 'amount'>,
): WalletBalance {
  // Only accounts of the system program pay fees. An address off the curve has no key.
  if (isOffCurveAddress(wallet) || (walletAccount && walletAccount.owner !== SYSTEM_PROGRAM_ADDRESS)) {
    throw invalidRequest('userWallet', 'userWallet must be a wallet: this is an account of a program.');
  }
  const amount =
    tokenAccount?.owner === plan.tokenProgram ? decodeTokenAccount(tokenAccount.data).amount : 0n;
  const recommended = BUFFER_PERIODS * plan.amount;
  return { amount, recommended, sufficient: amount >= recommended, lamports: walletAccount?.lamports ?? 0n };
}
