import { address, getBase58Encoder, type KeyPairSigner } from '@solana/kit';
import { Connection, Keypair } from '@solana/web3.js';
import type { Browser } from 'playwright-core';
import { newKeyPairBytes } from '../bin/key-pair.ts';
import type { Chain } from '../src/chain/chain.ts';
import { sendWire } from '../src/chain/rpc/send.ts';
import type { Subscription } from '../src/generated/prisma/client.ts';
import { injectWallet } from '../tools/injected-wallet.ts';
import { signAsWallet } from '../tools/sign-as-wallet.ts';
import { parseLink, payRequest } from '../tools/solana-pay.ts';
import { type CustomerWorld, PRICE, pollUntil, type Seller } from './customer-world.ts';

export const BENCH_WALLET = 'Bench Wallet';
const ONE_SOL = 1_000_000_000n;

/** By a wallet in the browser, from a click in the merchant's page. Returns milliseconds. */
export async function buyInBrowser(
  world: CustomerWorld,
  browser: Browser,
  wallet: KeyPairSigner,
): Promise<number> {
  const context = await browser.newContext();
  await injectBenchWallet(context, world, wallet);
  const page = await context.newPage();
  await page.goto(world.shop);
  const begun = performance.now();
  await page.getByRole('link', { name: 'Subscribe' }).click();
  await page.getByLabel('Your email').fill('ada@example.com');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: BENCH_WALLET, exact: true }).click();
  await page.getByRole('button', { name: 'Approve subscription' }).click();
  await page.getByRole('heading', { name: 'You are subscribed' }).waitFor();
  const ms = performance.now() - begun;
  await context.close();
  return ms;
}

/** Puts a wallet into the browser that approves everything. */
export function injectBenchWallet(
  context: Parameters<typeof injectWallet>[0],
  { ctx }: CustomerWorld,
  wallet: KeyPairSigner,
): Promise<void> {
  return injectWallet(context, {
    name: BENCH_WALLET,
    address: wallet.address,
    chains: ['solana:devnet'],
    connect: async () => undefined,
    approve: async (transaction) => {
      const { wire, signature } = await signAsWallet(wallet, transaction);
      await sendWire(ctx.chain.TEST as Chain, wire);
      return [...getBase58Encoder().encode(signature)];
    },
  });
}

/** A customer who bought with a client of Solana Pay. */
export interface Buyer {
  readonly wallet: Keypair;
  readonly subscription: Subscription;
  /** From the form of the link to the completed checkout. */
  readonly ms: number;
}

/** By a client of Solana Pay, which knows only the code of the page. */
export async function buyWithSolanaPay(
  world: CustomerWorld,
  {
    seller = world.seller,
    email = 'ada@example.com',
    tokens = 20n * PRICE,
    from = '192.0.2.1',
  }: {
    readonly seller?: Seller;
    readonly email?: string;
    readonly tokens?: bigint;
    readonly from?: string;
  } = {},
): Promise<Buyer> {
  const { ctx, api, rpcUrl } = world;
  const wallet = Keypair.fromSecretKey(await newKeyPairBytes());
  await world.give(address(wallet.publicKey.toBase58()), ONE_SOL, tokens);
  const connection = new Connection(rpcUrl, 'confirmed');
  const begun = performance.now();
  const sessionId = await openCheckout(world, { seller, email, from });
  const page = await (await fetch(`${api.url}/checkout/${sessionId}`)).text();
  const [, code = ''] = /href="(solana:[^"]+)"/.exec(page) ?? [];
  await payRequest(connection, wallet, new URL(parseLink(code).pathname, api.url));
  const completed = () =>
    ctx.db.checkoutSession.findUniqueOrThrow({ where: { id: sessionId }, include: { subscription: true } });
  await pollUntil(async () => (await completed()).status === 'COMPLETED');
  const ms = performance.now() - begun;
  const { subscription } = await completed();
  if (!subscription) throw new Error('The checkout was completed without a subscription');
  return { wallet, subscription, ms };
}

/** Sends the form of the link, and answers with the checkout that it opens. */
export async function openCheckout(
  { api }: CustomerWorld,
  {
    seller,
    email = 'ada@example.com',
    from,
  }: {
    readonly seller: Seller;
    readonly email?: string;
    /** The network address of the customer. */
    readonly from: string;
  },
): Promise<string> {
  const response = await fetch(`${api.url}/pay/${seller.link.id}`, {
    method: 'POST',
    body: new URLSearchParams({ customerEmail: email }),
    redirect: 'manual',
    headers: { 'x-forwarded-for': from },
  });
  const sessionId = response.headers.get('location')?.split('/').at(-1);
  if (!sessionId) throw new Error(`The link answered with ${response.status}`);
  return sessionId;
}
