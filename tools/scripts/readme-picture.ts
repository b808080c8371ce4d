import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';

const MAX_BYTES = 300_000;
const SIZE = { width: 1_000, height: 640 };
const DESKTOP = { width: 1_360, height: 1_000 };
const PHONE = { width: 390, height: 844 };
const QUALITY = 80;

/**
 * Puts the overview of the dashboard, and a page of the portal on a phone before it, into one
 * picture.
 *
 * @param signedIn a browser in which a member and a customer have signed in
 */
export async function writeReadmePicture(
  browser: Browser,
  signedIn: BrowserContext,
  { dashboard, portal, file }: { readonly dashboard: string; readonly portal: string; readonly file: string },
): Promise<void> {
  const context = await browser.newContext({ deviceScaleFactor: 2, reducedMotion: 'reduce' });
  await context.addCookies(await signedIn.cookies());
  const page = await context.newPage();
  const shot = async (url: string, viewport: typeof SIZE) => {
    await page.setViewportSize(viewport);
    await page.goto(url);
    await settled(page);
    const picture = await page.screenshot({ animations: 'disabled' });
    return `data:image/png;base64,${picture.toString('base64')}`;
  };
  await dismissSteps(page, dashboard);
  const desktop = await shot(dashboard, DESKTOP);
  const phone = await shot(portal, PHONE);
  await page.setViewportSize(SIZE);
  await page.goto('about:blank');
  await page.setContent(`<style>
    body { margin: 0; background: #e4e7f0 }
    img { position: absolute; border-radius: 8px; box-shadow: 0 2px 20px #0003 }
  </style>
  <img style="left: 20px; top: 20px; width: 816px" src="${desktop}">
  <img style="right: 20px; bottom: 20px; width: 220px; border-radius: 16px" src="${phone}">`);
  const session = await context.newCDPSession(page);
  const clip = { x: 0, y: 0, ...SIZE, scale: 2 };
  const shown = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY, clip });
  const picture = Buffer.from(shown.data, 'base64');
  if (picture.length > MAX_BYTES) throw new Error(`The README's picture has ${picture.length} bytes`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, picture);
  await context.close();
}

/** Closes the card with the steps of a new merchant. */
async function dismissSteps(page: Page, dashboard: string): Promise<void> {
  await page.goto(dashboard);
  await settled(page);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.waitForLoadState('networkidle');
}

/** Waits until a page has loaded its data. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading').first().waitFor();
  await page.waitForLoadState('networkidle');
  // The dashboard still loads where it shows grey bars.
  await page.locator('.animate-pulse').first().waitFor({ state: 'hidden' });
}
