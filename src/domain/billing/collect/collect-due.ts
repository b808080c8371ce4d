import type { AppContext } from '../../../app.ts';
import type { Chain } from '../../../chain/chain.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import { clockAgrees } from '../../chain-state/clock/clock-agrees.ts';
import { claimDue, firstTurn } from './claim-due.ts';
import { collectClaimed } from './collect-claimed.ts';
import { countInFlight } from './count-in-flight.ts';
import { OpenClaims } from './open-claims.ts';

/**
 * Subscriptions per batch: 12 full version 1 transactions of one plan, or 57 of version 0. A size
 * that is not a multiple of both would leave one transaction of every batch half empty.
 */
const BATCH = 228;
/** The same with fee payers, which leave room for 18 pulls in a version 1 transaction. */
const BATCH_WITH_FEE_PAYERS = 216;
/**
 * Maximum transactions in flight. At this number following them takes too long, so no more are
 * added.
 */
export const MAX_IN_FLIGHT = 4_096;
/**
 * Maximum batches that run at the same time: each spends most of its time waiting for nodes.
 * Batches are small if payments become due one after another, and a new claim must not wait for
 * them.
 */
const MAX_BATCHES = 32;
/** Maximum subscriptions of all running batches of an environment: three full batches. */
const MAX_SUBSCRIPTIONS = 3 * BATCH;

/**
 * The due subscriptions that remain: `nothing`; `more`, because the time was over or the worker
 * stops; or `all`, because collection is paused.
 */
export type RemainingDue = 'nothing' | 'more' | 'all';

/** The running batches of one environment in this process. */
export class RunningBatches {
  /** The merchants from which the next batch is shared. */
  readonly turn = firstTurn();
  readonly #collecting = new Set<Promise<void>>();
  #subscriptions = 0;

  /** Resolves when a full batch may start. */
  async waitForRoom(): Promise<void> {
    while (this.#collecting.size >= MAX_BATCHES || this.#subscriptions > MAX_SUBSCRIPTIONS - BATCH) {
      await Promise.race(this.#collecting);
    }
  }

  add(subscriptions: number, collecting: Promise<void>): void {
    this.#subscriptions += subscriptions;
    const tracked = collecting.finally(() => {
      this.#subscriptions -= subscriptions;
      this.#collecting.delete(tracked);
    });
    this.#collecting.add(tracked);
  }

  /** Resolves when no batch runs. */
  async idle(): Promise<void> {
    while (this.#collecting.size > 0) await Promise.all(this.#collecting);
  }
}

/** The conditions under which claiming stops, besides that nothing is due. */
export interface ClaimUntil {
  /** The time at which to stop, by `performance.now`. */
  readonly untilMs?: number;
  /** Called when nothing is due. Returns whether to claim again. */
  readonly isAskedAgain?: () => boolean;
  readonly claims?: OpenClaims;
}

/**
 * Claims due subscriptions in batches and collects each batch in the background, until nothing
 * unclaimed is due. Any number of workers may do so at the same time.
 */
export async function claimAndCollect(
  ctx: AppContext,
  environment: Environment,
  batches: RunningBatches,
  {
    untilMs = Number.POSITIVE_INFINITY,
    isAskedAgain = () => false,
    claims = new OpenClaims(),
  }: ClaimUntil = {},
): Promise<RemainingDue> {
  const ownChain = ctx.chain[environment];
  if (!ownChain) return 'nothing';
  for (;;) {
    await batches.waitForRoom();
    if (performance.now() >= untilMs || claims.isStopped) return 'more';
    const inFlight = await countInFlight(ctx, environment, MAX_IN_FLIGHT);
    if (!mayAdd(ctx, environment, inFlight) || !(await mayDecide(ctx, ownChain))) return 'all';
    const chain = withFeePayers(ownChain, inFlight);
    const batch = chain.feePayers.length > 0 ? BATCH_WITH_FEE_PAYERS : BATCH;
    const claim = await claimDue(ctx, environment, batch, batches.turn);
    if (claim.subscriptionIds.length > 0) {
      const endClaim = claims.take(claim);
      batches.add(claim.subscriptionIds.length, collectClaimed(ctx, chain, claim).finally(endClaim));
    } else if (!isAskedAgain()) {
      return 'nothing';
    }
  }
}

/** Collects what is due. Resolves when all batches are done. */
export async function collectDue(
  ctx: AppContext,
  environment: Environment,
  until: ClaimUntil = {},
): Promise<void> {
  const batches = new RunningBatches();
  await claimAndCollect(ctx, environment, batches, until);
  await batches.idle();
}

/**
 * The chain with its fee payers if they pay now. The transactions in flight wait for the collector's
 * account if too many write it, and grow in number.
 */
function withFeePayers(chain: Chain, inFlight: number): Chain {
  return inFlight < chain.config.feePayersFromInFlight ? { ...chain, feePayers: [] } : chain;
}

/** Whether more transactions may be sent. */
function mayAdd(ctx: AppContext, environment: Environment, inFlight: number): boolean {
  if (inFlight < MAX_IN_FLIGHT) return true;
  ctx.log.error({ environment, max: MAX_IN_FLIGHT }, 'too many transactions in flight: collection paused');
  return false;
}

/** Checks the clocks before anything is claimed, because claims are decided by our clock. */
async function mayDecide(ctx: AppContext, chain: Chain): Promise<boolean> {
  try {
    return await clockAgrees(ctx, chain);
  } catch (err) {
    const { environment } = chain;
    ctx.log.error({ err, environment }, 'collection failed: will be retried');
    return false;
  }
}
