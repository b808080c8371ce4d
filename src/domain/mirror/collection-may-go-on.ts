// What collection may do while the mirror is behind, silent or incomplete.
//
// Pulls continue. Before each pull its accounts are read from the chain: the subscription (is it
// cancelled, which one is it, what was pulled in the period), the token account and the authority.
// A transfer that is not in our database shows there as `pulled`, and the program enforces its own
// limits. Stopping would make payments late or missed without a reason.
//
// The accounts do not show why an approval is missing. If another app replaced the delegate, it is
// the payer's failure: retry, past due, finally expired. A closed authority is a cancellation,
// which only its transaction shows. While transactions may have been missed, no payer is failed for
// a missing approval: the payment waits for the mirror, as does one whose account is closed.
import type { AppContext } from '../../app.ts';
import type { Environment, FailureCode } from '../../generated/prisma/client.ts';
import { mirrorHealth, mirrorProblemOf } from './mirror-health.ts';

const NEEDS_THE_MIRROR: readonly FailureCode[] = ['APPROVAL_REVOKED'];

export interface CollectionGate {
  /**
   * Whether a payer may be failed for this reason now; otherwise the payment is retried later
   * without a failure.
   */
  mayFail(failure: FailureCode): boolean;
  /** Why payments must wait, for the log; undefined if they need not. */
  readonly because: string | undefined;
  /** The newest known slot: everything that decides about a payer is read at this slot or later. */
  readonly knownSlot: bigint;
}

/** Call once per batch, before payers are judged. */
export async function collectionMayGoOn(
  ctx: Pick<AppContext, 'db'>,
  environment: Environment,
): Promise<CollectionGate> {
  const health = await mirrorHealth(ctx, environment);
  const because = mirrorProblemOf(health);
  return {
    mayFail: (failure) => because === undefined || !NEEDS_THE_MIRROR.includes(failure),
    because,
    knownSlot: health.knownSlot ?? 0n,
  };
}
