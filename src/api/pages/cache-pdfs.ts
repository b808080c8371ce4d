import { keepNewest } from '../../async/keep-newest.ts';
import type { ReceiptTexts } from '../../domain/receipt/receipt-texts.ts';
import { receiptPdf } from './receipt-pdf.ts';

/** Maximum files that are kept, of at most 40 kB each. */
const MAX_KEPT = 64;

/**
 * Makes receipts as PDF and keeps the last ones. A file with its own font takes 20 times as long to
 * make as others, and whoever has the link may ask for it again and again.
 */
export function cachePdfs(): typeof receiptPdf {
  const kept = new Map<string, ReturnType<typeof receiptPdf>>();
  return (texts: ReceiptTexts, issuedAt: Date) => {
    const key = JSON.stringify([texts, issuedAt]);
    const pdf = kept.get(key) ?? receiptPdf(texts, issuedAt);
    keepNewest(kept, key, pdf, MAX_KEPT);
    pdf.catch(() => kept.delete(key));
    return pdf;
  };
}
