import type { AppContext } from '../../../app.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import type { BillableSubscription } from '../schedule/billable.ts';
import { changeWaivers, validPeriods, validReason, waiveNext } from './change-waivers.ts';
import { waiveRequest } from './take-waive-key.ts';

/**
 * Gives the next periods for free: the customer keeps access and is not charged for them.
 *
 * @param count from 1 to 12
 * @throws BillingError not_found, param `subscription`; invalid_request, param `count`, `reason` or `idempotencyKey`, or
 *   `subscription` if it has ended, ends with its period, or is paused until it is resumed
 */
export async function grantFreePeriods(
  ctx: AppContext,
  scope: ActingScope,
  input: {
    readonly subscription: string;
    readonly count: number;
    readonly reason?: string | null | undefined;
    /** A repeated request with the same key gives no further periods. */
    readonly idempotencyKey?: string | null | undefined;
  },
): Promise<BillableSubscription> {
  const reason = validReason(input.reason);
  return changeWaivers(ctx, scope, input.subscription, {
    action: 'payment.waived',
    request: waiveRequest(input.idempotencyKey, 'free', input.count, reason),
    rule: (book, now) => {
      const count = validPeriods('count', input.count);
      waiveNext(book, { kind: 'FREE', count, keepsAccess: true, reason, actor: scope.actor }, now);
      return { freePeriods: count, ...(reason && { reason }) };
    },
  });
}
