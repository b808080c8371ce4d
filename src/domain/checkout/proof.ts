import type { Address } from '@solana/kit';
import type { ChainTransaction } from '../../chain/chain-transaction.ts';
import { decodeEvents } from '../../chain/events.ts';
import { LANDING_SECONDS } from '../payment/period.ts';
import { markOf } from './session-memo.ts';

/** What a customer's transaction did for a checkout. `at` is the chain's time of it, unix seconds. */
export type Proof =
  /** It made the subscription: `at` tells this life of the address from others. */
  | { readonly kind: 'created'; readonly at: bigint }
  /**
   * It took up one that was there: the wallet says so, for this session and no other. `resumed` where it took back a
   * cancellation too; `after` is the change of the subscription that it comes after, where we had it then.
   */
  | {
      readonly kind: 'returned';
      readonly at: bigint | null;
      readonly resumed: boolean;
      readonly after: string | undefined;
    };

/** What a transaction proves about one wallet's subscription to a plan; undefined where nothing. */
export function proofIn(
  transaction: ChainTransaction,
  sessionId: string,
  { plan, address, wallet }: { readonly plan: string; readonly address: Address; readonly wallet: Address },
): Proof | undefined {
  if (transaction.err || !transaction.accountKeys.includes(address)) return undefined;
  const events = decodeEvents(transaction);
  const has = <T extends 'created' | 'resumed'>(type: T) =>
    events.find((event) => event.type === type && event.plan === plan && event.subscriber === wallet);
  const created = has('created');
  if (created?.type === 'created') return { kind: 'created', at: created.createdAt };
  // The first account pays the fee, and has signed. Without our mark it says nothing of a checkout.
  const mark = markOf(transaction, sessionId);
  if (transaction.accountKeys[0] !== wallet || !mark) return undefined;
  const resumed = has('resumed') !== undefined;
  return { kind: 'returned', at: transaction.blockTime, resumed, after: mark.after };
}

/**
 * Whether the customer was in time. A transaction that was asked for in the session's last second lands a little after its
 * end: as long as such a one may still land, it counts.
 */
export function isInTime({ at }: Pick<Proof, 'at'>, { expiresAt }: { readonly expiresAt: Date }): boolean {
  return at !== null && at * 1000n <= BigInt(expiresAt.getTime()) + LANDING_SECONDS * 1000n;
}
