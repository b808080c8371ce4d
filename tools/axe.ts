import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** WCAG 2.2 AA. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
let source: Promise<string> | undefined;

/** A theme and a viewport width with which a page is checked. */
export interface Look {
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
}

/** The globals of a page into which axe is loaded. */
interface PageWithAxe {
  readonly axe: {
    run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
  };
  readonly document: { documentElement: { scrollWidth: number; clientWidth: number } };
}

/**
 * An expression that resolves when transitions have ended. Before, axe would report colours between
 * two themes.
 */
const TRANSITIONS_ENDED = `Promise.all(document.getAnimations()
  .filter((animation) => animation instanceof CSSTransition).map((animation) => animation.finished.catch(() => {})))`;

/** The violations that axe finds on a page. Horizontal scrolling is reported, too. */
export async function axeFindings(page: Page, looks: readonly Look[]): Promise<string[]> {
  source ??= readFile(AXE, 'utf8');
  const found: string[] = [];
  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
    // An element under the pointer might change its colour.
    await page.mouse.move(0, 0);
    // The colours of the other theme are applied after the next frame.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    await page.evaluate(TRANSITIONS_ENDED);
    // The source is passed as a string to the debugger, because the page's policy forbids `eval`.
    await page.evaluate(await source);
    const { violations, scrolls } = await page.evaluate(async (values) => {
      const { axe, document } = globalThis as unknown as PageWithAxe;
      const { violations } = await axe.run({ runOnly: { type: 'tag', values } });
      const { scrollWidth, clientWidth } = document.documentElement;
      return { violations, scrolls: scrollWidth > clientWidth };
    }, RULES);
    const where = `${colorScheme} ${width}`;
    found.push(...violations.map(({ id, nodes }) => `${where}: ${id} ${nodes[0]?.html}`));
    if (scrolls) found.push(`${where}: scrolls horizontally`);
  }
  return found;
}
