import type { CustomerPageQuery } from '../../../generated/graphql.ts';

/** The customer, with the fields that their page queries. */
export type CustomerDetail = NonNullable<CustomerPageQuery['customer']>;
