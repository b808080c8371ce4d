/** Payment links: a public page that sells a plan for a merchant without a backend. */
import { inflateSync } from 'node:zlib';
import { encodeQR } from 'qr';
import { describe, expect, it } from 'vitest';
import { OTHER_REQUESTS } from '../../src/api/rate-limit/rate-limit.ts';
import { createRateLimits } from '../../src/api/rate-limit/rate-limits.ts';
import { startApi } from '../../src/api/server/server.ts';
import { updateSettings } from '../../src/domain/accounts/merchant/update-settings.ts';
import { createPlan } from '../../src/domain/catalog/plan/create-plan.ts';
import { createLink, MAX_LINKS } from '../../src/domain/checkout/payment-link/create-link.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { CREATE_LINK, LINK, LINKS, UPDATE_LINK } from './link-documents.ts';
import { graphqlError, startApiWorld } from './world.ts';

const SUCCESS = 'https://shop.example/thanks';
const EMAIL = 'ada@example.com';

const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();
const plan = await world.publishPlan(merchant, { trialPeriodSeconds: 86_400 });

const newLink = async (input = {}) =>
  (await world.query(merchant.testKey, CREATE_LINK, { input: { planId: plan.planId, ...input } }))
    .createPaymentLink;
const update = async (id: string, input: object) =>
  (await world.query(merchant.testKey, UPDATE_LINK, { id, input })).updatePaymentLink;
const countsOf = async (id: string) => (await world.query(merchant.testKey, LINK, { id })).paymentLink;

/** Sends the form of the page, and does not follow the redirect. */
function send(id: string, customerEmail: string, url = world.api.url): Promise<Response> {
  return fetch(`${url}/pay/${id}`, {
    method: 'POST',
    body: new URLSearchParams({ customerEmail }),
    redirect: 'manual',
  });
}

/** The id of the checkout session to which the form redirects. */
async function sessionOf(response: Response): Promise<string> {
  expect(response.status).toBe(303);
  const [, , sessionId = ''] = (response.headers.get('location') ?? '').split('/');
  return sessionId;
}

