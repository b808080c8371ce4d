import type { AppContext } from '../../app.ts';
import type { Scope } from '../access/scope.ts';
import { COLLECTING } from '../billing/book/status.ts';
import { readPageOf, SUBSCRIPTION_ORDERS } from '../billing/read/subscription-order.ts';
import { dayOf } from '../metrics/days.ts';
import {
  type PaidSubscription,
  type ReadOptions,
  readWalletStates,
} from '../wallet-state/read-wallet-states.ts';

/** Maximum wallets that are checked; those that are due first are checked first. */
const MAX_CHECKED = 500;
/** Maximum age of a wallet's state that is used without reading it again. */
const MAX_AGE_MS = 60_000;

/**
 * The number of wallets that could not pay now, of those with a payment due on a day in one token.
 */
export interface ShortWallets {
  readonly day: string;
  readonly mint: string;
  readonly short: number;
  /** The number of wallets that were checked. */
  readonly checked: number;
}

/**
 * Checks the wallets of the first 500 subscriptions whose next payment is due before `end`. A
 * wallet is short if its approval is gone, its account is frozen, or its balance is less than the
 * price. A wallet that pays for several subscriptions counts once for each.
 */
export async function shortWallets(
  ctx: Pick<AppContext, 'db' | 'chain' | 'away' | 'clock'>,
  scope: Scope,
  { now, end }: { readonly now: Date; readonly end: Date },
  beforeRead: ReadOptions['beforeRead'],
): Promise<ShortWallets[]> {
  const { merchantId, environment } = scope;
  const where = { merchantId, environment, cancelAtPeriodEnd: false, nextPaymentAt: { lt: end } };
  const query = { where, take: MAX_CHECKED, include: { plan: true } };
  const found = await readPageOf(ctx.db, COLLECTING, SUBSCRIPTION_ORDERS.NEXT_PAYMENT, query);
  const subscriptions = found as ((typeof found)[number] & PaidSubscription)[];
  const states = await readWalletStates(ctx, environment, subscriptions, {
    maxAgeMs: MAX_AGE_MS,
    ...(beforeRead && { beforeRead }),
  });
  const days = new Map<string, ShortWallets>();
  for (const [index, { nextPaymentAt, plan }] of subscriptions.entries()) {
    const state = states[index];
    if (!state) continue;
    const day = dayOf(nextPaymentAt > now ? nextPaymentAt : now);
    const { mint } = plan;
    const before = days.get(`${day} ${mint}`) ?? { day, mint, short: 0, checked: 0 };
    const isShort = state.approval !== 'OK' || state.frozen || state.runwayPeriods === 0;
    days.set(`${day} ${mint}`, {
      ...before,
      short: before.short + Number(isShort),
      checked: before.checked + 1,
    });
  }
  return [...days.values()];
}
