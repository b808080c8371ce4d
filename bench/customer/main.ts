import { findChromium, startChromium } from '../../tools/chromium.ts';
import { round } from '../lib/statistics.ts';
import { buyInBrowser, buyWithSolanaPay } from './buys.ts';
import { LIGHTHOUSE_TARGET, measurePages } from './pages.ts';
import { measureTopUps } from './top-up.ts';
import { startCustomerWorld } from './world.ts';

const ONE_SOL = 1_000_000_000n;

const MAXIMA: Readonly<Record<string, number>> = {
  wallet_s: 10,
  pay_s: 10,
  sponsored_s: 10,
  topup_s: 5,
  portal_kb: 45,
  checkout_kb: 45,
  link_kb: 45,
};
const MINIMA: Readonly<Record<string, number>> = {
  lighthouse_min: LIGHTHOUSE_TARGET,
};

const PARTS = ['buys', 'pages', 'top-up'] as const;
type Part = (typeof PARTS)[number];
type Figures = Record<string, number>;

/**
 * Measures what customers experience: how long they take to buy, the size and the scores of their
 * pages, and how soon a top-up is collected. The shop is a plain page with a payment link.
 *
 * @param only the one part to measure
 */
export default async function benchCustomer(only?: Part): Promise<void> {
  const figures = await measureParts((part) => only === undefined || only === part);
  console.table(figures);
  console.log(JSON.stringify(figures));
  const isMissed = Object.entries(figures).some(
    ([name, value]) => value > (MAXIMA[name] ?? value) || value < (MINIMA[name] ?? value),
  );
  if (isMissed) process.exitCode = 1;
}

async function measureParts(isWanted: (part: Part) => boolean): Promise<Figures> {
  const chromium = findChromium();
  if (!chromium) throw new Error('There is no chromium on this machine.');
  await using closing = new AsyncDisposableStack();
  const world = await startCustomerWorld(closing);
  console.log('dues is running');
  const browser = await startChromium(chromium);
  closing.defer(() => browser.close());
  const parts: Readonly<Record<Part, () => Promise<Figures>>> = {
    buys: async () => {
      // The first page of a new browser takes seconds longer, which is not due to the service.
      await buyInBrowser(world, browser, await world.newWallet(ONE_SOL));
      return {
        wallet_s: seconds(await buyInBrowser(world, browser, await world.newWallet(ONE_SOL))),
        sponsored_s: seconds(await buyInBrowser(world, browser, await world.newWallet(0n))),
        pay_s: seconds((await buyWithSolanaPay(world)).ms),
      };
    },
    pages: () => measurePages(world, chromium),
    // This part advances the network's time, so it comes last.
    'top-up': async () => ({ topup_s: seconds(await measureTopUps(world)) }),
  };
  const figures: Figures = {};
  for (const [part, measure] of Object.entries(parts)) {
    if (!isWanted(part as Part)) continue;
    console.log(`measuring: ${part}`);
    Object.assign(figures, await measure());
  }
  return figures;
}

function seconds(ms: number): number {
  return round(ms / 1000, 2);
}
