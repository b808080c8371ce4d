import {
  type Address,
  createNoopSigner,
  getBase64EncodedWireTransaction,
  type Instruction,
} from '@solana/kit';
import {
  getCancelSubscriptionInstruction,
  getRevokeSubscriptionOverlayInstruction,
} from '@solana/subscriptions';
import { decodeSubscription, type SubscriptionAccount } from '../accounts/accounts.ts';
import { authorityAddress, EVENT_AUTHORITY, PROGRAM, subscriptionAddress } from '../accounts/addresses.ts';
import { readAccounts } from '../accounts/read-accounts.ts';
import type { Chain } from '../chain.ts';
import { resumeSubscriptionInstruction } from './program-additions.ts';
import { refusalOfFailure, TransactionRefused } from './transaction-refused.ts';
import { failureOf, unsignedTransaction } from './unsigned-transaction.ts';

/**
 * Creates the transaction that cancels a subscription at the end of the current period. The chain
 * still allows pulls in that period. Unsigned, in base64.
 *
 * @throws TransactionRefused if there is no subscription or it is already cancelled
 */
export async function cancelTransaction(
  chain: Chain,
  { subscriber, plan }: { subscriber: Address; plan: Address },
): Promise<string> {
  const { address, expiresAt } = await readSubscription(chain, plan, subscriber);
  if (expiresAt !== 0n) throw new TransactionRefused('already_cancelled');
  const transaction = await unsignedTransaction(chain, subscriber, [
    getCancelSubscriptionInstruction({
      subscriber: createNoopSigner(subscriber),
      planPda: plan,
      subscriptionPda: address,
      eventAuthority: EVENT_AUTHORITY,
    }),
  ]);
  return getBase64EncodedWireTransaction(transaction);
}

/**
 * Creates the transaction that resumes a cancelled subscription before the cancellation takes
 * effect. Unsigned, in base64.
 *
 * @throws TransactionRefused if there is no subscription or it is not cancelled
 */
export async function resumeTransaction(
  chain: Chain,
  { subscriber, plan, mint }: { subscriber: Address; plan: Address; mint: Address },
): Promise<string> {
  const { address, expiresAt } = await readSubscription(chain, plan, subscriber);
  if (expiresAt === 0n) throw new TransactionRefused('not_cancelled');
  const resume = await resumeInstruction({ address, subscriber, plan, expiresAt }, mint);
  return getBase64EncodedWireTransaction(await unsignedTransaction(chain, subscriber, [resume]));
}

/** The instruction that resumes a subscription account. */
export async function resumeInstruction(
  {
    address,
    subscriber,
    plan,
    expiresAt,
  }: Pick<SubscriptionAccount, 'subscriber' | 'plan' | 'expiresAt'> & {
    readonly address: Address;
  },
  mint: Address,
): Promise<Instruction> {
  return resumeSubscriptionInstruction({
    subscriber: createNoopSigner(subscriber),
    plan,
    subscription: address,
    authority: await authorityAddress(subscriber, mint),
    seenExpiresAt: expiresAt,
  });
}

/**
 * The instruction that closes an expired subscription account; the rent goes to the account that
 * paid it.
 */
export async function closeSubscriptionInstruction({
  plan,
  subscriber,
  payer,
}: SubscriptionAccount): Promise<Instruction> {
  return getRevokeSubscriptionOverlayInstruction({
    authority: createNoopSigner(subscriber),
    planPda: plan,
    subscriptionPda: await subscriptionAddress(plan, subscriber),
    ...(payer === subscriber ? {} : { receiver: payer }),
  });
}

/**
 * Creates the transaction that closes the account of a subscription whose cancellation has taken
 * effect. Unsigned, in base64.
 *
 * @throws TransactionRefused if there is no subscription, it is not cancelled, or its last period
 *   is not over
 */
export async function closeTransaction(
  chain: Chain,
  { subscriber, plan }: { subscriber: Address; plan: Address },
): Promise<string> {
  const account = await readSubscription(chain, plan, subscriber);
  if (account.expiresAt === 0n) throw new TransactionRefused('not_cancelled');
  const transaction = await unsignedTransaction(chain, subscriber, [
    await closeSubscriptionInstruction(account),
  ]);
  // The simulation shows whether the last period is over by the cluster's own clock.
  const failure = await failureOf(chain, transaction);
  if (failure) {
    const refusal = refusalOfFailure(failure);
    throw new TransactionRefused(refusal === 'other' ? 'not_over' : refusal);
  }
  return getBase64EncodedWireTransaction(transaction);
}

async function readSubscription(
  chain: Chain,
  plan: Address,
  subscriber: Address,
): Promise<SubscriptionAccount & { address: Address }> {
  const address = await subscriptionAddress(plan, subscriber);
  const [account] = await readAccounts(chain, [address], 'program');
  if (account?.owner !== PROGRAM) throw new TransactionRefused('not_subscribed');
  return { address, ...decodeSubscription(account.data) };
}
