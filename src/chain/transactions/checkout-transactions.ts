import {
  type Address,
  createNoopSigner,
  getBase64EncodedWireTransaction,
  type Instruction,
  type Transaction,
} from '@solana/kit';
import { getSubscribeInstruction } from '@solana/subscriptions';
import { bytesOf, type SubscriptionAccount } from '../accounts/accounts.ts';
import { EVENT_AUTHORITY, planPda, subscriptionAddress } from '../accounts/addresses.ts';
import { type NetworkCosts, networkCosts } from '../accounts/lamports-needed.ts';
import type { Chain } from '../chain.ts';
import type { TransactionFailure } from '../rpc/transaction-failure.ts';
import type { Approval } from './approval.ts';
import { closeSubscriptionInstruction } from './cancel-transactions.ts';
import { memoInstruction } from './memo.ts';
import { SECONDS_PER_HOUR } from './plan-transactions.ts';
import { MADE_IN_THIS_SLOT } from './program-additions.ts';
import { refusalOfFailure } from './transaction-refused.ts';
import { failureOf, refusalFor, unsignedTransaction } from './unsigned-transaction.ts';

/**
 * A customer and the terms of a plan. The chain refuses the transaction if the terms differ from
 * the plan's.
 */
export interface SubscribeTerms {
  readonly subscriber: Address;
  /** The plan's owner. */
  readonly merchant: Address;
  readonly chainPlanId: bigint;
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly amount: bigint;
  readonly periodSeconds: number;
  /** The plan's creation time on chain. */
  readonly planCreatedAt: bigint;
  /** A public text stored with the transaction. */
  readonly memo?: string;
}

/** The transactions that the customer's wallet signs, in order. */
export interface TransactionsToSign {
  /** Unsigned, in base64. */
  readonly transactions: readonly string[];
  /**
   * Whether to call again after these are confirmed, because the following transactions depend on
   * their slot.
   */
  readonly more: boolean;
  /** The network costs that the signer pays. */
  readonly costs: NetworkCosts;
  /** Set if the collector pays instead of the signer. The collector has then signed already. */
  readonly sponsored?: true;
}

/**
 * Creates one transaction that creates the token account if it is missing, creates or renews the
 * approval, and subscribes. In release 0.4 of the program the authority must exist before the
 * transaction: there this call returns the approval alone, and the next call returns the
 * subscription.
 *
 * @param approval the wallet's approval of the program for the token
 * @param replaced the expired subscription that still uses the address; it is closed first
 * @throws TransactionRefused if the chain would refuse it, with a reason for the customer
 */
export async function subscribeTransaction(
  chain: Chain,
  terms: SubscribeTerms,
  approval: Approval,
  replaced?: SubscriptionAccount,
): Promise<TransactionsToSign> {
  const { subscriber, merchant, chainPlanId } = terms;
  const [plan, planBump] = await planPda(merchant, chainPlanId);
  const close = replaced ? [await closeSubscriptionInstruction(replaced)] : [];
  const prepare = [...close, ...approval.instructions];
  const subscribe = await subscribeInstruction(terms, plan, planBump, approval);
  // The rent of the closed account covers the new one, unless a sponsor gets that rent back.
  const isRentReused = replaced?.payer === subscriber;
  const newAccounts = [...approval.newAccounts, ...(isRentReused ? [] : [bytesOf('subscription')])];
  const memo = terms.memo === undefined ? [] : [memoInstruction(terms.memo)];
  const transaction = await unsignedTransaction(chain, subscriber, [...prepare, subscribe, ...memo]);
  const failure = await failureOf(chain, transaction);
  if (!failure) return withCosts(chain, transaction, { newAccounts, more: false });
  if (approval.account || !mustCreateAuthorityFirst(failure, prepare.length)) {
    throw await refusalFor(chain, transaction, failure, newAccounts);
  }
  return createPreparation(chain, subscriber, prepare, newAccounts);
}

async function createPreparation(
  chain: Chain,
  subscriber: Address,
  instructions: readonly Instruction[],
  newAccounts: readonly number[],
): Promise<TransactionsToSign> {
  const transaction = await unsignedTransaction(chain, subscriber, instructions);
  const failure = await failureOf(chain, transaction);
  if (failure) throw await refusalFor(chain, transaction, failure, newAccounts);
  return withCosts(chain, transaction, { newAccounts, more: true });
}

async function withCosts(
  chain: Chain,
  transaction: Transaction,
  { newAccounts, more }: { readonly newAccounts: readonly number[]; readonly more: boolean },
): Promise<TransactionsToSign> {
  const costs = await networkCosts(chain, transaction, newAccounts);
  return { transactions: [getBase64EncodedWireTransaction(transaction)], more, costs };
}

/** The instruction with which a wallet subscribes to the terms. */
export async function subscribeInstruction(
  { subscriber, merchant, chainPlanId, mint, amount, periodSeconds, planCreatedAt }: SubscribeTerms,
  plan: Address,
  planBump: number,
  { authority, account }: Approval,
): Promise<Instruction> {
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
      expectedPeriodHours: periodSeconds / SECONDS_PER_HOUR,
      expectedCreatedAt: planCreatedAt,
      expectedSubscriptionAuthorityInitId: account?.initId ?? MADE_IN_THIS_SLOT,
    },
  });
}

/**
 * Whether the instruction at `index` refused an authority that the transaction has just created.
 */
function mustCreateAuthorityFirst(failure: TransactionFailure, index: number): boolean {
  return failure.instruction === index && refusalOfFailure(failure) === 'authority_replaced';
}
