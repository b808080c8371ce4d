import type { AppContext } from '../../../app.ts';
import { dateOf, unixSeconds } from '../../../chain/chain-time.ts';
import type { Payment, Plan } from '../../../generated/prisma/client.ts';
import { offsetOfNew, scheduleOf } from '../../billing/schedule/billable.ts';
import { firstUnpaid } from '../../billing/schedule/first-unpaid.ts';
import { paymentPeriod, type Schedule } from '../../billing/schedule/period.ts';
import { hasHadTrial, remainingTrial } from '../session/trial-left.ts';
import type { WalletEligibility } from './wallet-eligibility.ts';

/** What a wallet pays if it approves now. */
export interface PaymentsAhead {
  /** Base units that are collected at once; 0 in a trial or if the running period is paid. */
  readonly dueNow: bigint;
  /** Due date of the first payment that is not collected at once. */
  readonly nextPaymentAt: Date;
  /** Seconds of free trial that are left. */
  readonly trialSeconds: number;
}

type Eligible = Exclude<WalletEligibility, { readonly kind: 'subscribed' }>;

/** Returns what the wallet pays now and next, by the rule with which the subscription starts. */
export async function paymentsAhead(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  plan: Plan,
  wallet: string,
  eligibility: Eligible,
): Promise<PaymentsAhead> {
  const at = ctx.clock.now();
  const now = unixSeconds(at);
  const { schedule, payments, price } = await readSchedule(ctx, plan, wallet, eligibility);
  const paymentAt = (start: bigint) => payments.find(({ periodStart }) => periodStart === start);
  const first = firstUnpaid(schedule, now, ({ periodStart }) =>
    ['SUCCEEDED', 'WAIVED'].includes(paymentAt(periodStart)?.status ?? ''),
  );
  const isDueNow = first.dueAt <= now;
  const next = isDueNow ? paymentPeriod(schedule, first.index + 1n) : first;
  return {
    // What the running period owes may be fixed already. If it is not, it is fixed at the price so far or
    // at that of this checkout, whichever is read first.
    dueNow: isDueNow ? (paymentAt(first.periodStart)?.amount ?? greater(price, plan.amount)) : 0n,
    nextPaymentAt: dateOf(next.dueAt),
    trialSeconds: remainingTrial(schedule, at),
  };
}

/** The schedule that the subscription will have, its newest scheduled payments, and its price so far. */
async function readSchedule(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  plan: Plan,
  wallet: string,
  eligibility: Eligible,
): Promise<{ readonly schedule: Schedule; readonly payments: readonly Payment[]; readonly price: bigint }> {
  if (eligibility.kind === 'idle' && eligibility.subscriptionId !== undefined) {
    const subscription = await db.subscription.findUniqueOrThrow({
      where: { id: eligibility.subscriptionId },
      include: {
        plan: true,
        payments: { where: { ordinal: 0 }, orderBy: { periodStart: 'desc' }, take: 2 },
      },
    });
    const { payments, nextAmount: price } = subscription;
    return { schedule: scheduleOf(subscription), payments, price };
  }
  // An account that dues does not know yet counts from its own period, a new one from now.
  const chainCreatedAt =
    eligibility.kind === 'idle' ? eligibility.account.periodStart : unixSeconds(clock.now());
  const anchorOffsetSeconds = offsetOfNew(plan, !(await hasHadTrial(db, plan, wallet)));
  const schedule = scheduleOf({ chainCreatedAt, anchorOffsetSeconds, plan });
  return { schedule, payments: [], price: plan.amount };
}

const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b);
