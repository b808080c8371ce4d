import type { SubscriptionPageQuery } from '../../../generated/graphql.ts';

/** A subscription with the fields that its page queries. */
export type SubscriptionDetail = NonNullable<SubscriptionPageQuery['subscription']>;

/** The price of one interval that the subscription pays, in base units. */
export function priceOf({ price, plan }: SubscriptionDetail): string {
  return price?.amount ?? plan.amount;
}
