// The rules of collection while the mirror is behind, silent or incomplete.
//
// Pulls continue. Before each pull its accounts are read from the chain: the subscription (whether
// it is cancelled, whether it is the same creation, and how much was pulled in the period), the
// token account and the authority. A transfer that is not in our database shows there as `pulled`,
// and the program enforces its own limits. Stopping would make payments late or missed without a
// reason.
//
// The accounts do not show why an approval is missing. If another app replaced the delegate, the
// payer has failed: the payment is retried, and the subscription becomes past due and finally
// expires. If the authority was closed, the subscription is cancelled, and only the transaction
// shows that. While transactions may have been missed, no payer is failed for a missing approval.
// The payment waits for the mirror, like a payment whose account is closed.
import type { AppContext } from '../../../app.ts';
import type { Environment, FailureCode } from '../../../generated/prisma/client.ts';
import { mirrorHealth, mirrorProblemOf } from './mirror-health.ts';

const FAILURES_THAT_NEED_THE_MIRROR: readonly FailureCode[] = ['APPROVAL_REVOKED'];

export interface CollectionGate {
  /**
   * Whether a payer may be failed for this reason now; otherwise the payment is retried later
   * without a failure.
   */
  mayFail(failure: FailureCode): boolean;
  /** The problem of the mirror, for the log; undefined if there is none. */
  readonly because: string | undefined;
  /** The newest known slot. Reads that decide about a payer use this slot or a later one. */
  readonly knownSlot: bigint;
}

/** Reads the gate. Call it once per batch, before deciding about payers. */
export async function readCollectionGate(
  ctx: Pick<AppContext, 'db'>,
  environment: Environment,
): Promise<CollectionGate> {
  const health = await mirrorHealth(ctx, environment);
  const because = mirrorProblemOf(health);
  return {
    mayFail: (failure) => because === undefined || !FAILURES_THAT_NEED_THE_MIRROR.includes(failure),
    because,
    knownSlot: health.knownSlot ?? 0n,
  };
}
