import { findChromium, startChromium } from '../tools/chromium.ts';
import { buyInBrowser, buyWithSolanaPay } from './customer-buys.ts';
import { countLeaks } from './customer-leaks.ts';
import { measureLostMails } from './customer-mails.ts';
import { LIGHTHOUSE_TARGET, measurePages } from './customer-pages.ts';
import { measureReceipts } from './customer-receipts.ts';
import { requestAsStrangers } from './customer-strangers.ts';
import { measureTopUps } from './customer-top-up.ts';
import { startCustomerWorld } from './customer-world.ts';
import { round } from './statistics.ts';

const ONE_SOL = 1_000_000_000n;
/** The sponsor's budget in lamports, enough to reserve about 55 transactions. */
const BUDGET = 200_000_000n;

const MAXIMA: Readonly<Record<string, number>> = {
  wallet_s: 10,
  pay_s: 10,
  sponsored_s: 10,
  topup_s: 5,
  strangers_failed: 0,
  over_budget_lamports: 0,
  leaks: 0,
  portal_kb: 45,
  checkout_kb: 45,
  link_kb: 45,
  axe: 0,
  silent_without_script: 0,
  mails_lost: 0,
  mails_empty: 0,
  receipt_gaps: 0,
  receipts_refused: 0,
  receipts_forged: 0,
};
const MINIMA: Readonly<Record<string, number>> = {
  lighthouse_min: LIGHTHOUSE_TARGET,
  mail_templates: 12,
  receipts: 10_000,
};

const PARTS = ['buys', 'strangers', 'leaks', 'pages', 'top-up', 'mails', 'receipts'] as const;
type Part = (typeof PARTS)[number];
type Figures = Record<string, number>;

/**
 * Measures what customers experience: how long they take to buy, the pages and the portal that they
 * see, and the mails and receipts that they get. Also checks that sponsored transactions stay
 * within the budget, and that the portal shows nobody the data of others. The shop is a plain page
 * with a payment link.
 *
 * @param only the one part to measure
 */
export default async function benchCustomer(only?: Part): Promise<void> {
  const figures: Figures = {};
  const isWanted = (part: Part) => only === undefined || only === part;
  if (only !== 'mails' && only !== 'receipts') Object.assign(figures, await measureInWorld(isWanted));
  if (isWanted('mails')) Object.assign(figures, await reportAndMeasure('mails', measureLostMails));
  if (isWanted('receipts')) Object.assign(figures, await reportAndMeasure('receipts', measureReceipts));
  console.table(figures);
  console.log(JSON.stringify(figures));
  const isMissed = Object.entries(figures).some(
    ([name, value]) => value > (MAXIMA[name] ?? value) || value < (MINIMA[name] ?? value),
  );
  const { mails_doubled: doubled = 0, mails_doubled_allowed: allowed = 0 } = figures;
  if (isMissed || doubled > allowed) process.exitCode = 1;
}

/** The parts that need a local network, a merchant and a browser. */
async function measureInWorld(isWanted: (part: Part) => boolean): Promise<Figures> {
  const chromium = findChromium();
  if (!chromium) throw new Error('There is no chromium on this machine.');
  await using closing = new AsyncDisposableStack();
  const world = await startCustomerWorld(closing, { budget: BUDGET });
  console.log('dues is running');
  const browser = await startChromium(chromium);
  closing.defer(() => browser.close());
  const parts: Readonly<Record<Exclude<Part, 'mails' | 'receipts'>, () => Promise<Figures>>> = {
    buys: async () => {
      // The first page of a new browser takes seconds longer, which is not due to the service.
      await buyInBrowser(world, browser, await world.newWallet(ONE_SOL));
      return {
        wallet_s: seconds(await buyInBrowser(world, browser, await world.newWallet(ONE_SOL))),
        sponsored_s: seconds(await buyInBrowser(world, browser, await world.newWallet(0n))),
        pay_s: seconds((await buyWithSolanaPay(world)).ms),
      };
    },
    strangers: () => requestAsStrangers(world, BUDGET),
    leaks: () => countLeaks(world),
    pages: () => measurePages(world, browser, chromium),
    // This part advances the network's time, so it comes last.
    'top-up': async () => ({ topup_s: seconds(await measureTopUps(world)) }),
  };
  const figures: Figures = {};
  for (const [part, measure] of Object.entries(parts)) {
    if (isWanted(part as Part)) Object.assign(figures, await reportAndMeasure(part, measure));
  }
  return figures;
}

async function reportAndMeasure(part: string, measure: () => Promise<Figures>): Promise<Figures> {
  console.log(`measuring: ${part}`);
  return measure();
}

function seconds(ms: number): number {
  return round(ms / 1000, 2);
}
