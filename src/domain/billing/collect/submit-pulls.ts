import type { AppContext } from '../../../app.ts';
import { mapConcurrently } from '../../../async/map-concurrently.ts';
import type { Chain } from '../../../chain/chain.ts';
import { asOfAny, NodeBehind } from '../../../chain/rpc/as-of.ts';
import { forgetVersion } from '../../../chain/transactions/accepted-version.ts';
import { type Claim, renewClaim } from './claim-due.ts';
import { CLUSTER_ERROR_DELAY_MS } from './collect-decision.ts';
import { enqueueFollowing } from './enqueue-following.ts';
import { judgeFailedPulls } from './judge-failed-pulls.ts';
import type { PayablePayment } from './prepare-payments.ts';
import { releaseUncollected } from './release-uncollected.ts';
import { sendQuietly } from './send-quietly.ts';
import { signPayments } from './sign-payments.ts';
import { VersionRefused } from './simulate-packs.ts';
import { writeSigned } from './write-signed.ts';

/** Maximum transactions sent to the node at the same time. */
const MAX_CONCURRENT_SENDS = 32;
/** Maximum times that the cluster may refuse the message version before collection fails. */
const MAX_REFUSALS = 2;
/** Nobody of ours can pay the fee now. The payer has not failed. */
const COLLECTOR_LOW = { kind: 'later', delayMs: CLUSTER_ERROR_DELAY_MS } as const;

/**
 * Sends payments in transactions:
 *
 * 1. Packs, simulates and signs them (`signPayments`).
 * 2. Releases the payments whose pulls failed in the simulation (`judgeFailedPulls`), and those
 *    whose fee neither a fee payer nor the collector can pay.
 * 3. Writes the signed transactions (`writeSigned`). If the process crashes after that, the
 *    follower finds what may still land.
 * 4. Sends them, and adds the job of the follower.
 *
 * Payments that step 3 leaves out of a transaction start again at step 1.
 */
export async function submitPulls(
  ctx: AppContext,
  chain: Chain,
  claim: Claim,
  payable: readonly PayablePayment[],
): Promise<void> {
  let remaining = payable;
  let signingChain = chain;
  for (let refusals = 0; remaining.length > 0; ) {
    try {
      const { signed, failedPulls, unpaid } = await signPayments(ctx, signingChain, remaining);
      const failed = await judgeFailedPulls(ctx, chain, failedPulls);
      await releaseUncollected(ctx, chain, claim, [
        ...failed,
        ...unpaid.map((due) => ({ due, decision: COLLECTOR_LOW })),
      ]);
      await renewClaim(ctx, claim);
      const { written, toPackAgain } = await writeSigned(ctx, chain, claim, signed);
      await Promise.all([
        written.length > 0 && enqueueFollowing(ctx),
        mapConcurrently(written, MAX_CONCURRENT_SENDS, ({ wire }) => sendQuietly(ctx, chain, wire)),
      ]);
      remaining = toPackAgain;
    } catch (error) {
      if (error instanceof NodeBehind && signingChain.minSlot > 0n) {
        // Retried without a minimum slot: a simulation of an older state records no failure, and
        // the chain checks the transactions again.
        signingChain = asOfAny(chain);
        continue;
      }
      if (!(error instanceof VersionRefused) || ++refusals > MAX_REFUSALS) throw error;
      ctx.log.warn(
        { err: error, environment: chain.environment },
        'message version refused: the cluster will be asked again',
      );
      forgetVersion(chain);
    }
  }
}
