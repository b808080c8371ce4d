import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { findProgram } from './find-program.ts';

/**
 * Path of a Chromium on this machine, if there is one. The headless shell is preferred, because it
 * draws no window and needs half the processor time.
 */
export function findChromium(): string | undefined {
  return findProgram('chromium-headless-shell') ?? findFullChromium();
}

/** Path of a Chromium that has profiles as people use them, if there is one on this machine. */
export function findFullChromium(): string | undefined {
  return findProgram('chromium');
}

/**
 * Starts a browser with a lasting profile in a folder. It opens connections ahead, which private
 * windows do not.
 */
export function startWithProfile(
  executablePath: string,
  folder: string,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, {
    ...options,
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--headless=new'],
    ignoreDefaultArgs: ['--disable-background-networking', '--disable-field-trial-config'],
  });
}

/** Starts a headless browser without background activity. */
export function startChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
