import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** WCAG 2.2 AA. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
let source: Promise<string> | undefined;

/** How a page is looked at. */
export interface Look {
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
}

/** What the page has once axe is loaded into it. */
interface Inspected {
  readonly axe: {
    run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
  };
  readonly document: { documentElement: { scrollWidth: number; clientWidth: number } };
}

/** A colour on its way from one theme to the other is no finding. */
const TRANSITIONS_END = `Promise.all(document.getAnimations()
  .filter((each) => each instanceof CSSTransition).map((each) => each.finished.catch(() => {})))`;

/** What axe finds on a page, and whether it scrolls sideways. */
export async function axeFindings(page: Page, looks: readonly Look[]): Promise<string[]> {
  source ??= readFile(AXE, 'utf8');
  const found: string[] = [];
  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
    // What lies below the pointer now would begin to change its colour.
    await page.mouse.move(0, 0);
    // Colours of the other theme are there after the next frame.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    await page.evaluate(TRANSITIONS_END);
    // A text is evaluated by the debugger; the policy of the page allows no `eval`.
    await page.evaluate(await source);
    const { violations, scrolls } = await page.evaluate(async (values) => {
      const { axe, document } = globalThis as unknown as Inspected;
      const { violations } = await axe.run({ runOnly: { type: 'tag', values } });
      const { scrollWidth, clientWidth } = document.documentElement;
      return { violations, scrolls: scrollWidth > clientWidth };
    }, RULES);
    const where = `${colorScheme} ${width}`;
    found.push(...violations.map(({ id, nodes }) => `${where}: ${id} ${nodes[0]?.html}`));
    if (scrolls) found.push(`${where}: scrolls sideways`);
  }
  return found;
}
