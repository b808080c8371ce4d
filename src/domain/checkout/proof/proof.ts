import type { Address } from '@solana/kit';
import type { ChainTransaction } from '../../../chain/rpc/chain-transaction.ts';
import { decodeEvents } from '../../../chain/transactions/program-events.ts';
import type { Reactivation } from '../../billing/lifecycle/start-subscription.ts';
import { LANDING_SECONDS } from '../../billing/schedule/period.ts';
import { markOf } from './session-memo.ts';

/** The proof in a customer's transaction for a checkout. `at`: its time on chain, unix seconds. */
export type Proof =
  /** It created the subscription; `at` distinguishes it from others at the address. */
  | { readonly kind: 'created'; readonly at: bigint }
  /** It is for an existing subscription, which this session reactivates. */
  | ({ readonly kind: 'returned' } & Reactivation);

/** The proof in a transaction of a wallet's subscription to a plan; undefined if there is none. */
export function proofIn(
  transaction: ChainTransaction,
  sessionId: string,
  { plan, address, wallet }: { readonly plan: string; readonly address: Address; readonly wallet: Address },
): Proof | undefined {
  if (transaction.err || !transaction.accountKeys.includes(address)) return undefined;
  const events = decodeEvents(transaction);
  const findEvent = <T extends 'created' | 'resumed'>(type: T) =>
    events.find((event) => event.type === type && event.plan === plan && event.subscriber === wallet);
  const created = findEvent('created');
  if (created?.type === 'created') return { kind: 'created', at: created.createdAt };
  // The first account pays the fee and has signed. Without our memo the transaction does not
  // concern a checkout.
  const mark = markOf(transaction, sessionId);
  if (transaction.accountKeys[0] !== wallet || !mark) return undefined;
  const resumed = findEvent('resumed') !== undefined;
  return { kind: 'returned', at: transaction.blockTime, resumed, after: mark.after };
}

/**
 * Whether the customer was in time. A transaction requested in the last second of a session lands
 * after its end, so there is a tolerance.
 */
export function isInTime({ at }: Pick<Proof, 'at'>, { expiresAt }: { readonly expiresAt: Date }): boolean {
  return at !== null && at * 1000n <= BigInt(expiresAt.getTime()) + LANDING_SECONDS * 1000n;
}
