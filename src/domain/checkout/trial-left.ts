import type { AppContext } from '../../app.ts';
import type { Plan, Subscription } from '../../generated/prisma/client.ts';
import { scheduleOf, unixSeconds } from '../billing/schedule/billable.ts';

type Reader = Pick<AppContext, 'db' | 'clock'>;

/**
 * Seconds of trial for a wallet that subscribes to the plan now: each wallet gets the trial of a
 * plan once.
 *
 * @param isReactivated whether the wallet reactivates its newest subscription, which keeps the rest
 *   of its trial
 */
export async function trialLeft(
  { db, clock }: Reader,
  plan: Plan,
  wallet: string,
  isReactivated = false,
): Promise<number> {
  if (plan.trialPeriodSeconds === 0) return 0;
  const newest = await db.subscription.findFirst({
    where: { planId: plan.id, walletAddress: wallet },
    orderBy: { chainCreatedAt: 'desc' },
  });
  if (!newest) return plan.trialPeriodSeconds;
  return isReactivated ? remainingTrial(plan, newest, clock.now()) : 0;
}

function remainingTrial(plan: Plan, subscription: Subscription, at: Date): number {
  const { startedAt, trialSeconds } = scheduleOf({ ...subscription, plan });
  const seconds = Number(startedAt + trialSeconds - unixSeconds(at));
  return Math.max(0, Math.min(seconds, Number(trialSeconds)));
}

/**
 * The trial that a session shows: the plan's until the wallet is known, and after completion the
 * trial that was granted.
 */
export async function trialOf(
  ctx: Reader,
  session: {
    readonly plan: Plan;
    readonly walletAddress: string | null;
    readonly subscription: Subscription | null;
    readonly completedAt: Date | null;
  },
): Promise<number> {
  const { plan, walletAddress, subscription, completedAt } = session;
  if (subscription) {
    const isNew = completedAt === null || subscription.createdAt >= completedAt;
    return isNew
      ? Number(scheduleOf({ ...subscription, plan }).trialSeconds)
      : remainingTrial(plan, subscription, completedAt);
  }
  return walletAddress === null ? plan.trialPeriodSeconds : trialLeft(ctx, plan, walletAddress);
}
