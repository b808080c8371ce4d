import type { Discount, Plan } from '../../../generated/prisma/client.ts';

/** Why a plan's customers do not get a discount now. */
export type NotOffered = 'inactive' | 'not_started' | 'ended' | 'used_up' | 'other_plan';

/** Whether new customers of a plan get the discount at `now`; undefined if they do. */
export function whyNotOffered(
  discount: Discount,
  plan: Pick<Plan, 'id' | 'mint'>,
  now: Date,
): NotOffered | undefined {
  const { isActive, startsAt, endsAt, maxRedemptions, taken, planIds, mint } = discount;
  if (!isActive) return 'inactive';
  if (startsAt && now < startsAt) return 'not_started';
  if (endsAt && now >= endsAt) return 'ended';
  if (planIds.length > 0 && !planIds.includes(plan.id)) return 'other_plan';
  if (mint !== null && mint !== plan.mint) return 'other_plan';
  return maxRedemptions !== null && taken >= maxRedemptions ? 'used_up' : undefined;
}

/** The reasons in words, for the merchant. */
export const NOT_OFFERED: Readonly<Record<NotOffered, string>> = {
  inactive: 'The discount is switched off.',
  not_started: 'The discount has not started yet.',
  ended: 'The discount has ended.',
  used_up: 'The discount has no redemptions left.',
  other_plan: 'The discount is not for this plan.',
};
