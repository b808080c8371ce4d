import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { AppContext } from '../../app.ts';
import { listSubscriptions } from '../../domain/billing/read/list-subscriptions.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { exactObject } from './exact-object.ts';
import { wholeNumber } from './query-parameters.ts';
import { requireKey } from './require-key.ts';
import { responsesOf } from './responses.ts';
import { NEEDS_KEY } from './security.ts';
import { ITEM_ROWS, subscriptionItem, toSubscriptionItem } from './subscription-item.ts';

const route = createRoute({
  method: 'get',
  path: '/api/subscriptions',
  operationId: 'listSubscriptions',
  tags: ['Subscriptions'],
  security: NEEDS_KEY,
  description:
    'Needs an API key with the scope `read`. For filters use the GraphQL queries `subscriptions` and `subscriptionsConnection`.',
  summary: 'List subscriptions, newest first',
  middleware: requireKey('READ'),
  request: {
    query: exactObject(
      {
        page: wholeNumber.optional().openapi({ description: 'Number of the page, from 1; default 1' }),
        limit: wholeNumber.optional().openapi({ description: 'Items per page, 1 to 100; default 20' }),
      },
      "GraphQL's `subscriptions` takes a filter",
    ),
  },
  responses: responsesOf(
    'A page of subscriptions',
    z.object({
      data: z.array(subscriptionItem),
      pagination: z.object({ page: z.int(), limit: z.int(), total: z.int(), pages: z.int() }),
    }),
  ),
});

export function routeListSubscriptions(router: OpenAPIHono<ApiEnv>, ctx: AppContext): void {
  router.openapi(route, async (c) => {
    const { data, pagination } = await listSubscriptions(
      ctx,
      c.get('scope'),
      ITEM_ROWS,
      c.req.valid('query'),
    );
    return c.json({ data: data.map(toSubscriptionItem), pagination }, 200);
  });
}
