import { type Address, createNoopSigner, getBase64EncodedWireTransaction } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import type { SubscriptionAccount } from './accounts.ts';
import { subscriptionAddress } from './addresses.ts';
import { readApproval } from './approval.ts';
import { resumeInstruction } from './cancel-transactions.ts';
import type { Chain } from './chain.ts';
import { memoInstruction } from './memo.ts';
import { TransactionRefused } from './transaction-refused.ts';
import { failureOf, refusalFor, unsignedTransaction } from './unsigned-transaction.ts';

/**
 * What a wallet signs to be collected from again through a subscription that is on chain still, where nobody collects any
 * more: the approval is renewed, a cancellation taken back, and `memo` says what for. The chain itself needs nothing of
 * a subscription that is not cancelled; there, a transfer of nothing to its account makes the transaction one of that
 * account, so that whoever watches the account is told of it. Unsigned, in base64.
 *
 * @throws TransactionRefused where the chain would not take it, or its approval is closed
 */
export async function returnTransaction(
  chain: Chain,
  account: SubscriptionAccount,
  { mint, tokenProgram, memo }: { mint: Address; tokenProgram: Address; memo: string },
): Promise<string> {
  const { subscriber, plan } = account;
  const address = await subscriptionAddress(plan, subscriber);
  const approval = await readApproval(chain, { subscriber, mint, tokenProgram });
  if (approval.account?.initId !== account.initId) throw new TransactionRefused('authority_closed');
  const touch =
    account.expiresAt === 0n
      ? getTransferSolInstruction({ source: createNoopSigner(subscriber), destination: address, amount: 0n })
      : await resumeInstruction({ ...account, address }, mint);
  const instructions = [...approval.instructions, touch, memoInstruction(memo)];
  const transaction = await unsignedTransaction(chain, subscriber, instructions);
  const failure = await failureOf(chain, transaction);
  if (failure) throw await refusalFor(chain, transaction, failure, approval.newAccounts);
  return getBase64EncodedWireTransaction(transaction);
}
