import type { SubscriptionPageQuery } from '../../../generated/graphql.ts';

/** The subscription, with the fields that its page queries. */
export type SubscriptionDetail = NonNullable<SubscriptionPageQuery['subscription']>;
