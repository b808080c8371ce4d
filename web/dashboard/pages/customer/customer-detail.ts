import type { CustomerPageQuery } from '../../../generated/graphql.ts';

/** What the page shows. */
export type CustomerDetail = NonNullable<CustomerPageQuery['customer']>;
