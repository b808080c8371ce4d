import { ReadableStream } from 'node:stream/web';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { AppContext } from '../app.ts';
import { customersExport } from '../domain/export/customers.ts';
import { eventsExport } from '../domain/export/events.ts';
import { type CsvSource, exportCsv } from '../domain/export/export-csv.ts';
import { paymentsExport } from '../domain/export/payments.ts';
import { subscriptionsExport } from '../domain/export/subscriptions.ts';
import type { Place } from '../domain/merchant/place.ts';
import type { Scope } from '../domain/merchant/scope.ts';
import { isStorable } from '../domain/merchant/valid-text.ts';
import { PaymentStatus, SubscriptionStatus } from '../generated/prisma/client.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { onlyThese } from './only-these.ts';
import { requireKey } from './require-key.ts';
import { answers } from './responses.ts';
import { NEEDS_KEY } from './security.ts';

const moment = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 moment with a time zone' })
  .transform((text) => new Date(text));
const word = z.string().refine(isStorable, 'must be valid text without NUL').optional();
const range = {
  from: moment.optional().openapi({ description: 'Created at this moment or later' }),
  to: moment.optional().openapi({ description: 'Created before this moment' }),
};
const planId = word.openapi({ description: "The merchant's own id of a plan" });
const subscriptionId = word.openapi({ description: 'Address of a subscription' });

/** `past_due` for PAST_DUE: statuses as REST and the webhooks spell them. */
function statusIn<T extends string>(statuses: Readonly<Record<T, T>>) {
  const spelled = Object.values<T>(statuses).map((status) => status.toLowerCase());
  return z
    .enum(spelled, `must be one of ${spelled.join(', ')}`)
    .transform((status) => status.toUpperCase() as T)
    .optional();
}

const payments = onlyThese({ ...range, planId, subscriptionId, status: statusIn(PaymentStatus) });
const subscriptions = onlyThese({
  ...range,
  planId,
  status: statusIn(SubscriptionStatus),
  customer: word.openapi({ description: "The customer's email, or the merchant's own id of the customer" }),
  walletAddress: word,
});
const customers = onlyThese({
  ...range,
  search: word.openapi({ description: "How the email or the merchant's own id begins; or the wallet" }),
});
const events = onlyThese({ ...range, subscriptionId, type: word });

/** Every list there is as a file of any length. */
export function routeExports(router: OpenAPIHono<ApiEnv>, ctx: AppContext): void {
  routeExport(router, ctx, 'payments', payments, paymentsExport);
  routeExport(router, ctx, 'subscriptions', subscriptions, subscriptionsExport);
  routeExport(router, ctx, 'customers', customers, customersExport);
  routeExport(router, ctx, 'events', events, eventsExport);
}

function routeExport<Query extends z.ZodObject, Row extends Place>(
  router: OpenAPIHono<ApiEnv>,
  ctx: AppContext,
  kind: string,
  query: Query,
  source: (
    ctx: AppContext,
    scope: Scope,
    filter: z.output<Query>,
  ) => CsvSource<Row> | Promise<CsvSource<Row>>,
): void {
  const route = createRoute({
    method: 'get',
    path: `/api/exports/${kind}.csv`,
    operationId: `export${kind[0]?.toUpperCase()}${kind.slice(1)}`,
    tags: ['Exports'],
    security: NEEDS_KEY,
    description: 'Needs a key with the scope `read`. A stream: it has no end in length.',
    summary: `All ${kind} as CSV, oldest first`,
    middleware: requireKey('READ'),
    request: { query },
    responses: answers('The file', z.string(), 'text/csv'),
  });
  router.openapi(route, async (c) => {
    const rows = await source(ctx, c.var.scope, c.req.valid('query' as never) as z.output<Query>);
    return new Response(ReadableStream.from(exportCsv(ctx, rows)) as BodyInit, {
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="${kind}.csv"`,
        'Cache-Control': 'no-store',
      },
    });
  });
}
