import type { AppContext } from '../../../app.ts';
import type { Chain } from '../../../chain/chain.ts';
import { compareClocks } from '../../payment/clock-agrees.ts';

/**
 * Webhooks have nothing to do with a chain, whose time may stand still for most of a day (mainnet's has). What a clock that is
 * wrong by less puts off, it puts off for less.
 */
const MOST_APART_SECONDS = 86_400;

/** `unknown`: no cluster could be asked. */
export type ClockStanding = 'right' | 'wrong' | 'unknown';

/** Whether our clock is about right for webhooks: where any cluster agrees, or there is none to ask, it is. */
export async function clockStanding(
  ctx: Pick<AppContext, 'chain' | 'clock' | 'log'>,
): Promise<ClockStanding> {
  const found = await Promise.all(Object.values(ctx.chain).map((chain) => standingBy(ctx, chain)));
  if (found.length === 0 || found.includes('right')) return 'right';
  return found.includes('wrong') ? 'wrong' : 'unknown';
}

async function standingBy(ctx: Pick<AppContext, 'clock' | 'log'>, chain: Chain): Promise<ClockStanding> {
  try {
    const aheadSeconds = await compareClocks(ctx, chain);
    return Math.abs(aheadSeconds) <= MOST_APART_SECONDS ? 'right' : 'wrong';
  } catch (err) {
    ctx.log.debug({ err, environment: chain.environment }, 'the cluster was not asked for its time');
    return 'unknown';
  }
}
