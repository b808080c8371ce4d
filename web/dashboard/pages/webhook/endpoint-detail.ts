import type { EndpointPageQuery } from '../../../generated/graphql.ts';

/** An endpoint with the fields that its page queries. */
export type EndpointDetail = NonNullable<EndpointPageQuery['webhookEndpoint']>;
