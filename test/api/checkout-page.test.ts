import { createHash } from 'node:crypto';
import { generateKeyPairSigner } from '@solana/kit';
import { encodeQR } from 'qr';
import { describe, expect, it } from 'vitest';
import { startApi } from '../../src/api/server/server.ts';
import { createChain } from '../../src/chain/create-chain.ts';
import { DEFAULT_APP } from '../../src/config/customer-app.ts';
import { toDecimal } from '../../src/domain/catalog/money/decimal-amount.ts';
import { durationText } from '../../src/domain/catalog/money/duration-text.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { startApiWorld } from './world.ts';

it.each([
  [0n, 6, '0.00'],
  [1n, 6, '0.000001'],
  [5_000_000n, 6, '5.00'],
  [12_500_000n, 6, '12.50'],
  [12_345_600n, 6, '12.3456'],
  [9_007_199_254_740_993n, 6, '9007199254.740993'],
  [1_250_000_000n, 9, '1.25'],
  [1n, 9, '0.000000001'],
  [5n, 1, '0.5'],
  [50n, 1, '5.0'],
  [0n, 0, '0'],
  [1200n, 0, '1200'],
])('%s base units of %s decimals are %s', (amount, decimals, decimal) => {
  expect(toDecimal(amount, decimals)).toBe(decimal);
});

it.each([
  [3600, 'hour'],
  [7200, '2 hours'],
  [86_400, 'day'],
  [2_592_000, '30 days'],
  [604_800, '7 days'],
  [2_628_000, 'month'],
  [7_884_000, '3 months'],
  [15_768_000, '6 months'],
  [31_536_000, 'year'],
  [63_072_000, '2 years'],
  [90, '90 seconds'],
])('%s seconds are %s', (seconds, words) => {
  expect(durationText(seconds)).toBe(words);
});

const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();

it('the page shows merchant, plan, price and email, and opens the configured app', async () => {
  Object.assign(world.ctx.config, { customerApp: DEFAULT_APP });
  await world.db.merchant.update({
    where: { id: merchant.merchant.id },
    data: { supportEmail: 'help@acme.example' },
  });
  const plan = await world.publishPlan(merchant, { description: 'All of it', trialPeriodSeconds: 86_400 });
  const sessionId = await world.openSession(merchant, plan, {
    successUrl: 'https://shop.example/done',
    cancelUrl: 'https://shop.example/back?a=1&b=2',
  });
  const { status, headers, body } = await world.request('GET', `/checkout/${sessionId}`);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/html; charset=UTF-8');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  for (const shown of [
    'Acme',
    'Pro',
    'All of it',
    '<strong>5.00 USDC</strong> every day',
    'The first day free',
    'ada@example.com',
    `href="dues://subscribe?sessionId=${sessionId}"`,
    'href="https://shop.example/back?a=1&amp;b=2"',
    'Test mode',
    'Acme may collect at most 5.00 USDC every day, and never more than that.',
    'Your wallet may call the approval unlimited: it is given to a public program on Solana, which allows Acme that amount',
    'href="mailto:help%40acme.example"',
    encodeQR(`dues://subscribe?sessionId=${sessionId}`, 'svg', { ecc: 'medium', border: 1 }),
  ]) {
    expect(body).toContain(shown);
  }

  const approved = await world.approve(sessionId, plan, await world.newWallet());
  await world.request('POST', `/api/checkout/${sessionId}/complete`, { body: approved });
  const completed = (await world.request('GET', `/checkout/${sessionId}`)).body;
  expect(completed).toContain('You are subscribed');
  expect(completed).toContain(`href="https://shop.example/done?session_id=${sessionId}"`);
  expect(completed).not.toContain('dues://');
  expect(completed).not.toContain('<script');
});

it('the page shows texts of merchants and customers as text, never as markup', async () => {
  const evil = '"><script>alert(1)</script>';
  await world.db.merchant.update({
    where: { id: merchant.merchant.id },
    data: { companyName: evil, logoUrl: `https://x.example/${evil}` },
  });
  const plan = await world.publishPlan(merchant, { planId: 'evil', name: evil, description: evil });
  const sessionId = await world.openSession(merchant, plan, { cancelUrl: `https://x.example/${evil}` });
  const { body } = await world.request('GET', `/checkout/${sessionId}`);
  expect(body).toContain('&lt;script>');
  expect(body).not.toContain('<script>alert');
  expect(body).not.toMatch(/ on\w+=/);
  expect(body.match(/<script/g)).toHaveLength(1);
});

