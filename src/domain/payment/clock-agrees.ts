import type { AppContext } from '../../app.ts';
import type { Chain } from '../../chain/chain.ts';
import { readChainTime } from '../../chain/read-accounts.ts';
import { unixSeconds } from './billable.ts';

/** The shortest period; clusters in trouble have been half an hour behind. */
const MOST_APART_SECONDS = 3_600;

/** How far our clock is ahead of the cluster's, in seconds; negative where it is behind. */
export async function clockAhead({ clock }: Pick<AppContext, 'clock'>, chain: Chain): Promise<number> {
  const chainTime = await readChainTime(chain);
  return Number(unixSeconds(clock.now()) - chainTime);
}

/**
 * Whether our clock and the cluster's tell about the same time. Where they do not, one of them has jumped, and what is decided
 * by it cannot be taken back: periods would be written off, tries put off for years, webhooks thrown away as old. So nothing is
 * decided until they agree again, and somebody is told.
 */
export async function clockAgrees(ctx: Pick<AppContext, 'clock' | 'log'>, chain: Chain): Promise<boolean> {
  const aheadSeconds = await clockAhead(ctx, chain);
  if (Math.abs(aheadSeconds) <= MOST_APART_SECONDS) return true;
  ctx.log.error(
    { environment: chain.environment, aheadSeconds },
    'our clock and the cluster’s are far apart: nothing is collected until they agree',
  );
  return false;
}
