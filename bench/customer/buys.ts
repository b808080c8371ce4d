import { address, getBase58Encoder, type KeyPairSigner } from '@solana/kit';
import { Connection, Keypair } from '@solana/web3.js';
import type { Browser } from 'playwright-core';
import { newKeyPairBytes } from '../../bin/key-pair.ts';
import type { Chain } from '../../src/chain/chain.ts';
import { sendWire } from '../../src/chain/rpc/send.ts';
import type { Subscription } from '../../src/generated/prisma/client.ts';
import { injectWallet } from '../../tools/injected-wallet.ts';
import { pollUntil } from '../../tools/poll-until.ts';
import { parseLink, payRequest } from '../../tools/solana-pay.ts';
import { signAsWallet } from '../../tools/world/wallet.ts';
import { openProfile } from '../lib/profile.ts';
import { type CustomerWorld, PRICE } from './world.ts';

const BENCH_WALLET = 'Bench Wallet';
const ONE_SOL = 1_000_000_000n;

/** Buys with a wallet in the browser. Returns the milliseconds from the click in the shop. */
export async function buyInBrowser(
  world: CustomerWorld,
  browser: Browser,
  wallet: KeyPairSigner,
): Promise<number> {
  await using closing = new AsyncDisposableStack();
  const context = await openProfile(closing, browser);
  await injectBenchWallet(context, world, wallet);
  const page = await context.newPage();
  await page.goto(world.shop);
  const startedAt = performance.now();
  await page.getByRole('link', { name: 'Subscribe' }).click();
  await page.getByLabel('Your email').fill('ada@example.com');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: BENCH_WALLET, exact: true }).click();
  await page.getByRole('button', { name: 'Approve subscription' }).click();
  await page.getByRole('heading', { name: 'You are subscribed' }).waitFor();
  return performance.now() - startedAt;
}

/** Injects into the browser a wallet that approves every transaction. */
function injectBenchWallet(
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

/** A customer who bought with a Solana Pay client. */
export interface Buyer {
  readonly wallet: Keypair;
  readonly subscription: Subscription;
  /** Milliseconds from submitting the payment link's form to the completed checkout. */
  readonly ms: number;
}

/**
 * Buys with a Solana Pay client, which knows only the `solana:` link of the checkout page.
 *
 * @param tokens the base units that the wallet has
 */
export async function buyWithSolanaPay(world: CustomerWorld, tokens = 20n * PRICE): Promise<Buyer> {
  const { ctx, api, rpcUrl } = world;
  const wallet = Keypair.fromSecretKey(await newKeyPairBytes());
  await world.give(address(wallet.publicKey.toBase58()), ONE_SOL, tokens);
  const connection = new Connection(rpcUrl, 'confirmed');
  const startedAt = performance.now();
  const sessionId = await openCheckout(world);
  const page = await (await fetch(`${api.url}/checkout/${sessionId}`)).text();
  const [, code = ''] = /href="(solana:[^"]+)"/.exec(page) ?? [];
  await payRequest(connection, wallet, new URL(parseLink(code).pathname, api.url));
  const readSession = () =>
    ctx.db.checkoutSession.findUniqueOrThrow({ where: { id: sessionId }, include: { subscription: true } });
  await pollUntil(async () => (await readSession()).status === 'COMPLETED');
  const ms = performance.now() - startedAt;
  const { subscription } = await readSession();
  if (!subscription) throw new Error('The checkout was completed without a subscription');
  return { wallet, subscription, ms };
}

/** Submits the form of the payment link. Returns the id of the checkout session that it opens. */
export async function openCheckout({ api, seller }: CustomerWorld): Promise<string> {
  const response = await fetch(`${api.url}/pay/${seller.link.id}`, {
    method: 'POST',
    body: new URLSearchParams({ customerEmail: 'ada@example.com' }),
    redirect: 'manual',
  });
  const sessionId = response.headers.get('location')?.split('/').at(-1);
  if (!sessionId) throw new Error(`The link answered with ${response.status}`);
  return sessionId;
}
