import type { AppContext } from '../../app.ts';
import type { Prisma, SubscriptionStatus } from '../../generated/prisma/client.ts';
import { type Page, type PageInput, readPage } from '../merchant/page.ts';
import type { Scope } from '../merchant/scope.ts';
import { isStorable } from '../merchant/valid-text.ts';
import { type BillableSubscription, billable } from '../payment/billable.ts';

export interface SubscriptionFilter {
  readonly status?: SubscriptionStatus | undefined;
  /** The merchant's own id of the plan. */
  readonly planId?: string | undefined;
  /** The customer's email, or the merchant's own id of the customer. */
  readonly customer?: string | undefined;
  readonly walletAddress?: string | undefined;
}

/** Newest first. @throws BillingError invalid_request, param `page` or `limit` */
export function listSubscriptions(
  { db }: Pick<AppContext, 'db'>,
  scope: Scope,
  { page, limit, ...filter }: SubscriptionFilter & PageInput = {},
): Promise<Page<BillableSubscription>> {
  const where = whereOf(scope, filter);
  const nothing = Object.values(filter).some((text) => text !== undefined && !isStorable(text));
  return readPage(
    { page, limit },
    async (range) =>
      nothing
        ? []
        : db.subscription.findMany({
            where,
            orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
            ...range,
            ...billable,
          }),
    async () => (nothing ? 0 : db.subscription.count({ where })),
  );
}

/** The same condition for pages and for cursors. */
export function whereOf(
  { merchantId, environment }: Scope,
  { status, planId, customer, walletAddress }: SubscriptionFilter,
): Prisma.SubscriptionWhereInput {
  return {
    merchantId,
    environment,
    ...(status && { status }),
    ...(planId !== undefined && { plan: { planId } }),
    ...(customer !== undefined && { customer: { OR: [{ email: customer }, { customerId: customer }] } }),
    ...(walletAddress !== undefined && { walletAddress }),
  };
}
