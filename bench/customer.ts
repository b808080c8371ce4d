import { address, getBase58Encoder, type KeyPairSigner } from '@solana/kit';
import { Connection, Keypair } from '@solana/web3.js';
import type { Browser } from 'playwright-core';
import { newKeyPairBytes } from '../bin/key-pair.ts';
import { sideBySide } from '../src/async/side-by-side.ts';
import type { Chain } from '../src/chain/chain.ts';
import { sendWire } from '../src/chain/rpc/send.ts';
import { sponsoredSince } from '../src/domain/checkout/sponsor-budget.ts';
import { findChromium, startChromium } from '../tools/chromium.ts';
import { injectWallet } from '../tools/injected-wallet.ts';
import { signed } from '../tools/signed.ts';
import { linkOf, payRequest } from '../tools/solana-pay.ts';
import { type CustomerWorld, startCustomerWorld, until } from './customer-world.ts';
import { round } from './statistics.ts';

const WALLET = 'Bench Wallet';
const ONE_SOL = 1_000_000_000n;
const WANTED_SECONDS = 10;
const STRANGERS = 1_000;
const AT_ONCE = 32;
/** For about 60 customers. */
const BUDGET = 200_000_000n;

/** Customers who buy through a link in a plain page: from the click to the subscription. */
export default async function benchCustomer(): Promise<void> {
  const chromium = findChromium();
  if (!chromium) throw new Error('There is no chromium on this machine.');
  await using closing = new AsyncDisposableStack();
  const world = await startCustomerWorld(closing, { budget: BUDGET });
  console.log('dues is running');
  const browser = await startChromium(chromium);
  closing.defer(() => browser.close());
  // The first page of a browser takes seconds that no customer waits for us.
  await buyInBrowser(world, browser, await world.newWallet(ONE_SOL));

  console.log('The first customer has bought; now the measured ones');
  const walletMs = await buyInBrowser(world, browser, await world.newWallet(ONE_SOL));
  const sponsoredMs = await buyInBrowser(world, browser, await world.newWallet(0n));
  const payMs = await buyWithSolanaPay(world);
  console.log(`Bought by wallet, sponsored and Solana Pay; now ${STRANGERS} strangers ask`);
  const strangers = await strangersAskAtOnce(world);
  const seconds = (ms: number) => round(ms / 1000, 2);
  const figures = {
    wallet_s: seconds(walletMs),
    pay_s: seconds(payMs),
    sponsored_s: seconds(sponsoredMs),
    ...strangers,
  };
  console.table(figures);
  console.log(JSON.stringify(figures));
  const slowest = Math.max(figures.wallet_s, figures.pay_s, figures.sponsored_s);
  if (slowest > WANTED_SECONDS || strangers.over_budget_lamports > 0) process.exitCode = 1;
}

/** By a wallet in the browser. */
async function buyInBrowser(world: CustomerWorld, browser: Browser, wallet: KeyPairSigner): Promise<number> {
  const context = await browser.newContext();
  await injectWallet(context, {
    name: WALLET,
    address: wallet.address,
    chains: ['solana:devnet'],
    connect: async () => undefined,
    approve: async (transaction) => {
      const { wire, signature } = await signed(wallet, transaction);
      await sendWire(world.ctx.chain.TEST as Chain, wire);
      return [...getBase58Encoder().encode(signature)];
    },
  });
  const page = await context.newPage();
  await page.goto(world.page);
  const begun = performance.now();
  await page.getByRole('link', { name: 'Subscribe' }).click();
  await page.getByLabel('Your email').fill('ada@example.com');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: WALLET, exact: true }).click();
  await page.getByRole('button', { name: 'Approve subscription' }).click();
  await page.getByRole('heading', { name: 'You are subscribed' }).waitFor();
  const ms = performance.now() - begun;
  await context.close();
  return ms;
}

/** By a client of Solana Pay, which knows only the code of the page. */
async function buyWithSolanaPay(world: CustomerWorld): Promise<number> {
  const { ctx, api, rpcUrl } = world;
  const wallet = Keypair.fromSecretKey(await newKeyPairBytes());
  await world.give(address(wallet.publicKey.toBase58()), ONE_SOL);
  const connection = new Connection(rpcUrl, 'confirmed');
  const begun = performance.now();
  const sessionId = await openCheckout(world, '192.0.2.1');
  const page = await (await fetch(`${api.url}/checkout/${sessionId}`)).text();
  const [, code = ''] = /href="(solana:[^"]+)"/.exec(page) ?? [];
  await payRequest(connection, wallet, new URL(linkOf(code).pathname, api.url));
  await until(async () => {
    const session = await ctx.db.checkoutSession.findUniqueOrThrow({ where: { id: sessionId } });
    return session.status === 'COMPLETED';
  });
  return performance.now() - begun;
}

/** Sends the form of the link, and answers with the checkout that it opens. */
async function openCheckout({ api, link }: CustomerWorld, from: string): Promise<string> {
  const response = await fetch(`${api.url}/pay/${link.id}`, {
    method: 'POST',
    body: new URLSearchParams({ customerEmail: 'ada@example.com' }),
    redirect: 'manual',
    headers: { 'x-forwarded-for': from },
  });
  const sessionId = response.headers.get('location')?.split('/').at(-1);
  if (!sessionId) throw new Error(`The link answered with ${response.status}`);
  return sessionId;
}

/** 1,000 wallets without SOL, each with a checkout and an address of its own. */
async function strangersAskAtOnce(world: CustomerWorld) {
  const { ctx, api } = world;
  const places = Array.from({ length: STRANGERS }, (_, index) => `198.18.${index >> 8}.${index & 255}`);
  const answers = await sideBySide(places, AT_ONCE, async (from) => {
    const wallet = await world.newWallet(0n);
    const sessionId = await openCheckout(world, from);
    const response = await fetch(`${api.url}/api/checkout/${sessionId}/solana-pay`, {
      method: 'POST',
      body: JSON.stringify({ account: wallet.address }),
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    });
    return response.status;
  });
  const reserved = await sponsoredSince(ctx.db, { environment: 'TEST' }, ctx.clock.now());
  return {
    strangers: answers.length,
    strangers_sponsored: answers.filter((status) => status === 200).length,
    strangers_failed: answers.filter((status) => status >= 500).length,
    over_budget_lamports: Number(reserved > BUDGET ? reserved - BUDGET : 0n),
  };
}
