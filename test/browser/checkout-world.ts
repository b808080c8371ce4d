/** The API on a local network, and a browser with a wallet whose owner the test controls. */
import { getBase58Encoder, type KeyPairSigner } from '@solana/kit';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { CheckoutRequest } from '../../src/domain/checkout/session/session-request.ts';
import type { Plan } from '../../src/generated/prisma/client.ts';
import { startChromium } from '../../tools/chromium.ts';
import { injectWallet } from '../../tools/injected-wallet.ts';
import { startApiWorld } from '../api/world.ts';
import { watchPage } from './watch-page.ts';

export type CheckoutWorld = Awaited<ReturnType<typeof startCheckoutWorld>>;

/** The page to which merchants redirect customers. */
export const SHOP = 'https://shop.example';
export const WALLET = 'Test Wallet';

export interface Customer {
  readonly page: Page;
  /** The answers of the wallet's owner. A test may replace them. */
  readonly owner: {
    connect(): Promise<void>;
    /** By default, signs and sends the transaction. */
    approve(transaction: string): Promise<number[]>;
  };
  /** Requests of the page to other sites, and errors in it. */
  readonly pageProblems: string[];
}

export async function startCheckoutWorld(chromium: string) {
  const world = await startApiWorld();
  const merchant = await world.newKeyedMerchant();
  const browser: Browser = await startChromium(chromium);
  let plans = 0;

  async function openSession(plan: Plan, input: Partial<CheckoutRequest> = {}): Promise<string> {
    return world.openSession(merchant, plan, { idempotencyKey: crypto.randomUUID(), ...input });
  }

  /** Creates a customer with a browser, in which `wallet` is installed. */
  async function newCustomer(wallet?: KeyPairSigner, options: BrowserContextOptions = {}): Promise<Customer> {
    const context = await browser.newContext(options);
    await context.route(`${SHOP}/**`, (route) => route.fulfill({ body: 'the shop' }));
    const owner: Customer['owner'] = {
      connect: async () => undefined,
      approve: async (transaction) => {
        if (!wallet) throw new Error('There is no wallet');
        return [...getBase58Encoder().encode(await world.sign(wallet, transaction))];
      },
    };
    if (wallet) {
      await injectWallet(context, {
        name: WALLET,
        address: wallet.address,
        chains: ['solana:devnet'],
        connect: () => owner.connect(),
        approve: (transaction) => owner.approve(transaction),
      });
    }
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    return { page, owner, pageProblems: watchPage(page, [world.api.url, SHOP]) };
  }

  return {
    ...world,
    merchant,
    newCustomer,
    openSession,
    newPlan: (input = {}) => world.publishPlan(merchant, { planId: `plan-${++plans}`, ...input }),
    urlOf: (sessionId: string) => `${world.api.url}/checkout/${sessionId}`,
    close: async () => {
      await browser.close();
      await world.close();
    },
  };
}
