import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { encodeQR } from 'qr';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inWords, toDecimal } from '../../src/http/price.ts';
import { type ApiWorld, type KeyedMerchant, startApiWorld } from './world.ts';

it.each([
  [0n, '0.00'],
  [1n, '0.000001'],
  [5_000_000n, '5.00'],
  [12_500_000n, '12.50'],
  [12_345_600n, '12.3456'],
  [9_007_199_254_740_993n, '9007199254.740993'],
])('%s base units are %s', (amount, decimal) => {
  expect(toDecimal(amount)).toBe(decimal);
});

it.each([
  [3600, 'hour'],
  [7200, '2 hours'],
  [86_400, 'day'],
  [2_592_000, '30 days'],
  [90, '90 seconds'],
])('%s seconds are %s', (seconds, words) => {
  expect(inWords(seconds)).toBe(words);
});

let world: ApiWorld;
let merchant: KeyedMerchant;
beforeAll(async () => {
  world = await startApiWorld();
  merchant = await world.keyedMerchant();
});
afterAll(() => world.close());

it('the page shows merchant, plan, price and email, and opens the app', async () => {
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
    '5.00 USDC every day, the first day free',
    'ada@example.com',
    `href="dues://subscribe?sessionId=${sessionId}"`,
    'href="https://shop.example/back?a=1&amp;b=2"',
    'Test mode',
    'Acme may collect 5.00 USDC once every day, and never more than that.',
    'href="mailto:help%40acme.example"',
    encodeQR(`dues://subscribe?sessionId=${sessionId}`, 'svg', { ecc: 'medium', border: 1 }),
  ]) {
    expect(body).toContain(shown);
  }

  const approved = await world.approve(sessionId, plan, await world.newWallet());
  await world.request('POST', `/api/checkout/${sessionId}/complete`, { body: approved });
  const completed = (await world.request('GET', `/checkout/${sessionId}`)).body;
  expect(completed).toContain('You are subscribed.');
  expect(completed).toContain(`href="https://shop.example/done?session_id=${sessionId}"`);
  expect(completed).not.toContain('dues://');
  expect(completed).not.toContain('<script');
});

it('what merchants and customers wrote is text on the page, and never markup', async () => {
  const evil = '"><script>alert(1)</script>';
  await world.db.merchant.update({
    where: { id: merchant.merchant.id },
    data: { companyName: evil, logoUrl: `https://x.example/${evil}` },
  });
  const plan = await world.publishPlan(merchant, { planId: 'evil', name: evil, description: evil });
  const sessionId = await world.openSession(merchant, plan, { cancelUrl: `https://x.example/${evil}` });
  const { body } = await world.request('GET', `/checkout/${sessionId}`);
  expect(body).toContain('&lt;script&gt;');
  expect(body).not.toContain('<script>alert');
  expect(body).not.toMatch(/ on\w+=/);
  expect(body.match(/<script/g)).toHaveLength(1);
});

it('what the page does is what its policy lets run, and nothing else', async () => {
  const plan = await world.publishPlan(merchant, { planId: 'policy' });
  const sessionId = await world.openSession(merchant, plan);
  const { headers, body } = await world.request('GET', `/checkout/${sessionId}`);
  const hashOf = (tag: string) => {
    const [, text = ''] = new RegExp(`<${tag}>(.*)</${tag}>`, 's').exec(body) ?? [];
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  };
  expect(headers.get('content-security-policy')?.split('; ')).toEqual([
    "default-src 'none'",
    'img-src https: data:',
    `style-src ${hashOf('style')}`,
    `script-src ${hashOf('script')}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]);
});

it("the page's script counts down, asks how the checkout stands, and goes on when it is completed", async () => {
  const plan = await world.publishPlan(merchant, { planId: 'followed' });
  const successUrl = 'https://shop.example/done';
  const sessionId = await world.openSession(merchant, plan, { successUrl });
  const { body } = await world.request('GET', `/checkout/${sessionId}`);
  const page = runPage(body);
  expect(page.left.textContent).toBe('30:00');
  await page.nextLook();
  expect(page.went).toEqual([]);
  const approved = await world.approve(sessionId, plan, await world.newWallet());
  await world.request('POST', `/api/checkout/${sessionId}/complete`, { body: approved });
  await page.nextLook();
  expect(page.went).toEqual([`${successUrl}?session_id=${sessionId}`]);
});

/** The page's script, with as much of a browser around it as it uses; its timers go off when they are told to. */
function runPage(body: string) {
  const [, script = ''] = /<script>(.*)<\/script>/s.exec(body) ?? [];
  const [, session, secondsLeft] = /data-session="(.*?)" data-seconds-left="(\d+)"/.exec(body) ?? [];
  const left = { textContent: '' };
  const main = { dataset: { session, secondsLeft } };
  const went: string[] = [];
  const timers: { run: () => unknown; afterMs: number }[] = [];
  runInNewContext(script, {
    performance,
    document: { querySelector: (selector: string) => (selector === 'main' ? main : left) },
    location: { replace: (url: string) => went.push(url), reload: () => went.push('reload') },
    fetch: (path: string) => fetch(`${world.api.url}${path}`),
    setTimeout: (run: () => unknown, afterMs: number) => timers.push({ run, afterMs }),
  });
  const nextLook = async () => {
    const at = timers.findIndex(({ afterMs }) => afterMs === 3000);
    await timers.splice(at, 1)[0]?.run();
  };
  return { left, went, nextLook };
}

it('a checkout that does not exist has a page that says so', async () => {
  const { status, body } = await world.request('GET', '/checkout/cs_unknown');
  expect(status).toBe(404);
  expect(body).toContain('There is no such checkout.');
});

it('a plan has public metadata, where its account on chain says', async () => {
  const plan = await world.publishPlan(await world.keyedMerchant(), { planId: 'open', description: 'Text' });
  const { status, body } = await world.request('GET', `/plans/${plan.id}.json`);
  expect(status).toBe(200);
  expect(body).toEqual({
    planId: 'open',
    name: 'Pro',
    description: 'Text',
    ...{ amount: '5000000', interval: '86400', trialPeriodSeconds: '0', mint: plan.mint },
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
