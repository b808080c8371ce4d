import type { Subscription } from '../../../generated/prisma/client.ts';

/**
 * When the first payment from `nextPaymentAt` on that is charged is due: payments in the range of the
 * waivers are not. Null: not before the subscription is resumed.
 */
export function chargedAt({
  nextPaymentAt,
  waivedFrom,
  waivedUntil,
}: Pick<Subscription, 'nextPaymentAt' | 'waivedFrom' | 'waivedUntil'>): Date | null {
  if (!waivedFrom || nextPaymentAt < waivedFrom) return nextPaymentAt;
  return waivedUntil && nextPaymentAt >= waivedUntil ? nextPaymentAt : waivedUntil;
}