describe('a payment link', () => {
  it('a link with the same metadata in another order is not changed', async () => {
    const { id } = await newLink({ metadata: { a: 1, campaign: { b: 2, c: 3 } } });
    await update(id, { metadata: { campaign: { c: 3, b: 2 }, a: 1 } });
    expect(await world.db.auditEntry.count({ where: { action: 'payment_link.updated', targetId: id } })).toBe(
      0,
    );
  });

  it('shows the offer, asks for the email and leads to a checkout', async () => {
    const metadata = { campaign: 'spring' };
    const { id, url, ...rest } = await newLink({ successUrl: SUCCESS, metadata });
    expect(url).toBe(`https://dues.example/pay/${id}`);
    expect(rest).toMatchObject({
      name: 'Pro',
      active: true,
      metadata,
      plan: { planId: 'pro' },
      openedCount: 0,
    });
    const page = await world.request('GET', `/pay/${id}?email=${EMAIL}`);
    expect(page.status).toBe(200);
    for (const text of [
      'Acme',
      '5.00 USDC',
      'The first day free',
      `value="${EMAIL}"`,
      `action="/pay/${id}"`,
    ]) {
      expect(page.body).toContain(text);
    }
    expect(page.body).toMatch(/every day.*next on \d+ [A-Z][a-z]+ \d{4}/);
    expect(page.body).not.toContain('<script');
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self'");

    const sessionId = await sessionOf(await send(id, ` ${EMAIL} `));
    const session = await world.db.checkoutSession.findUniqueOrThrow({ where: { id: sessionId } });
    expect(session).toMatchObject({ customerEmail: EMAIL, successUrl: SUCCESS, metadata, paymentLinkId: id });
    const body = await world.approve(sessionId, plan, await world.newWallet());
    await world.request('POST', `/api/checkout/${sessionId}/complete`, { body });
    expect(await countsOf(id)).toMatchObject({ openedCount: 1, completedCount: 1 });
  });

  it('opens a new checkout for each visitor, because its id lets complete it', async () => {
    const { id } = await newLink();
    const sessions = await Promise.all([1, 2].map(async () => sessionOf(await send(id, EMAIL))));
    expect(new Set(sessions).size).toBe(2);
  });

  it('explains an invalid email, and escapes it', async () => {
    const { id } = await newLink();
    for (const entered of ['', 'ada', '"><script>', `${'a'.repeat(250)}@example.com`]) {
      const response = await send(id, entered);
      expect(response.status).toBe(400);
      const text = await response.text();
      expect(text).toContain('Enter an email address');
      expect(text).not.toContain('<script');
    }
    expect(await countsOf(id)).toMatchObject({ openedCount: 0 });
  });

  it('has a page that says so while it is off or its plan is sunset', async () => {
    const { id } = await newLink();
    expect(await update(id, { active: false })).toMatchObject({ active: false, name: 'Pro' });
    const closed = 'This offer is no longer available';
    const page = await world.request('GET', `/pay/${id}`);
    expect({ status: page.status, isClosed: page.body.includes(closed) }).toEqual({
      status: 200,
      isClosed: true,
    });
    const sent = await send(id, EMAIL);
    expect({ status: sent.status, isClosed: (await sent.text()).includes(closed) }).toEqual({
      status: 200,
      isClosed: true,
    });
    await update(id, { active: true });
    await world.db.plan.update({ where: { id: plan.id }, data: { status: 'INACTIVE' } });
    expect((await world.request('GET', `/pay/${id}`)).body).toContain(closed);
    await world.db.plan.update({ where: { id: plan.id }, data: { status: 'ACTIVE' } });
    await sessionOf(await send(id, EMAIL));
  });

  it('that does not exist has a page too', async () => {
    const { status, headers, body } = await world.request('GET', '/pay/unknown');
    expect({ status, type: headers.get('content-type') }).toEqual({
      status: 404,
      type: 'text/html; charset=UTF-8',
    });
    expect(body).toContain('This link does not exist');
  });

  it('opens at most 20 checkouts per minute for one address', async () => {
    const { id } = await newLink();
    const api = await startApi({
      ...world.ctx,
      config: { ...world.ctx.config, trustedProxies: ['127.0.0.1'] },
    });
    const visit = (address: string, key?: string) =>
      fetch(`${api.url}/pay/${id}`, {
        method: 'POST',
        body: new URLSearchParams({ customerEmail: EMAIL }),
        redirect: 'manual',
        headers: { 'x-forwarded-for': address, ...(key && { authorization: `Bearer ${key}` }) },
      });
    const statuses: number[] = [];
    for (let count = 0; count < 21; count += 1) statuses.push((await visit('192.0.2.1')).status);
    expect(statuses).toEqual([...Array(20).fill(303), 429]);
    expect((await visit('192.0.2.1', merchant.testKey)).status).toBe(429);
    expect((await visit('192.0.2.2')).status).toBe(303);
    const limits = await createRateLimits(world.ctx);
    await limits.take(OTHER_REQUESTS, '192.0.2.3', OTHER_REQUESTS.limit);
    await limits.close();
    for (let count = 0; count < 2; count += 1) {
      const { status, headers } = await fetch(`${api.url}/pay/${id}`, {
        headers: { 'x-forwarded-for': '192.0.2.3' },
      });
      expect([status, headers.get('content-type')]).toEqual([429, 'text/html; charset=UTF-8']);
    }
    await api.close();
  });

  it('has a QR code as SVG and PNG, which other sites may load', async () => {
    const { id, url } = await newLink();
    const codes = await Promise.all(
      ['svg', 'png'].map((ending) => fetch(`${world.api.url}/pay/${id}/qr.${ending}`)),
    );
    for (const { status, headers } of codes) {
      expect(status).toBe(200);
      expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    }
    const [svg, png] = codes;
    expect(await svg?.text()).toBe(encodeQR(url, 'svg', { ecc: 'medium', border: 4 }));
    const bytes = Buffer.from((await png?.arrayBuffer()) ?? new ArrayBuffer());
    expect(readModules(bytes)).toEqual(encodeQR(url, 'raw', { ecc: 'medium', border: 4 }));
    expect((await world.request('GET', '/pay/unknown/qr.svg')).status).toBe(404);
  });
});

