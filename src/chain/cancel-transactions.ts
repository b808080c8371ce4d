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
import { decodeSubscription, type SubscriptionAccount } from './accounts.ts';
import { authorityAddress, EVENT_AUTHORITY, PROGRAM, subscriptionAddress } from './addresses.ts';
import type { Chain } from './chain.ts';
import { resumeSubscriptionInstruction } from './program-additions.ts';
import { readAccounts } from './read-accounts.ts';
import { TransactionRefused } from './transaction-refused.ts';
import { unsignedTransaction } from './unsigned-transaction.ts';

/**
 * Cancels at the end of the running period, which stays collectible on chain. Unsigned, in base64.
 *
 * @throws TransactionRefused where there is no subscription, or it is cancelled already
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
 * Takes a cancellation back that has not taken effect yet. Unsigned, in base64.
 *
 * @throws TransactionRefused where there is no subscription, or it is not cancelled
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

/** Takes back the cancellation of a subscription as it was read. */
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

/** Closes a subscription whose time is over; its rent goes to who paid it. */
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

async function readSubscription(
  chain: Chain,
  plan: Address,
  subscriber: Address,
): Promise<SubscriptionAccount & { address: Address }> {
  const address = await subscriptionAddress(plan, subscriber);
  const [account] = await readAccounts(chain, [address]);
  if (account?.owner !== PROGRAM) throw new TransactionRefused('not_subscribed');
  return { address, ...decodeSubscription(account.data) };
}
