/** Wallets outside the page's browser: Solana Pay, wallet apps and the operator's app. */
import { address, type KeyPairSigner } from '@solana/kit';
import { Connection, Keypair } from '@solana/web3.js';
import { expect, it } from 'vitest';
import { newKeyPairBytes } from '../../bin/key-pair.ts';
import { startApi } from '../../src/api/server/server.ts';
import { subscriptionAddress } from '../../src/chain/accounts/addresses.ts';
import { parseLink, payRequest } from '../../tools/solana-pay.ts';
import { START_BALANCE } from '../domain/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { startApiWorld } from './world.ts';

const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();
const plan = await world.publishPlan(merchant);

const openSession = () => world.openSession(merchant, plan, { idempotencyKey: crypto.randomUUID() });
const pathOf = (sessionId: string) => `/api/checkout/${sessionId}/solana-pay`;
const statusOf = async (sessionId: string) =>
  (await world.request('GET', `/api/checkout/${sessionId}`)).body.status;

/** Creates a wallet of `@solana/web3.js`, with SOL and tokens. */
async function newWeb3Wallet(): Promise<Keypair> {
  const wallet = Keypair.fromSecretKey(await newKeyPairBytes());
  const owner = address(wallet.publicKey.toBase58());
  await world.cheat('surfnet_setAccount', [owner, { lamports: 1_000_000_000 }]);
  await world.setTokens(owner, START_BALANCE);
  return wallet;
}

it('a Solana Pay wallet subscribes with the QR code, to its checkout only', async () => {
  const [sessionId, other] = [await openSession(), await openSession()];
  const { body: page } = await world.request('GET', `/checkout/${sessionId}`);
  const [, code = ''] = /href="(solana:[^"]+)"/.exec(page) ?? [];
  const link = parseLink(code);
  expect(link.href).toBe(`https://dues.example${pathOf(sessionId)}`);
  const { body: label } = await world.request('GET', pathOf(sessionId));
  expect(label).toEqual({ label: 'Acme', icon: 'https://dues.example/icon.svg' });

  const wallet = await newWeb3Wallet();
  const connection = new Connection(world.ctx.config.clusters.TEST?.rpcUrl ?? '', 'confirmed');
  // The same wallet requests transactions for both checkouts, and approves one.
  await world.request('POST', pathOf(other), { body: { account: wallet.publicKey.toBase58() } });
  // The test API has no https, so only the path of the link is used.
  await payRequest(connection, wallet, new URL(link.pathname, world.api.url));
  world.network.tick();
  const owner = address(wallet.publicKey.toBase58());
  await world.mirror(await subscriptionAddress(address(plan.address), owner));
  expect(await statusOf(sessionId)).toBe('completed');
  expect(await statusOf(other)).toBe('open');
});

it('the wallet receives a description of what it approves, or an error', async () => {
  const sessionId = await openSession();
  const wallet = await world.newWallet();
  const ask = (account: string) => world.request('POST', pathOf(sessionId), { body: { account } });
  expect((await ask(wallet.address)).body.message).toBe('Pro: 5.00 USDC every day.');
  expect((await world.request('GET', `/api/checkout/${sessionId}`)).body.walletConnected).toBe(true);
  const refusal = async (account: string) => (await ask(account)).body.error;
  expect(await refusal('nonsense')).toMatchObject({ code: 'invalid_request', param: 'account' });
  expect(await refusal(plan.address)).toMatchObject({ code: 'invalid_request', param: 'account' });
  await world.request('POST', `/api/checkout/${sessionId}/complete`, {
    body: await world.approve(sessionId, plan, wallet),
  });
  expect(await refusal(wallet.address)).toMatchObject({ code: 'invalid_request', param: 'sessionId' });
  const unknown = await world.request('GET', pathOf('cs_unknown'));
  expect(unknown.status).toBe(404);
});

