import type { Context, Hono } from 'hono';
import { ClusterUnusable } from '../../chain/chain.ts';
import { forPublic } from '../../domain/accounts/merchant/for-public.ts';
import { getPublicReceipt } from '../../domain/billing/receipt/get-receipt.ts';
import {
  MAX_RECEIPT_TEXT,
  type PresentedReceipt,
  readReceiptFile,
  receiptKey,
  sealReceipt,
} from '../../domain/billing/receipt/receipt-file.ts';
import { receiptSentence } from '../../domain/billing/receipt/receipt-texts.ts';
import {
  LATER_UNCHECKED,
  type ReceiptVerdict,
  verifyReceipt,
} from '../../domain/billing/receipt/verify-receipt.ts';
import { chainOf } from '../../domain/kernel/access/chain-of.ts';
import { BillingError, invalidRequest, notFound } from '../../errors.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { takeOrRefuse } from '../http/take-or-refuse.ts';
import { WALLET_READS } from '../rate-limit/rate-limit.ts';
import type { RateLimits } from '../rate-limit/rate-limits.ts';
import type { VerifyReceiptData } from './page-data.ts';
import { setPrivateHeaders } from './receipt-page.ts';
import { sendPage } from './send-page.ts';

/** Number of calls of the cluster for one comparison. */
const CALLS = 3;

interface Server {
  readonly app: Parameters<typeof forPublic>[0];
  readonly limits: RateLimits;
}

/**
 * Serves the public pages that compare a receipt with the chain: a pasted receipt, or the receipt
 * of a link. They need no script.
 */
export function routeVerifyReceipt(router: Hono<ApiEnv>, { app, limits }: Server): void {
  const ctx = forPublic(app);
  const formWith = (text: string): Shown => ({
    form: { text, maxLength: MAX_RECEIPT_TEXT, ownKey: receiptKey(app.config) },
  });

  router.get('/receipts/verify', (c) => show(c, formWith('')));

  router.post('/receipts/verify', async (c) => {
    const text = await readPastedText(c);
    try {
      const file = readReceiptFile(text);
      return show(c, { ...verdictOf(file, await compare(c, file)), ...formWith(text) });
    } catch (error) {
      return showProblem(c, error, formWith(text.slice(0, MAX_RECEIPT_TEXT)));
    }
  });

  router.get('/receipts/:token/check', async (c) => {
    const { document } = await getPublicReceipt(ctx, c.req.param('token'));
    if (!document) throw notFound('receipt', 'token');
    const file = { ...sealReceipt(ctx.config, document), hasLater: false };
    const back = { receiptPath: `/receipts/${c.req.param('token')}` };
    try {
      return show(c, { ...verdictOf(file, await compare(c, file)), ...back });
    } catch (error) {
      return showProblem(c, error, back);
    }
  });

  async function compare(c: Context<ApiEnv>, file: PresentedReceipt): Promise<ReceiptVerdict> {
    await takeOrRefuse(c, limits, WALLET_READS, c.get('countsAgainst'), CALLS);
    const { environment } = file.receipt;
    if (!ctx.config.clusters[environment]) {
      throw invalidRequest('receipt', `This service does not read the ${environment} network.`);
    }
    const chain = chainOf(ctx, environment);
    return verifyReceipt(chain, file, receiptKey(ctx.config)).catch((cause: unknown) => {
      if (cause instanceof BillingError) throw cause;
      ctx.log.warn({ err: cause, environment }, 'receipt not compared: the cluster could not be read');
      throw new ClusterUnusable(`The ${environment} cluster cannot be read`, { cause });
    });
  }
}

type Shown = Partial<VerifyReceiptData>;

function show(c: Context<ApiEnv>, shown: Shown, status: 200 | 400 | 503 = 200) {
  setPrivateHeaders(c);
  const empty = { problem: null, isUnreadable: false, verdict: null, form: null, receiptPath: null };
  return sendPage(c, 'verifyReceipt', { ...empty, ...shown }, { status });
}

/**
 * Shows why the receipt is invalid, or that the network cannot be read, with `shown` below. Other
 * errors are thrown.
 */
function showProblem(c: Context<ApiEnv>, error: unknown, shown: Shown) {
  if (error instanceof BillingError && error.param === 'receipt') {
    return show(c, { ...shown, problem: error.message }, 400);
  }
  if (!(error instanceof ClusterUnusable)) throw error;
  return show(c, { ...shown, isUnreadable: true }, 503);
}

function verdictOf({ receipt, hasLater }: PresentedReceipt, { agrees, checks }: ReceiptVerdict): Shown {
  const verdict = {
    number: receipt.number,
    seller: receipt.seller.name,
    agrees,
    sentence: receiptSentence(receipt),
    unchecked: hasLater ? LATER_UNCHECKED : null,
    checks: checks.map(({ statement, agrees }) => ({ statement, agrees })),
  };
  return { verdict };
}

/** Reads the text of a sent form. @throws BillingError invalid_request, param `Content-Type` */
async function readPastedText({ req }: Context<ApiEnv>): Promise<string> {
  if (!/^application\/x-www-form-urlencoded *(;|$)/i.test(req.header('content-type') ?? '')) {
    throw invalidRequest('Content-Type', 'Content-Type must be application/x-www-form-urlencoded.');
  }
  return new URLSearchParams(await req.text()).get('receipt') ?? '';
}
