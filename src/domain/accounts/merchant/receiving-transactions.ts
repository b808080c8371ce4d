import type { AppContext } from '../../../app.ts';
import {
  createReceivingAccountsTransaction,
  sweepTransaction,
} from '../../../chain/transactions/receiving-transactions.ts';
import { type Refusal, TransactionRefused } from '../../../chain/transactions/transaction-refused.ts';
import { invalidRequest } from '../../../errors.ts';
import { replaceNodeBehind } from '../../chain-state/mirror/replace-node-behind.ts';
import { chainOf } from '../../kernel/access/chain-of.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { getReceivingAccounts, type ReceivingAccounts } from './receiving-accounts.ts';

/** Receiving accounts and a transaction that changes them. */
export interface ReceivingToSign {
  readonly receivingAccounts: ReceivingAccounts;
  /** Unsigned, in base64, for the merchant's wallet. */
  readonly transaction: string;
}

/**
 * Creates the transaction with which the merchant's wallet creates the receiving accounts that are
 * missing, four at most. It is valid for about a minute.
 *
 * @throws BillingError invalid_request, param `mint`, if none is missing or the chain would refuse it
 */
export function receivingAccountsTransaction(
  ctx: AppContext,
  scope: Scope,
  mint: string,
): Promise<ReceivingToSign> {
  return create(ctx, scope, mint, ({ asset, accounts, count }) => {
    const missing = accounts.filter(({ obstacle }) => obstacle === 'missing');
    if (missing.length === 0) {
      throw invalidRequest(
        'mint',
        `All accounts of the token exist: you use ${count}. Set a higher number with setReceivingAccounts first.`,
      );
    }
    return createReceivingAccountsTransaction(chainOf(ctx, scope.environment), asset, missing);
  });
}

/**
 * Creates the transaction with which the merchant's wallet moves the tokens of its other receiving
 * accounts into the associated account, from which wallets pay. It is valid for about a minute.
 *
 * @throws BillingError invalid_request, param `mint`, if there is nothing to move or the chain would
 *   refuse it
 */
export function sweepReceivingAccountsTransaction(
  ctx: AppContext,
  scope: Scope,
  mint: string,
): Promise<ReceivingToSign> {
  return create(ctx, scope, mint, ({ asset, accounts }) => {
    const [associated, ...others] = accounts;
    // A frozen account would make the transfers of the others fail.
    const from = others.filter(({ amount, obstacle }) => amount > 0n && obstacle !== 'frozen');
    if (!associated || from.length === 0) {
      throw invalidRequest('mint', 'The other receiving accounts of the token have nothing to move.');
    }
    return sweepTransaction(chainOf(ctx, scope.environment), asset, { to: associated.address, from });
  });
}

async function create(
  ctx: AppContext,
  scope: Scope,
  mint: string,
  createTransaction: (found: ReceivingAccounts) => Promise<string>,
): Promise<ReceivingToSign> {
  const receivingAccounts = await getReceivingAccounts(ctx, scope, mint);
  try {
    return { receivingAccounts, transaction: await createTransaction(receivingAccounts) };
  } catch (cause) {
    if (!(cause instanceof TransactionRefused)) throw replaceNodeBehind(cause, 'mint');
    const { refusal, lamportsNeeded = 0n } = cause;
    const message = REFUSALS[refusal]?.(lamportsNeeded);
    if (!message) ctx.log.warn({ err: cause }, 'transaction for receiving accounts refused by the cluster');
    throw invalidRequest('mint', message ?? 'The network would refuse the transaction.');
  }
}

const REFUSALS: Readonly<Partial<Record<Refusal, (lamports: bigint) => string>>> = {
  insufficient_sol: (lamports) =>
    `The merchant's wallet has too little SOL for the network fee and the rent of the accounts: it needs ${lamports} lamports.`,
  token_account_frozen: () => "A token account of the merchant's wallet is frozen.",
};
