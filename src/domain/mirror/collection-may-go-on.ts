// What collection may do while the mirror is behind, silent or in doubt.
//
// Pulls go on. Before each one its accounts are read from the chain itself: the subscription (cancelled? which life? what
// was pulled of the period?), the token account, the authority. A transfer that the books do not know of shows there as
// `pulled`, and the program's cap and the subscription's own checks hold whatever we believe. To stop pulling would make
// customers' payments late, or missed for good, for nothing that we do not know.
//
// What cannot be read is why an approval is gone. A delegate that another app replaced is the customer's failure: retry,
// past due, at last expired. A closed authority is a cancellation, and it is a transaction, not an account, that tells of
// it. So nobody is blamed for an approval while transactions may have been missed: that payment waits for the mirror, as
// one does whose account is closed.
import type { AppContext } from '../../app.ts';
import type { Environment, FailureCode } from '../../generated/prisma/client.ts';
import { mirrorHealth, whyUnsound } from './mirror-health.ts';

const NEEDS_THE_MIRROR: readonly FailureCode[] = ['APPROVAL_REVOKED'];

export interface CollectionGate {
  /** Whether a payer may be failed for this now; else the payment is tried again later, and nobody is blamed. */
  mayBlame(failure: FailureCode): boolean;
  /** Why something has to wait, in words for the log; undefined where nothing has. */
  readonly because: string | undefined;
}

/** Ask once a batch, before payers are judged. */
export async function collectionMayGoOn(
  ctx: Pick<AppContext, 'db'>,
  environment: Environment,
): Promise<CollectionGate> {
  const because = whyUnsound(await mirrorHealth(ctx, environment));
  return { mayBlame: (failure) => because === undefined || !NEEDS_THE_MIRROR.includes(failure), because };
}
