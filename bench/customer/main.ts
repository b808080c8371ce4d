import { findChromium, startChromium } from '../../tools/chromium.ts';
import { measureParts } from '../lib/figures.ts';
import { round } from '../lib/statistics.ts';
import { buyInBrowser, buyWithSolanaPay } from './buys.ts';
import type { CUSTOMER_FIGURES, PARTS } from './figures.ts';
import { measurePages } from './pages.ts';
import { measureTopUps } from './top-up.ts';
import { startCustomerWorld } from './world.ts';

const ONE_SOL = 1_000_000_000n;

/**
 * Measures what customers experience: how long they take to buy, the size and the scores of their
 * pages, and how soon a top-up is collected. The shop is a plain page with a payment link.
 */
export default async function benchCustomer({ only }: { readonly only?: (typeof PARTS)[number] }) {
  const chromium = findChromium();
  if (!chromium) throw new Error('There is no chromium on this machine.');
  await using closing = new AsyncDisposableStack();
  const world = await startCustomerWorld(closing);
  console.log('dues is running');
  const browser = await startChromium(chromium);
  closing.defer(() => browser.close());
  return await measureParts<(typeof PARTS)[number], typeof CUSTOMER_FIGURES>(
    {
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
    },
    only,
  );
}

function seconds(ms: number): number {
  return round(ms / 1000, 2);
}
