import { type Address, address } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import { decodeTokenAccount } from '../../chain/accounts.ts';
import { tokenAccountAddress } from '../../chain/addresses.ts';
import type { Chain } from '../../chain/chain.ts';
import { readAccounts } from '../../chain/read-accounts.ts';
import { invalidRequest } from '../../errors.ts';
import type { Plan } from '../../generated/prisma/client.ts';
import { chainOf } from '../merchant/chain-of.ts';
import { validAddress } from '../merchant/valid-text.ts';
import { isTokenProgram } from '../plan/supported-asset.ts';
import { requireOpenSession } from './open-session.ts';

/** So many payments should be at hand before somebody subscribes. */
const BUFFER_PERIODS = 3n;

export interface WalletBalance {
  /** Of the plan's asset, in base units. */
  readonly amount: bigint;
  /** Three payments of the plan: what the customer should have. */
  readonly recommended: bigint;
  readonly sufficient: boolean;
  /** What pays the network's fees. */
  readonly lamports: bigint;
}

/**
 * What the wallet has for the session's plan; remembers nothing.
 *
 * @throws BillingError not_found, session_expired, plan_inactive, or invalid_request; param `sessionId` or `userWallet`
 */
export async function walletBalance(
  ctx: AppContext,
  sessionId: string,
  { userWallet }: { readonly userWallet: string },
): Promise<WalletBalance> {
  const { plan, environment } = await requireOpenSession(ctx, sessionId);
  return balanceOf(chainOf(ctx, environment), validAddress('userWallet', userWallet), plan);
}

/** @throws BillingError invalid_request, param `userWallet`, for what is nobody's wallet */
export async function balanceOf(
  chain: Chain,
  wallet: Address,
  plan: Pick<Plan, 'mint' | 'tokenProgram' | 'amount'>,
): Promise<WalletBalance> {
  const tokenProgram = address(plan.tokenProgram);
  const tokens = await tokenAccountAddress(wallet, address(plan.mint), tokenProgram);
  const [tokenAccount, walletAccount] = await readAccounts(chain, [tokens, wallet]);
  if (walletAccount && isTokenProgram(walletAccount.owner)) {
    throw invalidRequest(
      'userWallet',
      'userWallet is an account of the token program, which cannot subscribe.',
    );
  }
  const amount = tokenAccount?.owner === tokenProgram ? decodeTokenAccount(tokenAccount.data).amount : 0n;
  const recommended = BUFFER_PERIODS * plan.amount;
  return { amount, recommended, sufficient: amount >= recommended, lamports: walletAccount?.lamports ?? 0n };
}
