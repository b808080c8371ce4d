import type { AppContext } from '../../../app.ts';
import { FEE_LAMPORTS, FEE_PAYER_LAMPORTS, RESERVE_LAMPORTS } from './lamport-amounts.ts';
import {
  type CollectorState,
  type FeePayerState,
  type PayingAccount,
  readCollectors,
  readFeePayers,
} from './read-collectors.ts';

/** Time that an operator needs to notice the warning, buy SOL and send it. */
const WARN_DAYS = 7;

/**
 * Logs collectors and fee payers that cannot pay fees now or within seven days, and returns them. A
 * cluster that does not respond does not delay the others.
 */
export async function watchCollectors(ctx: AppContext): Promise<(CollectorState | FeePayerState)[]> {
  const low = await Promise.all(
    Object.values(ctx.chain).map(async (chain) => {
      try {
        const read = await Promise.all([readCollectors(ctx, chain), readFeePayers(ctx, chain)]);
        const states = read.flat();
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

function isLow({ canPay, daysLeft }: PayingAccount): boolean {
  return !canPay || (daysLeft !== null && daysLeft < WARN_DAYS);
}

/** Logs a warning. The messages are complete sentences, because alerts show them. */
function warn({ log }: Pick<AppContext, 'log'>, state: CollectorState | FeePayerState): void {
  const { environment, address, role, lamports, canPay, lamportsPerDay, daysLeft } = state;
  const isFeePayer = role === 'fee_payer';
  const fields = {
    environment,
    collector: address,
    role,
    daysLeft,
    lamports: String(lamports),
    lamportsNeeded: String(RESERVE_LAMPORTS + (isFeePayer ? FEE_PAYER_LAMPORTS : FEE_LAMPORTS)),
    lamportsPerDay: lamportsPerDay === null ? null : String(lamportsPerDay),
  };
  if (!canPay && isFeePayer) log.warn(fields, 'a fee payer cannot pay fees: the others pay until it has SOL');
  else if (!canPay) log.error(fields, 'the collector cannot pay fees: nothing is collected until it has SOL');
  else if (isLow(state)) {
    const who = isFeePayer ? "a fee payer's" : "the collector's";
    log.warn(fields, `${who} SOL lasts ${daysLeft} days at the current rate: send SOL to it`);
  }
}
