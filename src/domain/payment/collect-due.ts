import type { AppContext } from '../../app.ts';
import type { Chain } from '../../chain/chain.ts';
import type { Environment } from '../../generated/prisma/client.ts';
import { claimDue } from './claim-due.ts';
import { ClaimsInHand } from './claims-in-hand.ts';
import { clockAgrees } from './clock-agrees.ts';
import { collectClaimed } from './collect-claimed.ts';
import { countUnderWay } from './count-under-way.ts';

/**
 * Subscriptions that are decided, read, written down and sent together: 12 full version 1 transactions of one plan, or 57 of
 * version 0. A size that is no multiple of both would leave one transaction of every batch half empty.
 */
const BATCH = 228;
/** Transactions that the chain has not answered for: with so many, following them is what is behind. */
export const MOST_UNDER_WAY = 4_096;
/** While one batch is read or sent, others are decided and signed: each waits for somebody else most of its time. */
const BATCHES_AT_ONCE = 3;

/**
 * Collects what is due, batch after batch, until nothing is left that nobody has in hand, or `untilMs` (of
 * `performance.now`) has come, or `inHand` is stopped, or too many transactions wait to be followed. Any number of workers may do so at the same time: each takes what the others have not.
 */
export async function collectDue(
  ctx: AppContext,
  environment: Environment,
  untilMs = Number.POSITIVE_INFINITY,
  inHand = new ClaimsInHand(),
): Promise<void> {
  const chain = ctx.chain[environment];
  if (!chain) return;
  const underWay = new Set<Promise<void>>();
  while (performance.now() < untilMs && !inHand.isStopped) {
    if ((await countUnderWay(ctx, environment, MOST_UNDER_WAY)) >= MOST_UNDER_WAY) {
      ctx.log.error(
        { environment, most: MOST_UNDER_WAY },
        'too many transactions are under way, none are added',
      );
      break;
    }
    if (!(await mayDecide(ctx, chain))) break;
    const claim = await claimDue(ctx, environment, BATCH);
    if (claim.subscriptionIds.length === 0) break;
    const isOver = inHand.take(claim);
    const collecting = collectClaimed(ctx, chain, claim).finally(() => {
      isOver();
      underWay.delete(collecting);
    });
    underWay.add(collecting);
    if (underWay.size === BATCHES_AT_ONCE) await Promise.race(underWay);
  }
  await Promise.all(underWay);
}

/** Before anything is claimed: what is claimed is decided by our clock. */
async function mayDecide(ctx: AppContext, chain: Chain): Promise<boolean> {
  try {
    return await clockAgrees(ctx, chain);
  } catch (err) {
    const { environment } = chain;
    ctx.log.error({ err, environment }, 'collection failed, will be tried again');
    return false;
  }
}
