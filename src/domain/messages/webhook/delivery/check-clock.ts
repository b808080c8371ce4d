import type { AppContext } from '../../../../app.ts';
import type { Chain } from '../../../../chain/chain.ts';
import { compareClocks } from '../../../chain-state/clock/clock-agrees.ts';

/**
 * Maximum difference from a cluster's time. It is large because webhooks do not depend on a chain,
 * and a chain can stop for most of a day, as mainnet did. A clock that is wrong by less delays
 * retries by at most its error.
 */
const MAX_DIFFERENCE_SECONDS = 86_400;

/** `unknown`: no cluster responded. */
export type ClockCheck = 'right' | 'wrong' | 'unknown';

/** Whether our clock is right enough for webhooks: a cluster agrees, or none is configured. */
export async function checkClock(
  ctx: Pick<AppContext, 'chain' | 'away' | 'clock' | 'db' | 'log'>,
): Promise<ClockCheck> {
  const checks = await Promise.all(Object.values(ctx.chain).map((chain) => checkAgainst(ctx, chain)));
  if ((checks.length === 0 && !ctx.away?.size) || checks.includes('right')) return 'right';
  return checks.includes('wrong') ? 'wrong' : 'unknown';
}

async function checkAgainst(
  ctx: Pick<AppContext, 'clock' | 'db' | 'log'>,
  chain: Chain,
): Promise<ClockCheck> {
  try {
    const aheadSeconds = await compareClocks(ctx, chain);
    return Math.abs(aheadSeconds) <= MAX_DIFFERENCE_SECONDS ? 'right' : 'wrong';
  } catch (err) {
    ctx.log.debug({ err, environment: chain.environment }, 'time of the cluster not read');
    return 'unknown';
  }
}
