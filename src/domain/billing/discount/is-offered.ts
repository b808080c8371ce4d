import type { Discount, Plan } from '../../../generated/prisma/client.ts';

/** Whether customers get a discount at a time, or why they do not. */
export type DiscountState = 'ON' | 'OFF' | 'NOT_STARTED' | 'ENDED' | 'USED_UP';

/** Why a plan's customers do not get a discount now. */
export type NotOffered = Exclude<DiscountState, 'ON'> | 'OTHER_PLAN';

/** The state of a discount at `now`. */
export function discountState(
  { isActive, startsAt, endsAt, maxRedemptions, taken }: Discount,
  now: Date,
): DiscountState {
  if (!isActive) return 'OFF';
  if (startsAt && now < startsAt) return 'NOT_STARTED';
  if (endsAt && now >= endsAt) return 'ENDED';
  return maxRedemptions !== null && taken >= maxRedemptions ? 'USED_UP' : 'ON';
}

/** Whether new customers of a plan get the discount at `now`; undefined if they do. */
export function whyNotOffered(
  discount: Discount,
  plan: Pick<Plan, 'id' | 'mint'>,
  now: Date,
): NotOffered | undefined {
  const state = discountState(discount, now);
  if (state !== 'ON') return state;
  const { planIds, mint } = discount;
  if (planIds.length > 0 && !planIds.includes(plan.id)) return 'OTHER_PLAN';
  return mint !== null && mint !== plan.mint ? 'OTHER_PLAN' : undefined;
}

/** The reasons in words, for the merchant. */
export const NOT_OFFERED: Readonly<Record<NotOffered, string>> = {
  OFF: 'The discount is switched off.',
  NOT_STARTED: 'The discount has not started yet.',
  ENDED: 'The discount has ended.',
  USED_UP: 'The discount has no redemptions left.',
  OTHER_PLAN: 'The discount is not for this plan.',
};
