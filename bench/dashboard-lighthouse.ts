import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Cookie, chromium } from 'playwright-core';

/**
 * Fetched when the bench runs: with all that it needs it is larger than our other packages together,
 * and nothing else uses it.
 */
const LIGHTHOUSE = 'lighthouse@12.8.2';
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
const RUNS = 3;
const MAX_OUTPUT_BYTES = 64_000_000;

/** Scores from 0 to 100. */
export type Scores = Readonly<Record<(typeof CATEGORIES)[number], number>>;

interface Report {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>;
}

/**
 * Lighthouse's scores of a page for phones and desktops, the best of three runs: other work on the
 * machine only makes them lower.
 *
 * @param cookies of the member's session
 */
export async function measureLighthouse(executablePath: string, url: string, cookies: readonly Cookie[]) {
  const folder = await mkdtemp(join(tmpdir(), 'dues-lighthouse-'));
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const context = await chromium.launchPersistentContext(folder, {
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${port}`],
  });
  try {
    await context.addCookies([...cookies]);
    return {
      mobile: await best(() => scoresOf(url, port, [])),
      desktop: await best(() => scoresOf(url, port, ['--preset=desktop'])),
    };
  } finally {
    await context.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function best(measure: () => Promise<Scores>): Promise<Scores> {
  const runs: Scores[] = [];
  while (runs.length < RUNS) runs.push(await measure());
  return scores((name) => Math.max(...runs.map((run) => run[name])));
}

async function scoresOf(url: string, port: number, flags: readonly string[]): Promise<Scores> {
  const { stdout } = await promisify(execFile)(
    'npx',
    [
      ...['--yes', LIGHTHOUSE, url, `--port=${port}`, `--only-categories=${CATEGORIES}`, ...flags],
      // The session of the member stays in the browser.
      ...['--disable-storage-reset', '--output=json', '--quiet'],
    ],
    { maxBuffer: MAX_OUTPUT_BYTES },
  );
  const { categories } = JSON.parse(stdout) as Report;
  return scores((name) => Math.round((categories[name]?.score ?? 0) * 100));
}

function scores(pick: (name: (typeof CATEGORIES)[number]) => number): Scores {
  return Object.fromEntries(CATEGORIES.map((name) => [name, pick(name)])) as Scores;
}
