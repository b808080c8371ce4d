import type { AppContext } from '../../../app.ts';
import { unixSeconds } from '../../../chain/chain-time.ts';
import type { Plan, Subscription } from '../../../generated/prisma/client.ts';
import { scheduleOf } from '../../billing/schedule/billable.ts';
import type { Schedule } from '../../billing/schedule/period.ts';

type Reader = Pick<AppContext, 'db'>;

/**
 * Whether the wallet has subscribed to the plan before: each wallet gets the trial of a plan once.
 *
 * @param besides a session whose own subscription does not count
 */
export async function hasHadTrial(
  db: Reader['db'],
  plan: Plan,
  wallet: string,
  besides?: string,
): Promise<boolean> {
  const sessions = besides === undefined ? undefined : { none: { id: besides } };
  const where = { planId: plan.id, walletAddress: wallet, sessions };
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
  { db }: Reader,
  session: {
    readonly id: string;
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
  // The session may have been completed since it was read.
  const isOver = walletAddress !== null && (await hasHadTrial(db, plan, walletAddress, session.id));
  return isOver ? 0 : plan.trialPeriodSeconds;
}
