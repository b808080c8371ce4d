import { type Address, createNoopSigner, getBase64EncodedWireTransaction } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import type { SubscriptionAccount } from '../accounts/accounts.ts';
import { subscriptionAddress } from '../accounts/addresses.ts';
import { networkCosts } from '../accounts/lamports-needed.ts';
import type { Chain } from '../chain.ts';
import type { Approval } from './approval.ts';
import { resumeInstruction } from './cancel-transactions.ts';
import type { TransactionsToSign } from './checkout-transactions.ts';
import { memoInstruction } from './memo.ts';
import { TransactionRefused } from './transaction-refused.ts';
import { failureOf, refusalFor, unsignedTransaction } from './unsigned-transaction.ts';

/**
 * Creates the transaction with which a wallet resumes collection by dues through a subscription
 * that still exists on chain. It renews the approval, takes back a cancellation, and carries `memo`
 * with its purpose. A subscription that is not cancelled needs no change. In that case a transfer
 * of zero lamports to its account makes the transaction visible to a stream that watches the
 * account.
 *
 * @throws TransactionRefused if the chain would refuse it, or the authority was closed
 */
export async function returnTransaction(
  chain: Chain,
  account: SubscriptionAccount,
  approval: Approval,
  { mint, memo }: { mint: Address; memo: string },
): Promise<TransactionsToSign> {
  const { subscriber, plan } = account;
  const address = await subscriptionAddress(plan, subscriber);
  if (approval.account?.initId !== account.initId) throw new TransactionRefused('authority_closed');
  const resumeOrTouch =
    account.expiresAt === 0n
      ? getTransferSolInstruction({ source: createNoopSigner(subscriber), destination: address, amount: 0n })
      : await resumeInstruction({ ...account, address }, mint);
  const instructions = [...approval.instructions, resumeOrTouch, memoInstruction(memo)];
  const transaction = await unsignedTransaction(chain, subscriber, instructions);
  const failure = await failureOf(chain, transaction);
  if (failure) throw await refusalFor(chain, transaction, failure, approval.newAccounts);
  const costs = await networkCosts(chain, transaction, approval.newAccounts);
  return { transactions: [getBase64EncodedWireTransaction(transaction)], more: false, costs };
}
