import PDFDocument from 'pdfkit';
import { expect, test } from 'vitest';
import { cachePdfs } from '../../src/api/pages/cache-pdfs.ts';
import { notoFonts, PDF_CHARACTERS } from '../../src/api/pages/receipt-pdf.ts';

const LAST_OF_PLANE = 0xffff;

/** The part of the font that pdfkit keeps. */
interface WithFont {
  readonly _font: { readonly font: { hasGlyphForCodePoint(codePoint: number): boolean } };
}

test.each(['regular', 'bold'] as const)(
  'the %s font has every character that a receipt may have',
  (weight) => {
    const document = new PDFDocument({ font: notoFonts()[weight] }) as unknown as WithFont;
    const missing = Array.from({ length: LAST_OF_PLANE + 1 }, (_, codePoint) => codePoint).filter(
      (codePoint) => {
        const character = String.fromCharCode(codePoint);
        const isAllowed = PDF_CHARACTERS.some((characters) => characters.test(character));
        return isAllowed && !document._font.font.hasGlyphForCodePoint(codePoint);
      },
    );
    expect(missing.map((codePoint) => codePoint.toString(16))).toEqual([]);
  },
);

test('a PDF is created once while it is among the last 64', async () => {
  const makePdf = cachePdfs();
  const texts = (title: string) => ({
    title,
    date: '',
    amount: '',
    testNote: null,
    seller: [],
    buyer: [],
    facts: [],
    proof: [],
    later: [],
  });
  const at = new Date(0);
  const first = makePdf(texts('first'), at);
  expect(makePdf(texts('first'), at)).toBe(first);
  for (let number = 0; number < 63; number += 1) await makePdf(texts(String(number)), at);
  expect(makePdf(texts('first'), at)).toBe(first);
  for (let number = 0; number < 64; number += 1) await makePdf(texts(String(number)), at);
  expect(makePdf(texts('first'), at)).not.toBe(first);
});