it('the page has links that open it in wallet apps, and codes that top up a wallet', async () => {
  const sessionId = await openSession();
  const { body } = await world.request('GET', `/checkout/${sessionId}`);
  const pageUrl = encodeURIComponent(`https://dues.example/checkout/${sessionId}`);
  for (const app of ['phantom.app/ul', 'solflare.com/ul/v1', 'backpack.app/ul/v1']) {
    expect(body).toContain(`href="https://${app}/browse/${pageUrl}?ref=https%3A%2F%2Fdues.example"`);
  }
  const { address: owner } = await world.newWallet();
  const ofPage = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'image' };
  const topUp = (query: string, headers: Record<string, string> = ofPage) =>
    fetch(`${world.api.url}/checkout/${sessionId}/top-up.svg?${query}`, { headers });
  // Only for a wallet that requested the session's transactions, and for at most its price.
  expect((await topUp(`wallet=${owner}`)).status).toBe(400);
  await world.request('POST', `/api/checkout/${sessionId}/transaction`, { body: { userWallet: owner } });
  for (const query of [`wallet=${owner}`, `wallet=${owner}&amount=5000000`]) {
    const { status, headers } = await topUp(query);
    expect({ status, headers: Object.fromEntries(headers) }).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'image/svg+xml',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
      },
    });
  }
  const { address: other } = await world.newWallet();
  const amounts = ['-1', '0', '5000001', '99999999999999999999'].map(
    (amount) => `wallet=${owner}&amount=${amount}`,
  );
  for (const query of ['', 'wallet=x', `wallet=${other}`, ...amounts]) {
    expect({ query, status: (await topUp(query)).status }).toEqual({ query, status: 400 });
  }
  // Nobody can link to a code, show it on another site, or fetch it with an old browser or a program.
  const others: Record<string, string>[] = [
    {},
    { 'sec-fetch-dest': 'image' },
    { 'sec-fetch-site': 'same-origin' },
    { ...ofPage, 'sec-fetch-dest': 'document' },
    { ...ofPage, 'sec-fetch-site': 'cross-site' },
  ];
  for (const headers of others) expect((await topUp(`wallet=${owner}`, headers)).status).toBe(404);
});

it('the scheme of the app and the files for its links come from the configuration', async () => {
  const files = ['/.well-known/assetlinks.json', '/.well-known/apple-app-site-association'];
  for (const file of files) expect((await world.request('GET', file)).status).toBe(404);
  const fingerprint = Array<string>(32).fill('0A').join(':');
  const customerApp = {
    scheme: 'acme',
    android: { packageName: 'com.example.app', fingerprints: [fingerprint] },
    appleIds: ['ABCDE12345.com.example.app'],
  };
  const api = await startApi({ ...world.ctx, config: { ...world.ctx.config, customerApp } });
  const [assets, apple] = await Promise.all(
    files.map(async (file) => (await fetch(`${api.url}${file}`)).json()),
  );
  const page = await (await fetch(`${api.url}/checkout/${await openSession()}`)).text();
  await api.close();
  expect(assets).toEqual([
    {
      relation: ['delegate_permission/common.handle_all_urls'],
      target: {
        namespace: 'android_app',
        package_name: 'com.example.app',
        sha256_cert_fingerprints: [fingerprint],
      },
    },
  ]);
  expect(apple.applinks.details[0].appIDs).toEqual(customerApp.appleIds);
  expect(page).toContain('href="acme://subscribe?sessionId=');
});

it('a checkout that was approved just before it expired is not shown as expired', async () => {
  const [sessionId, other] = [await openSession(), await openSession()];
  const wallet: KeyPairSigner = await world.newWallet();
  const readPage = async (id: string) => (await world.request('GET', `/checkout/${id}`)).body;
  const approved = await world.approve(sessionId, plan, wallet);
  await world.travel(30 * 60);
  for (const page of [await readPage(sessionId), await readPage(sessionId)]) {
    expect(page).toContain('this page shows the result in a moment');
    expect(page).toContain('http-equiv="refresh"');
    expect(page).not.toContain('expired');
  }
  expect(await readPage(other)).toContain('This checkout has expired');
  await world.mirror(approved.subscriptionPda);
  expect(await readPage(sessionId)).toContain('You are subscribed');
});
