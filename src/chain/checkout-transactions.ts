import {
  type Address,
  createNoopSigner,
  getBase64EncodedWireTransaction,
  type Instruction,
} from '@solana/kit';
import { getSubscribeInstruction } from '@solana/subscriptions';
import { bytesOf, type SubscriptionAccount } from './accounts.ts';
import { EVENT_AUTHORITY, planPda, subscriptionAddress } from './addresses.ts';
import { type Approval, readApproval } from './approval.ts';
import { closeSubscriptionInstruction } from './cancel-transactions.ts';
import type { Chain } from './chain.ts';
import { memoInstruction } from './memo.ts';
import { SECONDS_PER_HOUR } from './plan-transactions.ts';
import { MADE_IN_THIS_SLOT } from './program-additions.ts';
import type { TransactionFailure } from './transaction-failure.ts';
import { refusalOf } from './transaction-refused.ts';
import { failureOf, refusalFor, unsignedTransaction } from './unsigned-transaction.ts';

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
 * `over` is the subscription that still holds the address although its time is over: it is closed first.
 *
 * @throws TransactionRefused where the chain would not take it, with the reason to tell the customer
 */
export async function subscribeTransaction(
  chain: Chain,
  terms: SubscribeTerms,
  over?: SubscriptionAccount,
): Promise<TransactionsToSign> {
  const { subscriber, merchant, chainPlanId } = terms;
  const [plan, planBump] = await planPda(merchant, chainPlanId);
  const approval = await readApproval(chain, terms);
  const close = over ? [await closeSubscriptionInstruction(over)] : [];
  const prepare = [...close, ...approval.instructions];
  const subscribe = await subscribeInstruction(terms, plan, planBump, approval);
  // What is closed first pays for what is made in its place.
  const newAccounts = [...approval.newAccounts, ...(over ? [] : [bytesOf('subscription')])];
  const memo = terms.memo === undefined ? [] : [memoInstruction(terms.memo)];
  const together = await unsignedTransaction(chain, subscriber, [...prepare, subscribe, ...memo]);
  const failure = await failureOf(chain, together);
  if (!failure) return { transactions: [getBase64EncodedWireTransaction(together)], more: false };
  if (approval.account || !wantsAuthorityFirst(failure, prepare.length)) {
    throw await refusalFor(chain, together, failure, newAccounts);
  }
  return prepareAlone(chain, subscriber, prepare, newAccounts);
}

async function prepareAlone(
  chain: Chain,
  subscriber: Address,
  instructions: readonly Instruction[],
  newAccounts: readonly number[],
): Promise<TransactionsToSign> {
  const alone = await unsignedTransaction(chain, subscriber, instructions);
  const failure = await failureOf(chain, alone);
  if (failure) throw await refusalFor(chain, alone, failure, newAccounts);
  return { transactions: [getBase64EncodedWireTransaction(alone)], more: true };
}

async function subscribeInstruction(
  { subscriber, merchant, chainPlanId, mint, amount, intervalSeconds, planCreatedAt }: SubscribeTerms,
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
      expectedPeriodHours: intervalSeconds / SECONDS_PER_HOUR,
      expectedCreatedAt: planCreatedAt,
      expectedSubscriptionAuthorityInitId: account?.initId ?? MADE_IN_THIS_SLOT,
    },
  });
}

/** The subscribe instruction, at this place, refused the authority that stood just before it. */
function wantsAuthorityFirst(failure: TransactionFailure, place: number): boolean {
  return failure.instruction === place && refusalOf(failure) === 'authority_replaced';
}
