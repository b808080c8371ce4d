import type { Context, Hono } from 'hono';
import type { AppContext } from '../../app.ts';
import { portalPath } from '../../domain/accounts/customer/portal-url.ts';
import { getPublicReceipt, type PublicReceipt } from '../../domain/billing/receipt/get-receipt.ts';
import type { ReceiptDocument } from '../../domain/billing/receipt/receipt-document.ts';
import { sealReceipt } from '../../domain/billing/receipt/receipt-file.ts';
import { type ReceiptLater, receiptTexts } from '../../domain/billing/receipt/receipt-texts.ts';
import { explorerUrlOf } from '../../domain/chain-state/cluster/explorer-url.ts';
import { BillingError, notFound } from '../../errors.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { cachePdfs } from './cache-pdfs.ts';
import { fitsPdf } from './receipt-pdf.ts';
import { sendPage } from './send-page.ts';

/** Serves the public pages of receipts: anyone with the link may read one. They need no script. */
export function routeReceiptPage(router: Hono<ApiEnv>, ctx: AppContext): void {
  const makePdf = cachePdfs();
  router.get('/receipts/:token', async (c) => {
    setPrivateHeaders(c);
    const receipt = await receiptOrNone(c.req.param('token'));
    if (!receipt) return sendPage(c, 'noReceipt', {}, { status: 404 });
    const { document, companyName, logoUrl, subscriptionId, merchantUrl, brandColor } = receipt;
    const shared = {
      company: { name: companyName, logoUrl },
      links: { receiptPath: null, portalPath: portalPath(subscriptionId), companyUrl: merchantUrl },
    };
    if (!document) return sendPage(c, 'waitingReceipt', shared, { brandColor });
    const texts = receiptTexts(document, receipt.later);
    const path = `/receipts/${c.req.param('token')}`;
    const data = { ...shared, texts, path, explorerUrl: explorerOf(document), hasPdf: fitsPdf(texts) };
    return sendPage(c, 'receipt', data, { brandColor });
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
