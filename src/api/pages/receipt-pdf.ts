import type { ReceiptTexts } from '../../domain/receipt/receipt-texts.ts';

const MARGIN = 56;
const LABEL_WIDTH = 150;
const INK = '#14171f';
const SOFT = '#5a6172';

/**
 * Characters that the standard fonts of PDF have (WinAnsi). They are in every reader, so the file
 * holds no font.
 */
const PRINTABLE =
  /^[\x20-\x7e\xa0-\xff\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013\u2014\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122]*$/u;

/** Whether the standard fonts of PDF have all characters of a receipt. */
export function fitsPdf({ seller, buyer, facts, amount }: ReceiptTexts): boolean {
  return [...seller, ...buyer, ...facts.flat(), amount].every((text) => PRINTABLE.test(text));
}

/** A receipt as PDF: A4, and the same bytes for the same receipt. */
export async function receiptPdf(texts: ReceiptTexts, issuedAt: Date): Promise<Buffer<ArrayBuffer>> {
  // Loaded when first needed, because it is large.
  const { default: PDFDocument } = await import('pdfkit');
  const { title, date, amount, testNote, seller, buyer, facts, later, proof } = texts;
  const document = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    lang: 'en',
    displayTitle: true,
    info: { Title: title, Author: seller[0] ?? '', CreationDate: issuedAt, ModDate: issuedAt },
  });
  const width = document.page.width - 2 * MARGIN;

  document.fillColor(INK).font('Helvetica-Bold').fontSize(20).text(title);
  document.font('Helvetica').fontSize(10).fillColor(SOFT).text(date);
  if (testNote !== null) document.fillColor('#8a4b00').text(testNote);
  document.moveDown(1.5);
  sides();
  heading('Payment');
  for (const fact of facts) row(fact);
  row(['Amount', amount], 'Helvetica-Bold');
  for (const fact of later) row(fact);
  heading('Proof on chain');
  document.fontSize(8);
  for (const fact of proof) row(fact);
  return bytesOf(document);

  function sides(): void {
    const top = document.y;
    const half = (width - 24) / 2;
    const bottoms = [[seller, 'From', MARGIN] as const, [buyer, 'To', MARGIN + half + 24] as const].map(
      ([lines, label, left]) => {
        document.fillColor(SOFT).font('Helvetica-Bold').text(label, left, top, { width: half });
        document.fillColor(INK).font('Helvetica').text(lines.join('\n'), left, document.y, { width: half });
        return document.y;
      },
    );
    document.x = MARGIN;
    document.y = Math.max(...bottoms);
  }

  function heading(text: string): void {
    document.moveDown(1.5).fontSize(10).fillColor(SOFT).font('Helvetica-Bold').text(text, MARGIN, document.y);
    document.moveDown(0.3);
  }

  function row([label, value]: readonly [string, string], font = 'Helvetica'): void {
    const valueWidth = width - LABEL_WIDTH;
    // Begun near the end of a page, label and value would come on pages of their own.
    const height = Math.max(
      document.font('Helvetica').heightOfString(label, { width: LABEL_WIDTH }),
      document.font(font).heightOfString(value, { width: valueWidth }),
    );
    if (document.y + height > document.page.maxY()) document.addPage();
    const top = document.y;
    document.fillColor(SOFT).font('Helvetica').text(label, MARGIN, top, { width: LABEL_WIDTH });
    const below = document.y;
    document
      .fillColor(INK)
      .font(font)
      .text(value, MARGIN + LABEL_WIDTH, top, { width: valueWidth });
    document.x = MARGIN;
    document.y = Math.max(below, document.y) + 4;
  }
}

function bytesOf(document: PDFKit.PDFDocument): Promise<Buffer<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.on('error', reject);
    document.end();
  });
}
