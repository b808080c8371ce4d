import { keepNewest } from '../../async/keep-newest.ts';
import type { ReceiptTexts } from '../../domain/billing/receipt/receipt-texts.ts';
import { receiptPdf } from './receipt-pdf.ts';

/** Maximum cached files. Each has at most 40 kB. */
const MAX_CACHED = 64;

/**
 * Creates receipts as PDF and caches those requested last. A file with an embedded font takes 20
 * times as long to create as others, and anyone with the link can request it repeatedly.
 */
export function cachePdfs(): typeof receiptPdf {
  const cached = new Map<string, ReturnType<typeof receiptPdf>>();
  return (texts: ReceiptTexts, issuedAt: Date) => {
    const key = JSON.stringify([texts, issuedAt]);
    const pdf = cached.get(key) ?? receiptPdf(texts, issuedAt);
    keepNewest(cached, key, pdf, MAX_CACHED);
    pdf.catch(() => cached.delete(key));
    return pdf;
  };
}
