import { hash } from 'node:crypto';
import type { ReadonlyUint8Array } from '@solana/kit';
import { subscriptionFacts } from '../src/chain/account-facts.ts';
import { accountKind } from '../src/chain/accounts.ts';
import { isAsKnown } from '../src/domain/subscription/is-as-known.ts';
import { COLLECTING } from '../src/domain/subscription/status.ts';
import type { ExpectedAccount } from './expected-accounts.ts';
import type { SeenAccount } from './seen-account.ts';

/** As PostgreSQL's `encode(sha256(data), 'hex')` words it. */
export function digestOf(data: ReadonlyUint8Array): string {
  return hash('sha256', data as Uint8Array, 'hex');
}

/**
 * Whether what was read of an account is to be applied: it is not mirrored so, or perhaps not told to the use cases. What
 * was mirrored since it was read is newer, and is left alone; what was mirrored after `position` may have been in hand when
 * a process died, and differs to be safe. So does what is collected from here and over or cancelled there,
 * and what its subscriber had cancelled and is not cancelled there.
 */
export function differs(
  { mirrored, lives }: Pick<ExpectedAccount, 'mirrored' | 'lives'>,
  { data, slot }: Pick<SeenAccount, 'data' | 'slot'>,
  position: bigint | undefined,
): boolean {
  if (mirrored && mirrored.slot > slot) return false;
  if (data === null) return lives.length > 0 || mirrored?.closed === false;
  if (!mirrored || mirrored.closed || mirrored.digest !== digestOf(data)) return true;
  if (mirrored.slot > (position ?? -1n)) return true;
  if (lives.length === 0 || accountKind(data) !== 'subscription') return false;
  const facts = subscriptionFacts(data);
  const isCollected = lives.some(({ status }) => COLLECTING.includes(status));
  if (isCollected) return !isAsKnown(lives, facts);
  return facts.expiresAt === 0n && lives.some(({ cancelledOnChain }) => cancelledOnChain);
}
