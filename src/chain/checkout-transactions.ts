import {
  type Address,
  createNoopSigner,
  getBase64EncodedWireTransaction,
  getTransactionEncoder,
  type Instruction,
  type Transaction,
} from '@solana/kit';
import { getInitSubscriptionAuthorityInstruction, getSubscribeInstruction } from '@solana/subscriptions';
import { getCreateAssociatedTokenIdempotentInstruction } from '@solana-program/token';
import { decodeAuthority } from './accounts.ts';
import {
  authorityAddress,
  EVENT_AUTHORITY,
  PROGRAM,
  planPda,
  subscriptionAddress,
  tokenAccountAddress,
} from './addresses.ts';
import type { Chain } from './chain.ts';
import { memoInstruction } from './memo.ts';
import { SECONDS_PER_HOUR } from './plan-transactions.ts';
import { MADE_IN_THIS_SLOT } from './program-additions.ts';
import { readAccounts } from './read-accounts.ts';
import { simulateWire } from './send.ts';
import type { TransactionFailure } from './transaction-failure.ts';
import { refusalOf, TransactionRefused } from './transaction-refused.ts';
import { unsignedTransaction } from './unsigned-transaction.ts';

/** Who subscribes to what. The terms are the plan's: the chain refuses the transaction where they differ. */
export interface SubscribeTerms {
  readonly subscriber: Address;
  /** The plan's owner. */
  readonly merchant: Address;
  readonly chainPlanId: bigint;
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly amount: bigint;
  readonly intervalSeconds: number;
  /** The plan's creation time on chain. */
  readonly planCreatedAt: bigint;
  /** A public text that is kept with the transaction. */
  readonly memo?: string;
}

/** What the customer's wallet signs, in order. */
export interface TransactionsToSign {
  /** Unsigned, in base64. */
  readonly transactions: readonly string[];
  /** Once these are confirmed, ask again: what follows depends on where they landed. */
  readonly more: boolean;
}

/**
 * One transaction: the token account if it is missing, the approval (made, or renewed where it exists), the
 * subscription. A program of release 0.4 wants to see the authority that it is to use first; there, the approval goes
 * alone and the subscription is the answer to the next call.
 *
 * @throws TransactionRefused where the chain would not take it, with the reason to tell the customer
 */
export async function subscribeTransaction(chain: Chain, terms: SubscribeTerms): Promise<TransactionsToSign> {
  const { subscriber, mint, tokenProgram } = terms;
  const [authority, tokenAccount] = await Promise.all([
    authorityAddress(subscriber, mint),
    tokenAccountAddress(subscriber, mint, tokenProgram),
  ]);
  const [authorityAccount, token] = await readAccounts(chain, [authority, tokenAccount]);
  const known = authorityAccount?.owner === PROGRAM ? decodeAuthority(authorityAccount.data) : undefined;

  const approval = approvalInstructions({ subscriber, mint, tokenProgram, authority, tokenAccount });
  const prepare = token?.owner === tokenProgram ? approval.slice(1) : approval;
  const subscribe = await subscribeInstruction(terms, authority, known?.initId ?? MADE_IN_THIS_SLOT);
  const memo = terms.memo === undefined ? [] : [memoInstruction(terms.memo)];
  const together = await unsignedTransaction(chain, subscriber, [...prepare, subscribe, ...memo]);
  const failure = await simulate(chain, together);
  if (!failure) return { transactions: [getBase64EncodedWireTransaction(together)], more: false };
  if (known || !wantsAuthorityFirst(failure, prepare.length)) throw new TransactionRefused(failure);

  const alone = await unsignedTransaction(chain, subscriber, prepare);
  const aloneFailure = await simulate(chain, alone);
  if (aloneFailure) throw new TransactionRefused(aloneFailure);
  return { transactions: [getBase64EncodedWireTransaction(alone)], more: true };
}

/**
 * Renews an approval that another app overwrote. It brings all of the wallet's subscriptions in this asset back, but
 * not those of an authority that was closed: their customers have to subscribe again. Unsigned, in base64.
 */
export async function repairApprovalTransaction(
  chain: Chain,
  { subscriber, mint, tokenProgram }: { subscriber: Address; mint: Address; tokenProgram: Address },
): Promise<string> {
  const [authority, tokenAccount] = await Promise.all([
    authorityAddress(subscriber, mint),
    tokenAccountAddress(subscriber, mint, tokenProgram),
  ]);
  const instructions = approvalInstructions({ subscriber, mint, tokenProgram, authority, tokenAccount });
  return getBase64EncodedWireTransaction(await unsignedTransaction(chain, subscriber, instructions));
}

/** The token account, which may exist already, and the approval. */
function approvalInstructions(input: {
  subscriber: Address;
  mint: Address;
  tokenProgram: Address;
  authority: Address;
  tokenAccount: Address;
}): Instruction[] {
  const { subscriber, mint, tokenProgram, authority, tokenAccount } = input;
  const owner = createNoopSigner(subscriber);
  return [
    getCreateAssociatedTokenIdempotentInstruction({
      payer: owner,
      ata: tokenAccount,
      owner: subscriber,
      mint,
      tokenProgram,
    }),
    getInitSubscriptionAuthorityInstruction({
      owner,
      subscriptionAuthority: authority,
      tokenMint: mint,
      userAta: tokenAccount,
      tokenProgram,
    }),
  ];
}

async function subscribeInstruction(
  terms: SubscribeTerms,
  authority: Address,
  initId: bigint,
): Promise<Instruction> {
  const { subscriber, merchant, chainPlanId, mint, amount, intervalSeconds, planCreatedAt } = terms;
  const [plan, planBump] = await planPda(merchant, chainPlanId);
  return getSubscribeInstruction({
    subscriber: createNoopSigner(subscriber),
    merchant,
    planPda: plan,
    subscriptionPda: await subscriptionAddress(plan, subscriber),
    subscriptionAuthorityPda: authority,
    eventAuthority: EVENT_AUTHORITY,
    subscribeData: {
      planId: chainPlanId,
      planBump,
      expectedMint: mint,
      expectedAmount: amount,
      expectedPeriodHours: intervalSeconds / SECONDS_PER_HOUR,
      expectedCreatedAt: planCreatedAt,
      expectedSubscriptionAuthorityInitId: initId,
    },
  });
}

function simulate(chain: Chain, transaction: Transaction): Promise<TransactionFailure | null> {
  return simulateWire(chain, getTransactionEncoder().encode(transaction));
}

/** The subscribe instruction, at this place, refused the authority that stood just before it. */
function wantsAuthorityFirst(failure: TransactionFailure, place: number): boolean {
  return failure.instruction === place && refusalOf(failure) === 'authority_replaced';
}
