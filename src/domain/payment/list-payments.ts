import type { DbTransaction } from '../../db.ts';
import type { PaymentStatus, Prisma } from '../../generated/prisma/client.ts';
import { createdIn, type MomentRange } from '../merchant/moment-range.ts';
import type { Scope } from '../merchant/scope.ts';
import { ofPlan } from '../plan/of-plan.ts';
import { ofSubscription } from '../subscription/subscription-named.ts';

export interface PaymentFilter extends MomentRange {
  readonly status?: PaymentStatus | undefined;
  /** The merchant's own id of the plan. */
  readonly planId?: string | undefined;
  /** Address of a subscription, all its lives; or our id of one. */
  readonly subscriptionId?: string | undefined;
}

/** @throws BillingError invalid_request, param `planId`, `subscriptionId` or `to` */
export async function paymentsWhere(
  db: Pick<DbTransaction, 'plan' | 'subscription'>,
  scope: Scope,
  { status, planId, subscriptionId, from, to }: PaymentFilter,
): Promise<Prisma.PaymentWhereInput> {
  const range = createdIn({ from, to });
  const { merchantId, environment } = scope;
  const all: Prisma.PaymentWhereInput[] = [
    // What their index is entered by, beside the status.
    status === undefined || status === 'SUCCEEDED' ? {} : { number: null },
    planId === undefined ? {} : await ofPlan(db, scope, planId),
    subscriptionId === undefined ? {} : await ofSubscription(db, scope, subscriptionId),
  ];
  return { merchantId, environment, ...range, ...(status && { status }), AND: all };
}
