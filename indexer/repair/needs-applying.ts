import { hash } from 'node:crypto';
import type { ReadonlyUint8Array } from '@solana/kit';
import { subscriptionFacts } from '../../src/chain/accounts/account-facts.ts';
import { accountKind } from '../../src/chain/accounts/accounts.ts';
import { COLLECTING } from '../../src/domain/billing/book/status.ts';
import { isUnchanged } from '../../src/domain/billing/lifecycle/is-unchanged.ts';
import type { SeenAccount } from '../order/seen-account.ts';
import type { ExpectedAccount } from './expected-accounts.ts';

/** The same text as PostgreSQL's `encode(sha256(data), 'hex')`. */
export function digestOf(data: ReadonlyUint8Array): string {
  return hash('sha256', data as Uint8Array, 'hex');
}

/**
 * Whether an account that was read must be applied, because it differs from the mirror or a use
 * case may have missed it. A newer mirrored state is kept. A state mirrored after `position` may
 * not have reached its use case before a crash, so it counts as different. So does a subscription
 * that is collected here and has ended or is cancelled on chain, and one whose cancellation by its
 * subscriber is no longer on chain.
 */
export function needsApplying(
  { mirrored, subscriptions }: Pick<ExpectedAccount, 'mirrored' | 'subscriptions'>,
  { data, slot }: Pick<SeenAccount, 'data' | 'slot'>,
  position: bigint | undefined,
): boolean {
  if (mirrored && mirrored.slot > slot) return false;
  if (data === null) return subscriptions.length > 0 || mirrored?.closed === false;
  if (!mirrored || mirrored.closed || mirrored.digest !== digestOf(data)) return true;
  if (mirrored.slot > (position ?? -1n)) return true;
  if (subscriptions.length === 0 || accountKind(data) !== 'subscription') return false;
  const facts = subscriptionFacts(data);
  const isCollected = subscriptions.some(({ status }) => COLLECTING.includes(status));
  if (isCollected) return !isUnchanged(subscriptions, facts);
  return facts.expiresAt === 0n && subscriptions.some(({ cancelledOnChain }) => cancelledOnChain);
}
