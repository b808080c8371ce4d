import type { AppContext } from '../../../app.ts';
import { unixSeconds } from '../../../chain/chain-time.ts';
import type { Plan, Subscription } from '../../../generated/prisma/client.ts';
import { scheduleOf } from '../../billing/schedule/billable.ts';
import type { Schedule } from '../../billing/schedule/period.ts';

type Reader = Pick<AppContext, 'db' | 'clock'>;

/**
 * Seconds of trial for a wallet that subscribes to the plan now: each wallet gets the trial of a
 * plan once.
 */
async function trialLeft({ db }: Reader, plan: Plan, wallet: string): Promise<number> {
  return (await hasHadTrial(db, plan, wallet)) ? 0 : plan.trialPeriodSeconds;
}

/** Whether the wallet has subscribed to the plan before. */
export async function hasHadTrial(db: Reader['db'], plan: Plan, wallet: string): Promise<boolean> {
  const where = { planId: plan.id, walletAddress: wallet };
  return plan.trialPeriodSeconds > 0 && (await db.subscription.findFirst({ where })) !== null;
}

/** Seconds of a schedule's trial that are left at `at`. */
export function remainingTrial({ startedAt, anchorOffsetSeconds }: Schedule, at: Date): number {
  const seconds = Number(startedAt + anchorOffsetSeconds - unixSeconds(at));
  return Math.max(0, Math.min(seconds, Number(anchorOffsetSeconds)));
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
      ? subscription.anchorOffsetSeconds
      : remainingTrial(scheduleOf({ ...subscription, plan }), completedAt);
  }
  return walletAddress === null ? plan.trialPeriodSeconds : trialLeft(ctx, plan, walletAddress);
}
