import { ReadableStream } from 'node:stream/web';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { AppContext } from '../../app.ts';
import { customersExport } from '../../domain/insight/export/customers-export.ts';
import { eventsExport } from '../../domain/insight/export/events-export.ts';
import { type CsvSource, exportCsv } from '../../domain/insight/export/export-csv.ts';
import { paymentsExport } from '../../domain/insight/export/payments-export.ts';
import { receiptsExport } from '../../domain/insight/export/receipts.ts';
import { subscriptionsExport } from '../../domain/insight/export/subscriptions-export.ts';
import type { Scope } from '../../domain/kernel/access/scope.ts';
import { invalidRequest } from '../../errors.ts';
import { FailureCode, PaymentStatus, SubscriptionStatus } from '../../generated/prisma/client.ts';
import { ENVIRONMENT_NAMES } from '../access/authenticate-member.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { exactObject } from './exact-object.ts';
import { createdRange, customer, planId, receiptNumber, subscriptionId, word } from './query-parameters.ts';
import { requireKey } from './require-key.ts';
import { responsesOf } from './responses.ts';
import { NEEDS_KEY } from './security.ts';

const environment = z.enum(ENVIRONMENT_NAMES, 'must be test or live').optional().openapi({
  description:
    'Environment of a request with the cookie of a signed-in member, because a link sends no header; default `test`. Not for API keys',
});
const range = { environment, ...createdRange };

/** Schema of a lower-case status, as in REST and in webhooks: `past_due` for PAST_DUE. */
function statusIn<T extends string>(statuses: Readonly<Record<T, T>>) {
  const { names, rule, parse } = statusNames(statuses);
  return z.enum(names, `must be ${rule}`).transform(parse).optional();
}

/** Schema of a list of lower-case statuses: `active,past_due`. */
function statusesIn<T extends string>(statuses: Readonly<Record<T, T>>) {
  const { names, rule, parse } = statusNames(statuses);
  return z
    .string()
    .transform((text) => text.split(','))
    .refine((values) => values.every((name) => names.includes(name)), `must be ${rule}, separated by commas`)
    .transform((values) => values.map(parse))
    .optional();
}

function statusNames<T extends string>(statuses: Readonly<Record<T, T>>) {
  const names = Object.values<T>(statuses).map((status) => status.toLowerCase());
  return {
    names,
    rule: `one of ${names.join(', ')}`,
    parse: (name: string) => name.toUpperCase() as T,
  };
}

const failureCode = statusIn(FailureCode).openapi({
  description:
    'Only payments whose last failed attempt failed for this reason; for subscriptions, only past-due ones whose open payment failed for it',
});

const payments = exactObject({
  ...range,
  planId,
  subscriptionId,
  status: statusIn(PaymentStatus),
  customer,
  failureCode,
});
const subscriptions = exactObject({
  ...range,
  planId,
  status: statusIn(SubscriptionStatus),
  statuses: statusesIn(SubscriptionStatus).openapi({
    description: 'Only subscriptions in one of these statuses, separated by commas: `active,past_due`',
  }),
  cancelAtPeriodEnd: z
    .enum(['true', 'false'], 'must be true or false')
    .transform((text) => text === 'true')
    .optional()
    .openapi({
      description:
        '`true` lists only subscriptions that are cancelled at the end of the period, `false` only the others',
    }),
  customer,
  walletAddress: word,
  search: word.openapi({
    description:
      'Only subscriptions where one of these equals the text: email, `customerId`, wallet, address of the subscription, `lifeId`',
  }),
  failureCode,
});
const customers = exactObject({
  ...range,
  search: word.openapi({
    description:
      'Only customers whose email or `customerId` begins with this text, or whose wallet has this complete address',
  }),
});
const receipts = exactObject({
  ...range,
  number: receiptNumber.optional().openapi({ description: 'Only the receipt with this number' }),
  subscriptionId,
  customer,
});
const events = exactObject({ ...range, subscriptionId, type: word });

/** Adds one route per list that exports it as a CSV file of any length. */
export function routeExports(router: OpenAPIHono<ApiEnv>, ctx: AppContext): void {
  routeExport(router, ctx, 'payments', payments, paymentsExport);
  routeExport(router, ctx, 'subscriptions', subscriptions, subscriptionsExport);
  routeExport(router, ctx, 'customers', customers, customersExport);
  routeExport(router, ctx, 'receipts', receipts, receiptsExport);
  routeExport(router, ctx, 'events', events, eventsExport);
}

function routeExport<Query extends z.ZodObject, Row>(
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
    description:
      'Needs an API key with the scope `read`, or a signed-in member. The response is streamed and may have any length.',
    summary: `All ${kind} as CSV, oldest first`,
    middleware: requireKey('READ'),
    request: { query },
    responses: responsesOf('The file', z.string(), 'text/csv'),
  });
  router.openapi(route, async (c) => {
    const { environment, ...filter } = c.req.valid('query' as never) as z.output<Query>;
    if (environment !== undefined && c.var.caller.kind === 'api_key') {
      throw invalidRequest('environment', 'environment is for signed-in members: an API key has its own.');
    }
    const rows = await source(ctx, c.var.scope, filter as z.output<Query>);
    const chunks = exportCsv(ctx, rows);
    // Reads the first rows before the response begins, so that an error has the usual form.
    const first = await chunks.next();
    return new Response(ReadableStream.from(prepend(first, chunks)) as BodyInit, {
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="${kind}.csv"`,
        'Cache-Control': 'no-store',
      },
    });
  });
}

/** Yields the item that was already taken from a generator, then its other items. */
async function* prepend<T>(
  first: IteratorResult<T, void>,
  others: AsyncGenerator<T, void>,
): AsyncGenerator<T, void> {
  try {
    if (!first.done) yield first.value;
    yield* others;
  } finally {
    await others.return();
  }
}
