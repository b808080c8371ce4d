import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { AppContext } from '../../app.ts';
import { MAX_LIMIT } from '../../domain/paging/page.ts';
import { documentOf } from '../../domain/receipt/get-receipt.ts';
import { type ListedReceipt, listReceipts } from '../../domain/receipt/list-receipts.ts';
import { receiptJsonUrl, receiptUrl } from '../../domain/receipt/receipt-link.ts';
import { refundedAmount } from '../../domain/refund/refunded-amounts.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { exactObject } from './exact-object.ts';
import { EXAMPLE } from './examples.ts';
import { createdRange, customer, receiptNumber, subscriptionId, wholeNumber } from './query-parameters.ts';
import { requireKey } from './require-key.ts';
import { isoTime, responsesOf } from './responses.ts';
import { NEEDS_KEY } from './security.ts';

const amount = z.string().openapi({ description: 'Base units' });

const receiptItem = z
  .object({
    number: z.int().openapi({ description: 'Consecutive: 1, 2, 3 ... without a gap' }),
    issuedAt: isoTime,
    paymentId: z.string(),
    url: z.string().openapi({ description: 'Its page. Whoever has the link may read the receipt' }),
    jsonUrl: z.string().openapi({ description: 'The signed file, which `dues verify` reads' }),
    document: z.record(z.string(), z.unknown()).openapi({ description: 'All that it says: see the guide' }),
    paymentAmount: amount.openapi({ description: 'What was received for the payment until now' }),
    refundedAmount: amount.openapi({ description: 'Refunds of the payment that have succeeded until now' }),
  })
  .openapi('Receipt', { example: EXAMPLE.receipt });

const route = createRoute({
  method: 'get',
  path: '/api/receipts',
  operationId: 'listReceipts',
  tags: ['Receipts'],
  security: NEEDS_KEY,
  description: 'Needs a key with the scope `read`. For the next page repeat it with `before`.',
  summary: 'List receipts, newest first',
  middleware: requireKey('READ'),
  request: {
    query: exactObject({
      number: receiptNumber.optional().openapi({ description: 'Only the receipt with this number' }),
      subscriptionId,
      customer,
      ...createdRange,
      before: receiptNumber
        .optional()
        .openapi({ description: 'Number of the last receipt of the page before; only those after it' }),
      limit: wholeNumber.optional().openapi({ description: `1 to ${MAX_LIMIT}; default 20` }),
    }),
  },
  responses: responsesOf(
    'A page',
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
    paymentAmount: String(payment.amount),
    refundedAmount: String(refundedAmount(payment.refunds)),
  };
}
