import { type AppliedDiscount, appliedDiscount } from '../../../domain/billing/read/applied-discount.ts';
import type { Discount as DiscountRow } from '../../../generated/prisma/client.ts';
import { builder } from '../builder.ts';
import { Discount } from './discount.ts';
import { BillingSubscription } from './subscription.ts';

const SubscriptionDiscount = builder
  .objectRef<AppliedDiscount & { readonly discount: DiscountRow }>('SubscriptionDiscount')
  .implement({
    description: 'The discount of a subscription.',
    fields: (t) => ({
      discount: t.expose('discount', { type: Discount, description: 'The discount.' }),
      from: t.exposeInt('from', {
        description: 'Index of the first payment that it reduces. The first payment after a trial is 0.',
      }),
      until: t.exposeInt('until', {
        nullable: true,
        description:
          'Index of the first payment after it with the full price; null if it never ends. A pause moves it, because payments in a pause do not use the discount up.',
      }),
      periodsLeft: t.exposeInt('periodsLeft', {
        nullable: true,
        description: 'Number of payments from the next one on that it reduces; null for all.',
      }),
      fullPriceAt: t.expose('fullPriceAt', {
        type: 'DateTime',
        nullable: true,
        description:
          'Due date of the first payment after it; null if it never ends, or in a pause without an end, which moves it.',
      }),
    }),
  });

builder.prismaObjectField(BillingSubscription, 'discount', (t) =>
  t.field({
    type: SubscriptionDiscount,
    nullable: true,
    select: {
      chainCreatedAt: true,
      anchorOffsetSeconds: true,
      nextPaymentAt: true,
      discountFrom: true,
      discountUntil: true,
      pausedFrom: true,
      pausedUntil: true,
      plan: { select: { periodSeconds: true, intervalSeconds: true } },
      discountRedemption: { select: { discount: true } },
    },
    description: 'Discount that reduces the next payment or later ones; null if there is none.',
    resolve: (subscription) => {
      const discount = subscription.discountRedemption?.discount;
      const applied = appliedDiscount(subscription);
      return discount && applied ? { ...applied, discount } : null;
    },
  }),
);
