import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { findFullChromium, startWithProfile } from '../../tools/chromium.ts';

/**
 * Opens a browser with a lasting profile, as people have it; a private window of `browser` if only a
 * headless shell is installed, which is said.
 */
export async function openProfile(
  closing: AsyncDisposableStack,
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const executablePath = findFullChromium();
  if (!executablePath) {
    console.log('There is no full chromium: a private window is used instead of a lasting profile.');
    const context = await browser.newContext(options);
    closing.defer(() => context.close());
    return context;
  }
  const folder = await mkdtemp(join(tmpdir(), 'dues-profile-'));
  closing.defer(() => rm(folder, { recursive: true, force: true }));
  const context = await startWithProfile(executablePath, folder, options);
  closing.defer(() => context.close());
  return context;
}
