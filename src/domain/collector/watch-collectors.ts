import type { AppContext } from '../../app.ts';
import { FEE_LAMPORTS, RESERVE_LAMPORTS } from './needs.ts';
import { type CollectorState, readCollectors } from './read-collectors.ts';

/** Time for an operator to notice, buy SOL and send it. */
const WARN_DAYS = 7;

/**
 * Warns of collectors that cannot pay fees, or soon cannot, and returns them. A cluster that does
 * not respond does not delay the others.
 */
export async function watchCollectors(ctx: AppContext): Promise<CollectorState[]> {
  const low = await Promise.all(
    Object.values(ctx.chain).map(async (chain) => {
      try {
        const states = await readCollectors(ctx, chain);
        for (const state of states) warn(ctx, state);
        return states.filter(isLow);
      } catch (err) {
        const { environment } = chain;
        ctx.log.error({ err, environment }, 'collector not checked: retrying later');
        return [];
      }
    }),
  );
  return low.flat();
}

function isLow({ canPay, daysLeft }: CollectorState): boolean {
  return !canPay || (daysLeft !== null && daysLeft < WARN_DAYS);
}

/** The messages are complete sentences for alerts. */
function warn({ log }: Pick<AppContext, 'log'>, state: CollectorState): void {
  const { environment, address, role, lamports, canPay, lamportsPerDay, daysLeft } = state;
  const numbers = {
    environment,
    collector: address,
    role,
    daysLeft,
    lamports: String(lamports),
    lamportsNeeded: String(RESERVE_LAMPORTS + FEE_LAMPORTS),
    lamportsPerDay: lamportsPerDay === null ? null : String(lamportsPerDay),
  };
  if (!canPay) log.error(numbers, 'the collector cannot pay fees: nothing is collected until it has SOL');
  else if (isLow(state)) {
    log.warn(numbers, `the collector's SOL lasts ${daysLeft} days at the present rate: send it some`);
  }
}
