import type { CustomerPageQuery } from '../../../generated/graphql.ts';

/** A customer with the fields that the customer page queries. */
export type CustomerDetail = NonNullable<CustomerPageQuery['customer']>;
