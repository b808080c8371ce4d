import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
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
import { type Html, layout } from './layout.ts';
import { setPrivateHeaders } from './receipt-page.ts';
import { RECEIPT_STYLE } from './receipt-style.ts';
import { securityPolicy } from './security-policy.ts';

const PARTS = { style: RECEIPT_STYLE, hasForm: true };
const POLICY = securityPolicy(PARTS);
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
  const ownKey = () =>
    html`<p class="soft">This service signs receipts with the key <code>${receiptKey(app.config)}</code>.</p>`;

  router.get('/receipts/verify', (c) => show(c, html`${form('')}${ownKey()}`));

  router.post('/receipts/verify', async (c) => {
    const text = await readPastedText(c);
    try {
      const file = readReceiptFile(text);
      return show(c, html`${verdictOf(file, await compare(c, file))}${form(text)}${ownKey()}`);
    } catch (error) {
      return showProblem(c, error, form(text.slice(0, MAX_RECEIPT_TEXT)));
    }
  });

  router.get('/receipts/:token/check', async (c) => {
    const { document } = await getPublicReceipt(ctx, c.req.param('token'));
    if (!document) throw notFound('receipt', 'token');
    const file = { ...sealReceipt(ctx.config, document), hasLater: false };
    const back = html`<ul class="links"><li><a href="/receipts/${c.req.param('token')}">Back to the receipt</a></li></ul>`;
    try {
      return show(c, html`${verdictOf(file, await compare(c, file))}${back}`);
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

function show(c: Context<ApiEnv>, body: Html, status: 200 | 400 | 503 = 200): Response | Promise<Response> {
  setPrivateHeaders(c);
  c.header('Content-Security-Policy', POLICY);
  const page = html`<main><div class="card"><h1>Compare a receipt with the chain</h1>${body}</div></main>`;
  return c.html(layout('Compare a receipt with the chain', PARTS, page), status);
}

function form(text: string): Html {
  return html`<form class="step" method="post" action="/receipts/verify">
<label for="receipt">The receipt as JSON</label>
<textarea class="field" id="receipt" name="receipt" rows="8" required spellcheck="false" maxlength="${MAX_RECEIPT_TEXT}">${text}</textarea>
<button class="button" type="submit">Compare</button>
<p class="soft">The transfer is read from the network; the receipt is not stored.</p>
</form>`;
}

/**
 * Shows why the receipt is invalid, or that the network cannot be read, with `content` below. Other
 * errors are thrown.
 */
function showProblem(c: Context<ApiEnv>, error: unknown, content: Html): Response | Promise<Response> {
  if (error instanceof BillingError && error.param === 'receipt') {
    return show(c, html`${problem(error.message)}${content}`, 400);
  }
  if (!(error instanceof ClusterUnusable)) throw error;
  const message = 'The network cannot be read now. Try again in a moment.';
  return show(c, html`${problem(message)}${content}`, 503);
}

function problem(message: string): Html {
  return html`<p class="bad" role="alert">${message}</p>`;
}

function verdictOf({ receipt, hasLater }: PresentedReceipt, { agrees, checks }: ReceiptVerdict): Html {
  const title = `Receipt ${receipt.number} of ${receipt.seller.name}`;
  return html`
${
  agrees
    ? html`<p class="good" role="status">${title} agrees with the chain.</p>`
    : html`<p class="bad" role="alert">${title} does not agree with the chain. Do not trust it.</p>`
}
<p>${receiptSentence(receipt)}</p>
${hasLater ? html`<p class="soft">${LATER_UNCHECKED}</p>` : ''}
<table class="rows"><tbody>
${checks.map(({ statement, agrees }) => html`<tr><td>${statement}</td><td>${agrees ? 'yes' : html`<strong>no</strong>`}</td></tr>`)}
</tbody></table>`;
}

/** Reads the text of a sent form. @throws BillingError invalid_request, param `Content-Type` */
async function readPastedText({ req }: Context<ApiEnv>): Promise<string> {
  if (!/^application\/x-www-form-urlencoded *(;|$)/i.test(req.header('content-type') ?? '')) {
    throw invalidRequest('Content-Type', 'Content-Type must be application/x-www-form-urlencoded.');
  }
  return new URLSearchParams(await req.text()).get('receipt') ?? '';
}
