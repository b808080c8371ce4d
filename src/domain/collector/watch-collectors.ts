import type { AppContext } from '../../app.ts';
import { type CollectorState, readCollectors } from './read-collectors.ts';

/** Somebody has to notice, fetch SOL and send it. */
const WARN_DAYS = 7;

/** Warns of collectors that will soon, or cannot any more, pay fees. */
export async function watchCollectors(ctx: AppContext): Promise<void> {
  for (const chain of Object.values(ctx.chain)) {
    for (const state of await readCollectors(ctx, chain)) warn(ctx, state);
  }
}

/** In words that stand alone in an alert. */
function warn({ log }: Pick<AppContext, 'log'>, state: CollectorState): void {
  const { environment, address, role, lamports, canPay, lamportsPerDay, daysLeft } = state;
  const numbers = {
    ...{ environment, collector: address, role, daysLeft },
    lamports: String(lamports),
    lamportsPerDay: lamportsPerDay === null ? null : String(lamportsPerDay),
  };
  if (!canPay) log.error(numbers, 'the collector cannot pay fees: nothing is collected until it has SOL');
  else if (daysLeft !== null && daysLeft < WARN_DAYS) {
    log.warn(numbers, `the collector's SOL lasts ${daysLeft} days at the present rate: send it some`);
  }
}
