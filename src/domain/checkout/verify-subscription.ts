import { setTimeout as sleep } from 'node:timers/promises';
import type { Address, Signature } from '@solana/kit';
import { AccountLayoutError, decodeSubscription, type SubscriptionAccount } from '../../chain/accounts.ts';
import { PROGRAM } from '../../chain/addresses.ts';
import type { Chain } from '../../chain/chain.ts';
import { type ChainTransaction, readTransaction } from '../../chain/chain-transaction.ts';
import { SECONDS_PER_HOUR } from '../../chain/plan-transactions.ts';
import { readAccounts } from '../../chain/read-accounts.ts';
import { type SignatureOutcome, waitForSignature } from '../../chain/send.ts';
import { invalidRequest } from '../../errors.ts';
import type { Plan } from '../../generated/prisma/client.ts';
import { NotSeenYet } from './not-seen-yet.ts';
import { type Proof, proofIn } from './proof.ts';
import { madeFor } from './session-memo.ts';

/** A wallet answers when it has sent the transaction, not when the network has it. */
const ASK_AGAIN_MS = [400, 800, 1_500, 2_500];
const TRANSACTION_READS = 5;
const READ_AGAIN_MS = 400;

/** A subscription as the app claims it. */
export interface ClaimedSubscription {
  readonly sessionId: string;
  readonly plan: Plan;
  readonly address: Address;
  readonly wallet: Address;
}

/**
 * The transaction is confirmed, went well, and made this subscription or took it up for this session.
 *
 * @throws BillingError invalid_request, param `signature`; `NotSeenYet` where that may change by itself
 */
export async function verifySignature(
  chain: Chain,
  { sessionId, plan, address, wallet }: ClaimedSubscription,
  signature: Signature,
): Promise<Proof> {
  const outcome = await landed(chain, signature);
  if (outcome.state === 'unseen' || outcome.commitment === 'processed') {
    throw new NotSeenYet('The transaction is not confirmed (yet): try again in a moment.');
  }
  if (outcome.err) throw invalidRequest('signature', 'The transaction failed on chain.');
  const transaction = await readConfirmed(chain, signature);
  if (!transaction.accountKeys.includes(address)) {
    throw invalidRequest('signature', 'The transaction does not touch this subscription.');
  }
  const proof = proofIn(transaction, sessionId, { plan: plan.address, address, wallet });
  if (!proof) throw invalidRequest('signature', 'The transaction did not make this subscription.');
  if (madeFor(transaction, sessionId) === 'another') {
    throw invalidRequest('signature', 'The transaction was made for another checkout.');
  }
  return proof;
}

/** Asks a few times, less and less often: whoever knows the session may ask for a signature that will never come. */
async function landed(chain: Chain, signature: Signature): Promise<SignatureOutcome> {
  let outcome = await waitForSignature(chain, signature, { timeoutMs: 0 });
  for (const waitMs of ASK_AGAIN_MS) {
    if (outcome.state === 'landed' && outcome.commitment !== 'processed') break;
    await sleep(waitMs);
    outcome = await waitForSignature(chain, signature, { timeoutMs: 0 });
  }
  return outcome;
}

/**
 * The account is there, and what the customer was shown.
 *
 * @throws BillingError invalid_request, param `subscriptionPda`
 */
export async function verifyAccount(
  chain: Chain,
  claimed: ClaimedSubscription,
): Promise<{ account: SubscriptionAccount; slot: bigint }> {
  const [found] = await readAccounts(chain, [claimed.address]);
  if (found?.owner !== PROGRAM) throw invalidRequest('subscriptionPda', 'There is no such subscription.');
  const account = decode(found.data);
  const wrong = mismatch(claimed, account);
  if (wrong) throw invalidRequest('subscriptionPda', `The subscription ${wrong}.`);
  return { account, slot: found.slot };
}

/** What is wrong with the account, in words that end a sentence; undefined where it can be billed by this plan. */
export function mismatch(
  { plan, wallet }: Pick<ClaimedSubscription, 'plan' | 'wallet'>,
  account: SubscriptionAccount,
): string | undefined {
  if (account.subscriber !== wallet) return 'belongs to another wallet';
  if (account.plan !== plan.address) return 'is of another plan';
  if (differs(plan, account)) return "has other terms than the plan's";
  return account.expiresAt === 0n ? undefined : 'is cancelled';
}

/** Whether it was agreed to at other terms than the plan's. */
export function differs(plan: Plan, account: SubscriptionAccount): boolean {
  const asShown =
    account.amount === plan.amount &&
    account.periodHours * BigInt(SECONDS_PER_HOUR) === BigInt(plan.intervalSeconds) &&
    account.planCreatedAt === plan.chainCreatedAt;
  return !asShown;
}

function decode(data: Parameters<typeof decodeSubscription>[0]): SubscriptionAccount {
  try {
    return decodeSubscription(data);
  } catch (cause) {
    if (!(cause instanceof AccountLayoutError)) throw cause;
    throw invalidRequest('subscriptionPda', 'The account is not a subscription.');
  }
}

/** A node may tell the status of a transaction a moment before it has the transaction to read. */
async function readConfirmed(chain: Chain, signature: Signature): Promise<ChainTransaction> {
  for (let read = 1; ; read++) {
    const transaction = await readTransaction(chain, signature);
    if (transaction) return transaction;
    if (read === TRANSACTION_READS) {
      throw new NotSeenYet('The transaction cannot be read (yet): try again in a moment.');
    }
    await sleep(READ_AGAIN_MS);
  }
}
