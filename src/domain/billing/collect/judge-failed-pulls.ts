import type { AppContext } from '../../../app.ts';
import { type Payer, readPayersApart } from '../../../chain/accounts/payers.ts';
import type { Chain } from '../../../chain/chain.ts';
import { asOf, FEW_ATTEMPTS, highestSlot, NodeBehind } from '../../../chain/rpc/as-of.ts';
import { readCollectionGate } from '../../chain-state/mirror/collection-gate.ts';
import { decisionAfterFailure, waitIfInDoubt } from './collect-decision.ts';
import type { UncollectedPayment } from './release-uncollected.ts';
import type { FailedPull } from './simulate-packs.ts';

/** Decides the payments whose pulls failed in the simulation. */
export async function judgeFailedPulls(
  ctx: AppContext,
  chain: Chain,
  failedPulls: readonly FailedPull[],
): Promise<UncollectedPayment[]> {
  if (failedPulls.length === 0) return [];
  const gate = await readCollectionGate(ctx, chain.environment);
  // A failed simulation counts only if the accounts read after it confirm it.
  const fresh = asOf(
    chain,
    highestSlot([gate.knownSlot, ...failedPulls.map(({ slot }) => slot)]),
    FEW_ATTEMPTS,
  );
  const payers = await readPayersApart(
    fresh,
    failedPulls.map(({ due }) => due.pull),
  ).catch((error: unknown): (Payer | undefined)[] => {
    if (!(error instanceof NodeBehind)) throw error;
    // No current state can be read: payments without a known payer wait.
    return [];
  });
  return failedPulls.map(({ due, failure }, index) => {
    if (failure.kind === 'ours' || failure.kind === 'plan_ended') {
      const subscription = due.subscription.address;
      ctx.log.error(
        { subscription, failure: failure.kind },
        'pull would fail for a reason that is not the payer’s',
      );
    }
    const decision = waitIfInDoubt(decisionAfterFailure(failure, payers[index], due.pull.amount), gate);
    return { due, decision };
  });
}
