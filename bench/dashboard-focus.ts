import type { BrowserContext, ElementHandle, Page, Route } from 'playwright-core';
import type { MemberClient } from './dashboard-member.ts';

/** Long enough for a dialog. Most buttons open none, so a longer wait would take minutes. */
const OPEN_MS = 500;
/** Long enough for a page whose script is loaded when it is opened. */
const LOAD_MS = 5_000;

/** Buttons that leave the dashboard. */
const LEAVING = /^Sign out/;

/** Where the focus is lost, and what was tried. */
export interface FocusFindings {
  readonly lost: readonly string[];
  readonly dialogs: number;
  readonly pageChanges: number;
}

/**
 * Opens every dialog of every page by its button, closes it with Escape, and opens every page of the
 * navigation with Enter. Afterwards something must have the focus: the button, or the new page.
 * Without it, the keyboard and a screen reader begin again at the top of the page.
 *
 * @param paths the paths of the pages: see `preparePaths`
 */
export async function inspectFocus(
  context: BrowserContext,
  { origin }: MemberClient,
  paths: readonly string[],
): Promise<FocusFindings> {
  const page = await context.newPage();
  // The buttons of this page change nothing.
  await page.route('**/*', refuseChanges);
  const lost: string[] = [];
  let dialogs = 0;
  for (const [pathIndex, path] of paths.entries()) {
    const url = `${origin}/dashboard/test${path}`;
    // Every page has the buttons around the content.
    const buttons = pathIndex === 0 ? 'button' : 'main button';
    await openPage(page, url);
    for (const [index, name] of (await readNames(page, buttons)).entries()) {
      if (LEAVING.test(name)) continue;
      const button = (await page.$$(buttons))[index];
      if (!button || !(await opensDialog(page, button))) {
        if (!button || page.url() !== url) await openPage(page, url);
        continue;
      }
      dialogs += 1;
      await page.keyboard.press('Escape');
      await page.waitForFunction(() => !document.querySelector('dialog[open]'));
      if (!(await hasFocus(page))) lost.push(`${path}: after the dialog of "${name}"`);
    }
  }
  const changed = await changePages(page, `${origin}/dashboard/test/`);
  await page.close();
  return { lost: [...lost, ...changed.lost], dialogs, pageChanges: changed.count };
}

async function refuseChanges(route: Route): Promise<void> {
  const request = route.request();
  const isRead = request.method() === 'GET' || /^\s*query\b/.test(request.postDataJSON()?.query ?? '');
  await (isRead ? route.continue() : route.abort());
}

async function openPage(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
}

function readNames(page: Page, selector: string): Promise<string[]> {
  return page.$$eval(selector, (buttons) =>
    buttons.map((button) => button.getAttribute('aria-label') ?? button.textContent.trim()),
  );
}

async function opensDialog(page: Page, button: ElementHandle): Promise<boolean> {
  if (!(await button.isVisible()) || !(await button.isEnabled())) return false;
  await button.focus();
  await page.keyboard.press('Enter');
  return holds(page, () => document.querySelector('dialog[open]') !== null, OPEN_MS);
}

/** Whether a condition of the page holds within a time. */
function holds(page: Page, condition: () => boolean, timeout: number): Promise<boolean> {
  return page.waitForFunction(condition, undefined, { timeout }).then(
    () => true,
    () => false,
  );
}

function hasFocus(page: Page): Promise<boolean> {
  return page.evaluate(() => document.activeElement !== null && document.activeElement !== document.body);
}

async function changePages(page: Page, url: string) {
  await openPage(page, url);
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  const all = await links.count();
  const lost: string[] = [];
  let count = 0;
  for (let index = 0; index < all; index += 1) {
    const link = links.nth(index);
    const before = new URL(page.url());
    // The link of the current page keeps the focus.
    if ((await link.getAttribute('href')) === before.pathname) continue;
    count += 1;
    const name = await link.textContent();
    await link.press('Enter');
    await page.waitForURL((opened) => opened.href !== before.href);
    const isInContent = await holds(
      page,
      () => document.querySelector('main')?.contains(document.activeElement) === true,
      LOAD_MS,
    );
    if (!isInContent) lost.push(`at the change to ${name}`);
  }
  return { count, lost };
}
