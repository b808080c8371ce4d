import { setTimeout as sleep } from 'node:timers/promises';
import type { Address, Signature } from '@solana/kit';
import {
  AccountLayoutError,
  decodeSubscription,
  type SubscriptionAccount,
} from '../../../chain/accounts/accounts.ts';
import { PROGRAM } from '../../../chain/accounts/addresses.ts';
import { readAccounts } from '../../../chain/accounts/read-accounts.ts';
import type { Chain } from '../../../chain/chain.ts';
import { NodeBehind } from '../../../chain/rpc/as-of.ts';
import { type ChainTransaction, readTransaction } from '../../../chain/rpc/chain-transaction.ts';
import { type SignatureOutcome, waitForSignature } from '../../../chain/rpc/signature-outcomes.ts';
import { SECONDS_PER_HOUR } from '../../../chain/transactions/plan-transactions.ts';
import { invalidRequest } from '../../../errors.ts';
import type { Plan } from '../../../generated/prisma/client.ts';
import { NotSeenYet } from './not-seen-yet.ts';
import { type Proof, proofIn } from './proof.ts';
import { madeFor } from './session-memo.ts';

/**
 * Delays between reads of a signature's status: a wallet returns the signature when it has sent the
 * transaction, before it lands.
 */
const RETRY_DELAYS_MS = [400, 800, 1_500, 2_500];
const TRANSACTION_READS = 5;
const RETRY_DELAY_MS = 400;
const NOT_READ_YET = 'The subscription cannot be read yet: try again in a moment.';

/** A subscription as presented by the app. */
export interface PresentedSubscription {
  readonly sessionId: string;
  readonly plan: Plan;
  readonly address: Address;
  readonly wallet: Address;
}

/**
 * Verifies that the transaction is confirmed and successful, and that it created this subscription
 * or reactivates it for this session. Returns its slot too.
 *
 * @throws BillingError invalid_request, param `signature`; `NotSeenYet` if a later call may succeed
 */
export async function verifySignature(
  chain: Chain,
  { sessionId, plan, address, wallet }: PresentedSubscription,
  signature: Signature,
): Promise<{ proof: Proof; slot: bigint }> {
  const outcome = await awaitConfirmation(chain, signature);
  if (outcome.state === 'unseen' || outcome.commitment === 'processed') {
    throw new NotSeenYet('The transaction is not confirmed yet: try again in a moment.');
  }
  if (outcome.err) throw invalidRequest('signature', 'The transaction failed on chain.');
  const transaction = await readConfirmed(chain, signature);
  if (!transaction.accountKeys.includes(address)) {
    throw invalidRequest('signature', 'The transaction does not touch this subscription.');
  }
  const proof = proofIn(transaction, sessionId, { plan: plan.address, address, wallet });
  if (!proof) throw invalidRequest('signature', 'The transaction did not create this subscription.');
  if (madeFor(transaction, sessionId) === 'another') {
    throw invalidRequest('signature', 'The transaction was created for another checkout.');
  }
  return { proof, slot: outcome.slot };
}

/**
 * Polls a few times at growing intervals, because a caller may present a signature that never
 * lands.
 */
async function awaitConfirmation(chain: Chain, signature: Signature): Promise<SignatureOutcome> {
  let outcome = await waitForSignature(chain, signature, { timeoutMs: 0 });
  for (const waitMs of RETRY_DELAYS_MS) {
    if (outcome.state === 'landed' && outcome.commitment !== 'processed') break;
    await sleep(waitMs);
    outcome = await waitForSignature(chain, signature, { timeoutMs: 0 });
  }
  return outcome;
}

/**
 * Verifies the account and its terms. The chain must be read at the slot of the creating
 * transaction: an older state has no such account, or an earlier one.
 *
 * @param isNew whether the account was created a moment ago, so that it cannot be closed already
 * @throws BillingError invalid_request, param `subscriptionPda`; `NotSeenYet` if all nodes are
 *   behind, or if a new account is missing on a node that does not say that it is behind
 */
export async function verifyAccount(
  chain: Chain,
  presented: PresentedSubscription,
  isNew = false,
): Promise<{ account: SubscriptionAccount; slot: bigint }> {
  const [found] = await readAccounts(chain, [presented.address], 'program').catch((cause: unknown) => {
    if (!(cause instanceof NodeBehind)) throw cause;
    throw new NotSeenYet(NOT_READ_YET);
  });
  if (found?.owner !== PROGRAM) {
    if (isNew) throw new NotSeenYet(NOT_READ_YET);
    throw invalidRequest('subscriptionPda', 'The subscription does not exist.');
  }
  const account = decode(found.data);
  const mismatch = mismatchOf(presented, account);
  if (mismatch) throw invalidRequest('subscriptionPda', `The subscription ${mismatch}.`);
  return { account, slot: found.slot };
}

/**
 * The reason why this plan cannot collect the account, as the end of a sentence; undefined if it
 * can.
 */
export function mismatchOf(
  { plan, wallet }: Pick<PresentedSubscription, 'plan' | 'wallet'>,
  account: SubscriptionAccount,
): string | undefined {
  if (account.subscriber !== wallet) return 'belongs to another wallet';
  if (account.plan !== plan.address) return 'belongs to another plan';
  if (hasOtherTerms(plan, account)) return "has other terms than the plan's";
  return account.expiresAt === 0n ? undefined : 'is cancelled';
}

/** Whether the account has other terms than the plan. */
export function hasOtherTerms(plan: Plan, account: SubscriptionAccount): boolean {
  const isSame =
    account.amount === plan.maxAmount &&
    account.periodHours * BigInt(SECONDS_PER_HOUR) === BigInt(plan.periodSeconds) &&
    account.planCreatedAt === plan.chainCreatedAt;
  return !isSame;
}

function decode(data: Parameters<typeof decodeSubscription>[0]): SubscriptionAccount {
  try {
    return decodeSubscription(data);
  } catch (cause) {
    if (!(cause instanceof AccountLayoutError)) throw cause;
    throw invalidRequest('subscriptionPda', 'The account is not a subscription.');
  }
}

/** A node may know the status of a transaction shortly before the transaction itself. */
async function readConfirmed(chain: Chain, signature: Signature): Promise<ChainTransaction> {
  for (let read = 1; ; read++) {
    const transaction = await readTransaction(chain, signature);
    if (transaction) return transaction;
    if (read === TRANSACTION_READS) {
      throw new NotSeenYet('The transaction cannot be read yet: try again in a moment.');
    }
    await sleep(RETRY_DELAY_MS);
  }
}
