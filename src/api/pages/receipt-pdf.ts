import { fileURLToPath } from 'node:url';
import type { ReceiptTexts } from '../../domain/billing/receipt/receipt-texts.ts';

const MARGIN = 56;
const LABEL_WIDTH = 150;
const INK = '#14171f';
const SOFT = '#5a6172';

/** The regular and the bold font of a file. */
interface Fonts {
  readonly regular: string;
  readonly bold: string;
}

/**
 * The standard fonts of PDF, and their characters (WinAnsi). Every reader has them, so the file
 * contains no font.
 */
const STANDARD: Fonts = { regular: 'Helvetica', bold: 'Helvetica-Bold' };
const IN_STANDARD =
  /^[\x20-\x7e\xa0-\xff\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013\u2014\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122]*$/u;

/**
 * The characters of Noto Sans that we use: Latin with all accents (also Vietnamese), Greek and
 * Cyrillic. Other scripts have fonts of some megabytes each, or need shaping from right to left.
 * The file contains only the glyphs that it uses.
 */
const IN_NOTO =
  /^[\u0300-\u0304\u0306-\u030c\u031b\u0323\u0327\u0328\x20-\x7e\xa0-\u024f\u02bb\u02bc\u02c6-\u02dd\u0370-\u0377\u037a-\u037f\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u03e1\u03f0-\u052f\u1e00-\u1eff\u2010-\u2015\u2018-\u201e\u2020-\u2022\u2026\u2030\u2032\u2033\u2039\u203a\u2044\u20a0-\u20bf\u2116\u2122]*$/u;

/** All characters that a receipt as PDF can have. A test looks up each of them in the fonts. */
export const PDF_CHARACTERS: readonly RegExp[] = [IN_STANDARD, IN_NOTO];

/** Whether the fonts have all characters of a receipt. */
export function fitsPdf(texts: ReceiptTexts): boolean {
  return PDF_CHARACTERS.some((characters) => fits(texts, characters));
}

function fits({ seller, buyer, facts, amount }: ReceiptTexts, characters: RegExp): boolean {
  return [...seller, ...buyer, ...facts.flat(), amount].every((text) => characters.test(text));
}

/** The files of Noto Sans. */
export function notoFonts(): Fonts {
  return {
    regular: fileURLToPath(
      import.meta.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
    ),
    bold: fileURLToPath(import.meta.resolve('@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf')),
  };
}

/** Creates a receipt as PDF in A4. The same receipt always gives the same bytes. */
export async function receiptPdf(texts: ReceiptTexts, issuedAt: Date): Promise<Buffer<ArrayBuffer>> {
  // Loaded when first needed, because it is large.
  const { default: PDFDocument } = await import('pdfkit');
  const { title, date, amount, testNote, seller, buyer, facts, later, proof } = texts;
  const { regular, bold } = fits(texts, IN_STANDARD) ? STANDARD : notoFonts();
  const document = new PDFDocument({
    size: 'A4',
    // Without this option Helvetica is loaded too.
    font: regular,
    margin: MARGIN,
    lang: 'en',
    displayTitle: true,
    info: { Title: title, Author: seller[0] ?? '', CreationDate: issuedAt, ModDate: issuedAt },
  });
  const width = document.page.width - 2 * MARGIN;

  document.fillColor(INK).font(bold).fontSize(20).text(title);
  document.font(regular).fontSize(10).fillColor(SOFT).text(date);
  if (testNote !== null) document.fillColor('#8a4b00').text(testNote);
  document.moveDown(1.5);
  sides();
  heading('Payment');
  for (const fact of facts) row(fact);
  row(['Amount', amount], bold);
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
        document.fillColor(SOFT).font(bold).text(label, left, top, { width: half });
        document.fillColor(INK).font(regular).text(lines.join('\n'), left, document.y, { width: half });
        return document.y;
      },
    );
    document.x = MARGIN;
    document.y = Math.max(...bottoms);
  }

  function heading(text: string): void {
    document.moveDown(1.5).fontSize(10).fillColor(SOFT).font(bold).text(text, MARGIN, document.y);
    document.moveDown(0.3);
  }

  function row([label, value]: readonly [string, string], font = regular): void {
    const valueWidth = width - LABEL_WIDTH;
    // Near the end of a page, label and value could otherwise be split over two pages.
    const height = Math.max(
      document.font(regular).heightOfString(label, { width: LABEL_WIDTH }),
      document.font(font).heightOfString(value, { width: valueWidth }),
    );
    if (document.y + height > document.page.maxY()) document.addPage();
    const top = document.y;
    document.fillColor(SOFT).font(regular).text(label, MARGIN, top, { width: LABEL_WIDTH });
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
