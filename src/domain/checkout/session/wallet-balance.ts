import { type Address, address, isOffCurveAddress } from '@solana/kit';
import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system';
import { decodeTokenAccount } from '../../../chain/accounts/accounts.ts';
import { tokenAccountAddress } from '../../../chain/accounts/addresses.ts';
import { readAccounts } from '../../../chain/accounts/read-accounts.ts';
import type { Chain } from '../../../chain/chain.ts';
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
export async function balanceOf(
  chain: Chain,
  wallet: Address,
  plan: Pick<Plan, 'mint' | 'tokenProgram' | 'amount'>,
): Promise<WalletBalance> {
  const tokenProgram = address(plan.tokenProgram);
  const tokens = await tokenAccountAddress(wallet, address(plan.mint), tokenProgram);
  const [tokenAccount, walletAccount] = await readAccounts(chain, [tokens, wallet], 'fields');
  // Only accounts of the system program pay fees. An address off the curve has no key.
  if (isOffCurveAddress(wallet) || (walletAccount && walletAccount.owner !== SYSTEM_PROGRAM_ADDRESS)) {
    throw invalidRequest('userWallet', 'userWallet must be a wallet: this is an account of a program.');
  }
  const amount = tokenAccount?.owner === tokenProgram ? decodeTokenAccount(tokenAccount.data).amount : 0n;
  const recommended = BUFFER_PERIODS * plan.amount;
  return { amount, recommended, sufficient: amount >= recommended, lamports: walletAccount?.lamports ?? 0n };
}
