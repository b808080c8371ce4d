// Applies the on-chain state of subscription addresses, and completes the checkouts of those from
// which nothing is collected yet. The cases are in billing/lifecycle/apply-observations.ts.
import type { Address } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { inChunks } from '../../../async/in-chunks.ts';
import { mapConcurrently } from '../../../async/map-concurrently.ts';
import type { SubscriptionAccount } from '../../../chain/accounts/accounts.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import {
  applyObservations,
  type Observation,
  type Uncollected,
} from '../../billing/lifecycle/apply-observations.ts';
import { autoCompleteCheckout, autoCompleteReturn } from './auto-complete-checkout.ts';
import { findPossibleDuplicates, recordIfDuplicate } from './record-duplicate.ts';
import { withWaitingCheckout } from './waiting-checkouts.ts';

/** Maximum addresses per database transaction. */
const BATCH_SIZE = 200;
const MAX_CONCURRENT_CHECKOUTS = 6;

/**
 * Applies the on-chain state of subscriptions, each address once. The caller must pass the states
 * of one address in slot order, each after it is in the mirror (`ChainAccount`). They are applied
 * together; if that fails, one by one, so that one failure does not stop the others. Returns the
 * errors by address.
 */
export async function observeSubscriptions(
  ctx: AppContext,
  environment: Environment,
  observations: readonly Observation[],
): Promise<ReadonlyMap<Address, unknown>> {
  const failures = new Map<Address, unknown>();
  for (const batch of inChunks(observations, BATCH_SIZE)) {
    await observeTogether(ctx, environment, batch, failures).catch(async (err: unknown) => {
      if (batch.length === 1 && batch[0]) return failures.set(batch[0].address, err);
      ctx.log.warn({ err, environment, subscriptions: batch.length }, 'subscriptions observed one by one');
      for (const observation of batch) {
        await observeTogether(ctx, environment, [observation], failures).catch((error: unknown) =>
          failures.set(observation.address, error),
        );
      }
    });
  }
  return failures;
}

/** Applies the on-chain state of one subscription address. Rejects with its error. */
export async function observeSubscription(
  ctx: AppContext,
  environment: Environment,
  address: Address,
  account: SubscriptionAccount | null,
  slot: bigint,
): Promise<void> {
  const failures = await observeSubscriptions(ctx, environment, [{ address, account, slot }]);
  for (const error of failures.values()) throw error;
}

async function observeTogether(
  ctx: AppContext,
  environment: Environment,
  observations: readonly Observation[],
  failures: Map<Address, unknown>,
): Promise<void> {
  const uncollected = await applyObservations(ctx, environment, observations);
  await completeCheckouts(ctx, environment, uncollected, failures);
}

/**
 * Completes the checkouts of new subscriptions, and records those whose checkout was completed by
 * another wallet. One by one, because they are few and each reads the chain.
 */
async function completeCheckouts(
  ctx: AppContext,
  environment: Environment,
  candidates: readonly Uncollected[],
  failures: Map<Address, unknown>,
): Promise<void> {
  const waiting = await withWaitingCheckout(ctx, environment, candidates);
  const created = candidates.filter(({ hasEnded }) => !hasEnded);
  const duplicates = await findPossibleDuplicates(ctx, environment, created);
  await mapConcurrently(
    [
      ...waiting.map(({ hasEnded, ...seen }) => ({
        seen,
        apply: () => (hasEnded ? autoCompleteReturn : autoCompleteCheckout)(ctx, environment, seen),
      })),
      ...duplicates.map((found) => ({
        seen: found.seen,
        apply: () => recordIfDuplicate(ctx, environment, found),
      })),
    ],
    MAX_CONCURRENT_CHECKOUTS,
    ({ seen, apply }) =>
      apply().catch((error: unknown) => {
        failures.set(seen.address, error);
      }),
  );
}
