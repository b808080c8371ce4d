import type { SubscriptionPageQuery } from '../../../generated/graphql.ts';

/** What the page shows. */
export type SubscriptionDetail = NonNullable<SubscriptionPageQuery['subscription']>;
