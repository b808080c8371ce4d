import type { Page } from 'playwright-core';

/**
 * The words of a page that continue on another line, and by how many pixels its tables are wider
 * than their frames, at each width of the window.
 */
export async function findBrokenWords(page: Page, widths: readonly number[]): Promise<string[]> {
  const found: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    const { words, overflow } = await page.evaluate(readBrokenWords);
    found.push(...words.map((word) => `${width}: breaks ${word}`));
    if (overflow > 0) found.push(`${width}: a table is ${overflow} pixels too wide`);
  }
  return found;
}

/** Runs in the page. */
function readBrokenWords() {
  const words: string[] = [];
  const overflow = Math.max(
    0,
    ...Array.from(
      document.querySelectorAll('main table'),
      ({ parentElement }) => (parentElement?.scrollWidth ?? 0) - (parentElement?.clientWidth ?? 0),
    ),
  );
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    for (const { 0: word, index } of (text.textContent ?? '').matchAll(/(?<!\S)\p{L}{2,24}(?!\S)/gu)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (new Set(Array.from(range.getClientRects(), ({ top }) => top)).size > 1) words.push(word);
    }
  }
  return { words, overflow };
}
