import { execFileSync } from 'node:child_process';
import { type Browser, chromium } from 'playwright-core';

/**
 * Path of a Chromium on this machine, if there is one. The headless shell is preferred, because it
 * draws no window and needs half the processor time.
 */
export function findChromium(): string | undefined {
  for (const name of ['chromium-headless-shell', 'chromium']) {
    try {
      return execFileSync('which', [name], { encoding: 'utf8' }).trim();
    } catch {
      // This program is not installed: continue with the next name.
    }
  }
  return undefined;
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
