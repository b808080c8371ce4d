import { execFileSync } from 'node:child_process';
import { type Browser, chromium } from 'playwright-core';

/**
 * Path of a Chromium on this machine, if there is one. The headless shell comes first: it draws no
 * window, and needs half of the processor time.
 */
export function findChromium(): string | undefined {
  for (const name of ['chromium-headless-shell', 'chromium']) {
    try {
      return execFileSync('which', [name], { encoding: 'utf8' }).trim();
    } catch {
      // The next one.
    }
  }
  return undefined;
}

/** Headless, and without background activity of the browser. */
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
