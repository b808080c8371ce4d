import type { AppContext } from '../../../app.ts';
import { COLLECTING } from '../../billing/book/status.ts';
import { readPageOf, SUBSCRIPTION_ORDERS } from '../../billing/read/subscription-order.ts';
import { chargedAt } from '../../catalog/plan/charged-at.ts';
import {
  type PaidSubscription,
  type ReadOptions,
  readWalletStates,
} from '../../chain-state/wallet-state/read-wallet-states.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { dayOf } from '../metrics/days.ts';

/** Maximum wallets that are checked; those that are due first are checked first. */
const MAX_CHECKED = 500;
/** Maximum age of a wallet's state that is used without reading it again. */
const MAX_AGE_MS = 60_000;

/** Wallets with a payment due, counted by day and token. Each wallet counts once per token. */
export interface ShortWallets {
  readonly day: string;
  readonly mint: string;
  /** The number of wallets whose first payment that they could not make is due on this day. */
  readonly short: number;
  /** The number of wallets that were checked and whose first payment is due on this day. */
  readonly checked: number;
}

/**
 * Checks the wallets of the first 500 subscriptions whose next payment is due before `end`. A
 * payment cannot be made if its approval is gone, if the token account is frozen, or if the balance
 * less the wallet's earlier payments is below its next payment. Only the next payment of each subscription
 * that is charged counts, and none that waits for a top-up.
 */
export async function shortWallets(
  ctx: Pick<AppContext, 'db' | 'chain' | 'away' | 'clock'>,
  scope: Scope,
  { now, end }: { readonly now: Date; readonly end: Date },
  beforeRead: ReadOptions['beforeRead'],
): Promise<ShortWallets[]> {
  const { merchantId, environment } = scope;
  const isUnpaid = { status: 'PAST_DUE', accessUntil: { not: null } } as const;
  const where = {
    merchantId,
    environment,
    cancelAtPeriodEnd: false,
    nextPaymentAt: { lt: end },
    NOT: isUnpaid,
  };
  const query = { where, take: MAX_CHECKED, include: { plan: true } };
  const found = await readPageOf(ctx.db, COLLECTING, SUBSCRIPTION_ORDERS.NEXT_PAYMENT, query);
  const subscriptions = (found as ((typeof found)[number] & PaidSubscription)[])
    .flatMap((subscription) => {
      const dueAt = chargedAt(subscription);
      return dueAt && dueAt < end ? [{ ...subscription, dueAt }] : [];
    })
    .toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime());
  const states = await readWalletStates(ctx, environment, subscriptions, {
    maxAgeMs: MAX_AGE_MS,
    ...(beforeRead && { beforeRead }),
  });
  const days = new Map<string, ShortWallets>();
  const wallets = new Map<string, { readonly spent: bigint; readonly isShort: boolean }>();
  for (const [index, { dueAt, nextAmount: amount, walletAddress, plan }] of subscriptions.entries()) {
    const state = states[index];
    if (!state) continue;
    const day = dayOf(dueAt > now ? dueAt : now);
    const { mint } = plan;
    const wallet = wallets.get(`${walletAddress} ${mint}`);
    const spent = wallet?.spent ?? 0n;
    const canPay = state.approval === 'OK' && !state.frozen && (state.balance ?? 0n) - spent >= amount;
    wallets.set(`${walletAddress} ${mint}`, {
      spent: canPay ? spent + amount : spent,
      isShort: !canPay || wallet?.isShort === true,
    });
    const counts = days.get(`${day} ${mint}`) ?? { day, mint, short: 0, checked: 0 };
    days.set(`${day} ${mint}`, {
      ...counts,
      short: counts.short + Number(!canPay && !wallet?.isShort),
      checked: counts.checked + Number(!wallet),
    });
  }
  return [...days.values()];
}
