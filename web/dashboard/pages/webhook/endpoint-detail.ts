import type { EndpointPageQuery } from '../../../generated/graphql.ts';

/** What the page shows. */
export type EndpointDetail = NonNullable<EndpointPageQuery['webhookEndpoint']>;