/** Reads the modules of a QR code at their centres, from a PNG with one bit per pixel. */
function readModules(png: Buffer): boolean[][] {
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  const size = png.readUInt32BE(16);
  const chunkType = png.indexOf('IDAT');
  const rows = inflateSync(png.subarray(chunkType + 4, chunkType + 4 + png.readUInt32BE(chunkType - 4)));
  const stride = 1 + Math.ceil(size / 8);
  const scale = 12;
  const centres = Array.from({ length: size / scale }, (_, index) => index * scale + scale / 2);
  return centres.map((y) =>
    centres.map((x) => (((rows[y * stride + 1 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1) === 0),
  );
}

describe('a merchant', () => {
  it('lists its links by plan and by whether they are active', async () => {
    const seller = await world.newKeyedMerchant();
    const own = await world.publishPlan(seller, { planId: 'own' });
    await world.publishPlan(seller, { planId: 'other' });
    const list = async (variables = {}) => (await world.query(seller.testKey, LINKS, variables)).paymentLinks;
    const [first, second] = await Promise.all(
      ['own', 'other'].map((planId) => createLink(world.ctx, seller.scope, { planId })),
    );
    await world.query(seller.testKey, UPDATE_LINK, { id: first?.id ?? '', input: { active: false } });
    expect((await list()).totalCount).toBe(2);
    expect((await list({ planId: own.planId })).edges.map(({ node }) => node.id)).toEqual([first?.id]);
    expect((await list({ active: true })).edges.map(({ node }) => node.id)).toEqual([second?.id]);
    expect((await list({ planId: 'none' })).totalCount).toBe(0);
    const [edge] = (await list({ first: 1 })).edges;
    expect((await list({ first: 1, after: edge?.cursor })).edges).toHaveLength(1);
  });

  it('gets an error that names the problem of a link', async () => {
    const errorOf = (input: object) =>
      graphqlError(world.query(merchant.testKey, CREATE_LINK, { input: { planId: plan.planId, ...input } }));
    expect(await errorOf({ planId: 'none' })).toMatchObject({ code: 'not_found', param: 'planId' });
    expect(await errorOf({ name: '' })).toMatchObject({ code: 'invalid_request', param: 'name' });
    expect(await errorOf({ metadata: [1] })).toMatchObject({ code: 'invalid_request', param: 'metadata' });
    expect(await errorOf({ successUrl: 'ftp://x' })).toMatchObject({ param: 'successUrl' });
    const draft = { planId: 'draft', name: 'Draft', amount: 1n, intervalSeconds: 3_600 };
    await createPlan(world.ctx, merchant.scope, draft);
    expect(await errorOf({ planId: 'draft' })).toMatchObject({ code: 'invalid_request', param: 'planId' });
    const { id } = await newLink({ successUrl: SUCCESS });
    await updateSettings(world.ctx, merchant.scope, { redirectUrlsAllowed: ['https://other.example'] });
    expect(await errorOf({ successUrl: SUCCESS })).toMatchObject({ param: 'successUrl' });
    const change = graphqlError(
      world.query(merchant.testKey, UPDATE_LINK, { id, input: { cancelUrl: SUCCESS } }),
    );
    expect(await change).toMatchObject({ code: 'invalid_request', param: 'cancelUrl' });
    await updateSettings(world.ctx, merchant.scope, { redirectUrlsAllowed: [] });
    expect(await update(id, { successUrl: null, name: 'Poster' })).toMatchObject({
      successUrl: null,
      name: 'Poster',
    });
  });

  it('cannot have more than the maximum number of links', async () => {
    const seller = await world.newKeyedMerchant();
    const own = await world.publishPlan(seller, { planId: 'own' });
    await world.db.paymentLink.createMany({
      data: Array.from({ length: MAX_LINKS }, () => ({
        ...seller.scope,
        id: crypto.randomUUID(),
        planId: own.id,
        name: 'one',
        createdAt: world.ctx.clock.now(),
      })),
    });
    const oneMore = world.query(seller.testKey, CREATE_LINK, { input: { planId: 'own' } });
    expect(await graphqlError(oneMore)).toMatchObject({ code: 'invalid_request', param: 'planId' });
  });
});

it('other sites may load the script of the payment button', async () => {
  const { status, headers, body } = await world.request('GET', '/embed.js');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect(Buffer.byteLength(body)).toBeLessThan(3_000);
  expect(body).not.toMatch(/eval|innerHTML|\.style\b|<style/);
});