it.each([null, '#ffee00'])(
  'the page runs within its content security policy, with the colour %s',
  async (brandColor) => {
    await world.db.merchant.update({ where: { id: merchant.merchant.id }, data: { brandColor } });
    const plan = await world.publishPlan(merchant, { planId: `policy-${brandColor}` });
    const sessionId = await world.openSession(merchant, plan);
    const { headers, body } = await world.request('GET', `/checkout/${sessionId}`);
    const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;
    const [, style = ''] = /<style>(.*)<\/style>/s.exec(body) ?? [];
    const scripts = [...body.matchAll(/<script type="module" src="([^"]+)" integrity="([^"]+)">/g)];
    expect(scripts).toHaveLength(1);
    const [, path, integrity] = scripts[0] ?? [];
    const script = await fetch(world.api.url + path);
    expect(script.headers.get('cache-control')).toContain('immutable');
    expect(integrity).toBe(hashOf(await script.text()));
    expect(body.includes(':root{--brand:#ffee00;--on-brand:#000000;')).toBe(brandColor !== null);
    expect(headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      "img-src 'self' https: data:",
      `style-src '${hashOf(style)}'`,
      `script-src '${integrity}'`,
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
  },
);

it.each([
  '/',
  '/nowhere',
  '/checkout/none',
  '/pay/none',
  '/receipts/none',
  '/receipts/verify',
  '/mail/unsubscribe/none',
])('the page %s has no script, and its policy allows none', async (path) => {
  const response = await fetch(world.api.url + path, { headers: { accept: 'text/html' } });
  const body = await response.text();
  expect(body).toContain('</h1>');
  expect(body).not.toMatch(/<script|data-page=/);
  const [, style = ''] = /<style>(.*)<\/style>/s.exec(body) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  expect(response.headers.get('content-security-policy')?.split('; ')).toEqual([
    "default-src 'none'",
    "img-src 'self' https: data:",
    `style-src 'sha256-${hash}'`,
    "base-uri 'none'",
    expect.stringMatching(/^form-action '(?:none|self)'$/),
    "frame-ancestors 'none'",
  ]);
});

it('a wallet script of the configuration is loaded, with its origin in the policy', async () => {
  const extraWalletScript = 'http://127.0.0.1:8899/wallet.js';
  const api = await startApi({ ...world.ctx, config: { ...world.ctx.config, extraWalletScript } });
  const plan = await world.publishPlan(merchant, { planId: 'wallet-script' });
  const response = await fetch(`${api.url}/checkout/${await world.openSession(merchant, plan)}`);
  await api.close();
  expect(await response.text()).toContain(`<script type="module" src="${extraWalletScript}"></script>`);
  const policy = response.headers.get('content-security-policy');
  expect(policy).toMatch(/; script-src 'sha256-[^']+' http:\/\/127\.0\.0\.1:8899; /);
  expect(policy).toContain("; connect-src 'self' http://127.0.0.1:8899; ");
});

it('an unknown checkout has a page that explains it', async () => {
  const { status, body } = await world.request('GET', '/checkout/cs_unknown');
  expect(status).toBe(404);
  expect(body).toContain('This checkout does not exist');
});

describe('when the cluster has not answered since the process started', () => {
  /** Opens a checkout on an API that cannot reach its cluster. */
  async function visit(sessionId: string) {
    const cluster = world.ctx.config.clusters.TEST;
    if (!cluster) throw new Error('No cluster');
    const chain = await createChain('TEST', { ...cluster, rpcUrl: 'http://127.0.0.1:1' });
    const api = await startApi({ ...world.ctx, chain: { TEST: chain } });
    const response = await fetch(`${api.url}/checkout/${sessionId}`);
    const [{ status, headers }, body] = [response, await response.text()];
    await api.close();
    return {
      status,
      type: headers.get('content-type'),
      policy: headers.get('content-security-policy'),
      body,
    };
  }
  const HTML = 'text/html; charset=UTF-8';

  it('a plan in USDC is still shown', async () => {
    const plan = await world.publishPlan(merchant, { planId: 'usdc' });
    const { status, body } = await visit(await world.openSession(merchant, plan));
    expect(status).toBe(200);
    expect(body).toContain('<strong>5.00 USDC</strong>');
  });

  it('a checkout in another token has a retry link, and after its end no price', async () => {
    const plan = await world.publishPlan(merchant, { planId: 'token' });
    const sessionId = await world.openSession(merchant, plan);
    const { address: mint } = await generateKeyPairSigner();
    await world.db.plan.update({ where: { id: plan.id }, data: { mint } });
    const open = await visit(sessionId);
    expect(open).toMatchObject({ status: 500, type: HTML });
    expect(open.policy).toContain("default-src 'none'");
    expect(open.body).toContain('This checkout cannot be shown');
    expect(open.body).toMatch(new RegExp(`<a href="/checkout/${sessionId}"[^>]*>Try again</a>`));
    await world.db.checkoutSession.update({
      where: { id: sessionId },
      data: { expiresAt: world.ctx.clock.now() },
    });
    const expired = await visit(sessionId);
    expect(expired).toMatchObject({ status: 200, type: HTML });
    expect(expired.body).toContain('This checkout has expired');
    expect(expired.body).not.toContain('<strong>');
  });
});

it('a plan has public metadata at the URL of its account on chain', async () => {
  const plan = await world.publishPlan(await world.newKeyedMerchant(), {
    planId: 'open',
    description: 'Text',
  });
  const { status, body } = await world.request('GET', `/plans/${plan.id}.json`);
  expect(status).toBe(200);
  expect(body).toEqual({
    planId: 'open',
    name: 'Pro',
    description: 'Text',
    imageUrl: null,
    amount: '5000000',
    maxAmount: '5000000',
    interval: '86400',
    trialPeriodSeconds: '0',
    mint: plan.mint,
    merchant: { companyName: 'Acme', logoUrl: null },
  });
});

it.each(['/plans/x.json', '/plans/%00.json', `/plans/${crypto.randomUUID()}.json`, '/plans/x'])(
  '%s is not found',
  async (path) => {
    const { status, body } = await world.request('GET', path);
    expect({ status, ...body.error }).toMatchObject({ status: 404, code: 'not_found' });
  },
);
