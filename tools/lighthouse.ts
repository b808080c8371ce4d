import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Cookie, chromium } from 'playwright-core';

/**
 * The package is fetched when the bench runs: with its dependencies it is larger than all other
 * packages of the project, and nothing else uses it.
 */
const LIGHTHOUSE = 'lighthouse@12.8.2';
const RUNS = 3;
const MAX_OUTPUT_BYTES = 64_000_000;

/** Lighthouse's names of the categories that it scores. */
export type Category = 'performance' | 'accessibility' | 'best-practices' | 'seo';
/** Scores from 0 to 100. */
export type Scores<C extends Category> = Readonly<Record<C, number>>;

/** A page that Lighthouse measures, and how. */
export interface LighthouseVisit<C extends Category> {
  readonly executablePath: string;
  readonly url: string;
  /** The cookies of the person who is signed in. */
  readonly cookies: readonly Cookie[];
  readonly categories: readonly C[];
  /** Audits that do not concern the page. */
  readonly skippedAudits?: readonly string[];
  /** No further run is made once all scores reach this. */
  readonly enough?: number;
}

interface Report {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>;
}

/**
 * Lighthouse's scores of a page for phones and desktops, the best of up to three runs: other work
 * on the machine only makes them lower.
 */
export async function measureLighthouse<C extends Category>(visit: LighthouseVisit<C>) {
  const folder = await mkdtemp(join(tmpdir(), 'dues-lighthouse-'));
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: visit.executablePath,
    args: ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${port}`],
  });
  try {
    await context.addCookies([...visit.cookies]);
    return {
      mobile: await measureBest(visit, () => runLighthouse(visit, port, [])),
      desktop: await measureBest(visit, () => runLighthouse(visit, port, ['--preset=desktop'])),
    };
  } finally {
    await context.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureBest<C extends Category>(
  { categories, enough = 101 }: LighthouseVisit<C>,
  measure: () => Promise<Scores<C>>,
): Promise<Scores<C>> {
  const runs: Scores<C>[] = [];
  const bestScores = () => mapScores(categories, (name) => Math.max(...runs.map((run) => run[name])));
  do runs.push(await measure());
  while (runs.length < RUNS && categories.some((name) => bestScores()[name] < enough));
  return bestScores();
}

async function runLighthouse<C extends Category>(
  { url, categories, skippedAudits = [] }: LighthouseVisit<C>,
  port: number,
  flags: readonly string[],
): Promise<Scores<C>> {
  const { stdout } = await promisify(execFile)(
    'npx',
    [
      ...['--yes', LIGHTHOUSE, url, `--port=${port}`, `--only-categories=${categories}`, ...flags],
      ...(skippedAudits.length > 0 ? [`--skip-audits=${skippedAudits}`] : []),
      // The cookies of the sign-in must stay in the browser.
      ...['--disable-storage-reset', '--output=json', '--quiet'],
    ],
    { maxBuffer: MAX_OUTPUT_BYTES },
  );
  const report = JSON.parse(stdout) as Report;
  return mapScores(categories, (name) => Math.round((report.categories[name]?.score ?? 0) * 100));
}

function mapScores<C extends Category>(names: readonly C[], pick: (name: C) => number): Scores<C> {
  return Object.fromEntries(names.map((name) => [name, pick(name)])) as Scores<C>;
}
