import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { AppContext } from '../../app.ts';
import { getPublicReceipt, type PublicReceipt } from '../../domain/billing/receipt/get-receipt.ts';
import type { ReceiptDocument } from '../../domain/billing/receipt/receipt-document.ts';
import { sealReceipt } from '../../domain/billing/receipt/receipt-file.ts';
import { type ReceiptLater, receiptTexts } from '../../domain/billing/receipt/receipt-texts.ts';
import { explorerUrlOf } from '../../domain/chain-state/cluster/explorer-url.ts';
import { BillingError, notFound } from '../../errors.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { branded } from './brand-style.ts';
import { cachePdfs } from './cache-pdfs.ts';
import { layout } from './layout.ts';
import { noReceiptContent, receiptContent, waitingContent } from './receipt-content.ts';
import { fitsPdf } from './receipt-pdf.ts';
import { RECEIPT_STYLE } from './receipt-style.ts';

const PARTS = { style: RECEIPT_STYLE };
const RELOAD_SOON = html`<meta http-equiv="refresh" content="5">`;

/** Serves the public pages of receipts: anyone with the link may read one. They need no script. */
export function routeReceiptPage(router: Hono<ApiEnv>, ctx: AppContext): void {
  const makePdf = cachePdfs();
  router.get('/receipts/:token', async (c) => {
    setPrivateHeaders(c);
    const receipt = await receiptOrNone(c.req.param('token'));
    const { parts, policy } = branded(PARTS, receipt?.brandColor ?? null);
    c.header('Content-Security-Policy', policy);
    if (!receipt) return c.html(layout('Receipt', parts, noReceiptContent()), 404);
    const { document } = receipt;
    if (!document) return c.html(layout('Receipt', parts, waitingContent(receipt), RELOAD_SOON));
    const texts = receiptTexts(document, receipt.later);
    const links = {
      page: `/receipts/${c.req.param('token')}`,
      explorer: explorerOf(document),
      hasPdf: fitsPdf(texts),
    };
    const title = `${texts.title} · ${receipt.companyName}`;
    return c.html(layout(title, parts, receiptContent(receipt, texts, links)));
  });

  router.get('/receipts/:token/receipt.json', async (c) => {
    setPrivateHeaders(c);
    const { document, later } = await getPublicReceipt(ctx, c.req.param('token'));
    if (!document) throw notFound('receipt', 'token');
    c.header('Content-Disposition', `attachment; filename="receipt-${document.number}.json"`);
    return c.json({ ...sealReceipt(ctx.config, document), later: asJson(later) });
  });

  router.get('/receipts/:token/receipt.pdf', async (c) => {
    setPrivateHeaders(c);
    const { document, later } = await getPublicReceipt(ctx, c.req.param('token'));
    if (!document) throw notFound('receipt', 'token');
    const texts = receiptTexts(document, later);
    if (!fitsPdf(texts)) throw notFound('PDF of this receipt: print its page instead', 'token');
    c.header('Content-Disposition', `attachment; filename="receipt-${document.number}.pdf"`);
    const pdf = await makePdf(texts, new Date(document.issuedAt));
    return c.body(pdf, 200, { 'Content-Type': 'application/pdf' });
  });

  async function receiptOrNone(token: string): Promise<PublicReceipt | null> {
    try {
      return await getPublicReceipt(ctx, token);
    } catch (error) {
      if (error instanceof BillingError && error.code === 'not_found') return null;
      throw error;
    }
  }

  function explorerOf({ environment, chain: { cluster, signature } }: ReceiptDocument): string | null {
    const config = ctx.config.clusters[environment];
    return config ? explorerUrlOf(config, cluster).replace('{path}', `tx/${signature}`) : null;
  }
}

function asJson({ received, refunds }: ReceiptLater) {
  return {
    received: String(received),
    refunds: refunds.map(({ amount, refundedAt, signature }) => ({
      amount: String(amount),
      refundedAt: refundedAt.toISOString(),
      signature,
    })),
  };
}

/** Keeps a receipt out of caches and search engines, because its link gives access to it. */
export function setPrivateHeaders(c: Context<ApiEnv>): void {
  c.header('Cache-Control', 'no-store');
  c.header('X-Robots-Tag', 'noindex');
}
