import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { AppContext } from '../../app.ts';
import { receiptJsonUrl, receiptUrl } from '../../domain/accounts/customer/receipt-link.ts';
import { documentOf } from '../../domain/billing/receipt/get-receipt.ts';
import { type ListedReceipt, listReceipts } from '../../domain/billing/receipt/list-receipts.ts';
import { refundedAmount } from '../../domain/billing/refund/refunded-amounts.ts';
import { MAX_LIMIT } from '../../domain/kernel/paging/numbered-page.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { exactObject } from './exact-object.ts';
import { EXAMPLE } from './examples.ts';
import { createdRange, customer, receiptNumber, subscriptionId, wholeNumber } from './query-parameters.ts';
import { requireKey } from './require-key.ts';
import { isoTime, responsesOf } from './responses.ts';
import { NEEDS_KEY } from './security.ts';

const amount = z.string().openapi({ description: 'Amount in base units of the token' });

const receiptItem = z
  .object({
    number: z.int().openapi({ description: 'Number of the receipt: 1, 2, 3 and so on, without a gap' }),
    issuedAt: isoTime,
    paymentId: z.string(),
    url: z.string().openapi({
      description: 'URL of the public page of the receipt. Anyone who has the URL can read the receipt',
    }),
    jsonUrl: z
      .string()
      .openapi({ description: 'URL of the receipt as signed JSON, which `dues verify` reads' }),
    document: z.record(z.string(), z.unknown()).openapi({
      description: 'The full content of the receipt. The guide to receipts describes its fields',
    }),
    paymentAmount: amount.openapi({
      description: 'Amount received for the payment so far, in base units of the token',
    }),
    refundedAmount: amount.openapi({
      description:
        'Total of the refunds of the payment that have succeeded so far, in base units of the token',
    }),
  })
  .openapi('Receipt', { example: EXAMPLE.receipt });

const route = createRoute({
  method: 'get',
  path: '/api/receipts',
  operationId: 'listReceipts',
  tags: ['Receipts'],
  security: NEEDS_KEY,
  description: 'Needs an API key with the scope `read`. For the next page, repeat the request with `before`.',
  summary: 'List receipts, newest first',
  middleware: requireKey('READ'),
  request: {
    query: exactObject({
      number: receiptNumber.optional().openapi({ description: 'Only the receipt with this number' }),
      subscriptionId,
      customer,
      ...createdRange,
      before: receiptNumber.optional().openapi({
        description:
          'Number of the last receipt of the previous page. The response begins with the receipt after it',
      }),
      limit: wholeNumber.optional().openapi({ description: `Items per page, 1 to ${MAX_LIMIT}; default 20` }),
    }),
  },
  responses: responsesOf(
    'A page of receipts',
    z.object({
      data: z.array(receiptItem),
      hasMore: z.boolean().openapi({ description: 'Whether another page follows' }),
    }),
  ),
});

export function routeListReceipts(router: OpenAPIHono<ApiEnv>, ctx: AppContext): void {
  router.openapi(route, async (c) => {
    const { data, hasMore } = await listReceipts(ctx, c.get('scope'), c.req.valid('query'));
    return c.json({ data: data.map((receipt) => toReceiptItem(ctx, receipt)), hasMore }, 200);
  });
}

function toReceiptItem(
  { config }: Pick<AppContext, 'config'>,
  receipt: ListedReceipt,
): z.infer<typeof receiptItem> {
  const { number, issuedAt, paymentId, payment } = receipt;
  return {
    number,
    issuedAt: issuedAt.toISOString(),
    paymentId,
    url: receiptUrl(config, paymentId),
    jsonUrl: receiptJsonUrl(config, paymentId),
    document: documentOf(receipt),
    paymentAmount: String(payment.paidAmount),
    refundedAmount: String(refundedAmount(payment.refunds)),
  };
}
