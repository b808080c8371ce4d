import type { AppContext } from '../../../app.ts';
import { FEE_LAMPORTS, RESERVE_LAMPORTS } from './lamport-amounts.ts';
import { type CollectorState, readCollectors } from './read-collectors.ts';

/** Time that an operator needs to notice the warning, buy SOL and send it. */
const WARN_DAYS = 7;

/**
 * Logs collectors that cannot pay fees now or within seven days, and returns them. A cluster that
 * does not respond does not delay the others.
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

/** Logs a warning. The messages are complete sentences, because alerts show them. */
function warn({ log }: Pick<AppContext, 'log'>, state: CollectorState): void {
  const { environment, address, role, lamports, canPay, lamportsPerDay, daysLeft } = state;
  const fields = {
    environment,
    collector: address,
    role,
    daysLeft,
    lamports: String(lamports),
    lamportsNeeded: String(RESERVE_LAMPORTS + FEE_LAMPORTS),
    lamportsPerDay: lamportsPerDay === null ? null : String(lamportsPerDay),
  };
  if (!canPay) log.error(fields, 'the collector cannot pay fees: nothing is collected until it has SOL');
  else if (isLow(state)) {
    log.warn(fields, `the collector's SOL lasts ${daysLeft} days at the current rate: send SOL to it`);
  }
}
