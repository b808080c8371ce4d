import type { SubscriptionPageQuery } from '../../../generated/graphql.ts';

/** A subscription with the fields that its page queries. */
export type SubscriptionDetail = NonNullable<SubscriptionPageQuery['subscription']>;
