import { execFileSync } from 'node:child_process';
import { type Browser, chromium } from 'playwright-core';

/** Path of a Chromium on this machine, if there is one. */
export function findChromium(): string | undefined {
  try {
    return execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

/** Without a window, and without anything that a browser does of its own accord. */
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
