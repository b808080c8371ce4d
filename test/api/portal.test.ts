import { sharedByFile } from '../support/shared-by-file.ts';
/** The customer portal, as its page and merchants' backends call it. */

import { OpenAPIHono } from '@hono/zod-openapi';
import type { KeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { GraphqlServer } from '../../src/api/graphql/context.ts';
import type { ApiEnv } from '../../src/api/http/api-env.ts';
import type {
  PaymentsAnswer,
  SessionAnswer,
  SubscriptionDetailAnswer,
  SubscriptionsAnswer,
  TransactionAnswer,
} from '../../src/api/portal/answers.ts';
import { routePortal } from '../../src/api/portal/routes.ts';
import { WALLET_READS } from '../../src/api/rate-limit/rate-limit.ts';
import { createRateLimits } from '../../src/api/rate-limit/rate-limits.ts';
import { type Api, startApi } from '../../src/api/server/server.ts';
import type { MailConfig } from '../../src/config/mail-config.ts';
import { createApiKey } from '../../src/domain/accounts/api-key/create-api-key.ts';
import { endPeriod } from '../../src/domain/billing/lifecycle/cancel-subscription.ts';
import { pauseSubscription } from '../../src/domain/billing/waive/pause-subscription.ts';
import { createLink } from '../../src/domain/checkout/payment-link/create-link.ts';
import { updateLink } from '../../src/domain/checkout/payment-link/update-link.ts';
import { LINK_MINUTES, linkRequestOf, signInByLink } from '../../src/domain/portal/portal-link.ts';
import { openPortal } from '../../src/domain/portal/portal-session.ts';
import { MAX_MAILS, requestPortalLinks } from '../../src/domain/portal/request-links.ts';
import type { Subscription } from '../../src/generated/prisma/client.ts';
import { decryptSecret } from '../../src/secrets.ts';
import { signInWithWallet } from '../../tools/sign-in-wallet.ts';
import { DAY, PRICE } from '../domain/world.ts';
import { namedAddress } from '../support/named-address.ts';
import { SOON } from '../support/soon.ts';
import { UPDATE_SETTINGS } from './audit-documents.ts';
import { Browser } from './browser.ts';
import { UNDO_CANCELLATION } from './collection-documents.ts';
import { CANCEL } from './documents.ts';
import { CREATE_PORTAL_SESSION } from './portal-documents.ts';
import { requestsFor, walkPortal } from './portal-walk.ts';
import { SIGN_IN, SIGN_IN_INPUT } from './team-documents.ts';
import { graphqlError, startApiWorld } from './world.ts';

const world = await sharedByFile(startApiWorld());
const [merchant, other] = [await world.newKeyedMerchant(), await world.newKeyedMerchant()];
const plan = await world.publishPlan(merchant);
const otherPlan = await world.publishPlan(other, { planId: 'other' });
const [ada, bob] = [await world.newWallet(), await world.newWallet()];
/** Ada's subscriptions with `merchant`, with `other` and in LIVE, and Bob's subscription. */
const adas = await world.subscribe(merchant, plan, ada);
const adasOther = await world.subscribe(other, otherPlan, ada);
const bobs = await world.subscribe(merchant, plan, bob, { customerEmail: 'bob@example.com' });
const adasLive = await seedLiveSubscription();

/** Creates a subscription of Ada in LIVE, which is on no chain. */
async function seedLiveSubscription(): Promise<Subscription> {
  const scope = { merchantId: merchant.merchant.id, environment: 'LIVE' } as const;
  const { id: _plan, ...terms } = plan;
  const livePlan = await world.db.plan.create({
    data: { ...terms, ...scope, address: namedAddress('live') },
  });
  const customer = await world.db.customer.create({
    data: { ...scope, email: 'ada@example.com', walletAddress: ada.address },
  });
  const { id: _subscription, metadata: _metadata, priceId: _price, ...columns } = adas;
  return world.db.subscription.create({
    data: { ...columns, ...scope, planId: livePlan.id, customerId: customer.id, nextAttemptAt: null },
  });
}

/** A customer's browser on the pages of the portal. */
class Customer {
  readonly browser: Browser;

  constructor(browser: Browser = new Browser(world)) {
    this.browser = browser;
  }

  async ask(path: string, body?: object) {
    const response = await this.browser.fetch(`/api/portal/${path}`, {
      ...(body && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  async get<Answer>(path: string): Promise<Answer> {
    const { status, body } = await this.ask(path);
    expect({ path, status, body }).toMatchObject({ status: 200 });
    return body as Answer;
  }

  async post<Answer>(path: string, body: object = {}): Promise<Answer> {
    const answer = await this.ask(path, body);
    expect({ path, ...answer }).toMatchObject({ status: 200 });
    return answer.body as Answer;
  }

  async signIn(wallet: KeyPairSigner): Promise<this> {
    const fields = await this.post<{ domain: string }>('wallet/input');
    await this.post('wallet', await signInWithWallet(wallet, { ...fields }));
    return this;
  }

  async enter(url: string): Promise<this> {
    await this.post('link', { token: tokenOf(url), confirmed: true });
    return this;
  }

  async subscriptionIds(): Promise<string[]> {
    const { subscriptions } = await this.get<SubscriptionsAnswer>('subscriptions');
    return subscriptions.map(({ id }) => id).toSorted();
  }

  subscription(id: string): Promise<SubscriptionDetailAnswer> {
    return this.get<SubscriptionDetailAnswer>(`subscriptions/${id}`);
  }
}

const tokenOf = (url: string) => url.split('=').at(-1) ?? '';
const sortedIds = (...subscriptions: Subscription[]) => subscriptions.map(({ id }) => id).toSorted();

async function createPortalLink(
  customer: string,
  {
    flow,
    returnUrl,
    key = merchant.testKey,
  }: { flow?: never | string; returnUrl?: string; key?: string } = {},
) {
  const variables = { customer, flow: (flow ?? null) as null, returnUrl: returnUrl ?? null };
  return (await world.query(key, CREATE_PORTAL_SESSION, variables)).createPortalSession;
}
const enterByLink = async (subscription: Subscription, flow?: string) =>
  new Customer().enter((await createPortalLink(subscription.customerId, { ...(flow && { flow }) })).url);
const enterByWallet = (wallet: KeyPairSigner) => new Customer().signIn(wallet);
/** Enters as a link that was mailed for the merchant and environment of a subscription does. */
async function enterByEmail({ merchantId, environment }: Subscription, email: string): Promise<Customer> {
  const holder = { kind: 'email', merchantId, environment, email } as const;
  const { token } = await openPortal(world.ctx, world.db, holder, { flow: 'ALL', returnUrl: null });
  const customer = new Customer();
  customer.browser.cookies.set('__Host-dues_portal', token);
  return customer;
}

describe('entry to the portal', () => {
  it('a wallet lists its subscriptions with every merchant and in both environments', async () => {
    const customer = await enterByWallet(ada);
    expect(await customer.subscriptionIds()).toEqual(sortedIds(adas, adasOther, adasLive));
    const { session } = await customer.get<SessionAnswer>('session');
    expect(session).toEqual({ flow: 'ALL', returnUrl: null, walletAddress: ada.address, merchant: null });
    const [cookie] = [...customer.browser.cookies.keys()];
    expect(cookie).toBe('__Host-dues_portal');
    const [row] = await world.db.portalSession.findMany({ where: { walletAddress: ada.address } });
    expect(JSON.stringify(row)).not.toContain(customer.browser.cookies.get(cookie ?? ''));
  });

  it('a message opens only the portal, once, in time, for the wallet that signed', async () => {
    const customer = new Customer();
    const fields = await customer.post<{ domain: string; nonce: string }>('wallet/input');
    const signed = await signInWithWallet(ada, { ...fields });
    expect(await graphqlError(customer.browser.query(SIGN_IN, { output: signed }))).toMatchObject({
      code: 'invalid_request',
      param: 'signedMessage',
    });
    const asBob = await customer.ask('wallet', { ...signed, address: bob.address });
    expect(asBob).toMatchObject({ status: 400, body: { error: { param: 'signedMessage' } } });
    // A refused message uses up its nonce too.
    expect(await customer.ask('wallet', signed)).toMatchObject({ status: 400 });
    const { signInInput } = await customer.browser.query(SIGN_IN_INPUT, {});
    const forDashboard = await signInWithWallet(ada, signInInput);
    expect(await customer.ask('wallet', forDashboard)).toMatchObject({ status: 400 });
    const late = await signInWithWallet(ada, {
      ...(await customer.post<{ domain: string }>('wallet/input')),
    });
    await world.travel(301);
    expect(await customer.ask('wallet', late)).toMatchObject({
      status: 400,
      body: { error: { param: 'signedMessage' } },
    });
    expect((await customer.get<SessionAnswer>('session')).session).toBeNull();
  });

  it('a link of the merchant opens the portal once, for one customer', async () => {
    const { url, expiresAt } = await createPortalLink(adas.customerId, {
      returnUrl: 'https://shop.example/account',
    });
    expect(url).toMatch(/^https:\/\/dues\.example\/portal#link=[\w-]{43}$/);
    expect(Date.parse(expiresAt) - world.ctx.clock.now().getTime()).toBe(900_000);
    const visitors = [new Customer(), new Customer()];
    const answers = await Promise.all(
      visitors.map((visitor) => visitor.ask('link', { token: tokenOf(url), confirmed: true })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    const customer = visitors[answers.findIndex(({ status }) => status === 200)] as Customer;
    expect(await customer.subscriptionIds()).toEqual(sortedIds(adas));
    const { session } = await customer.get<SessionAnswer>('session');
    expect(session).toMatchObject({
      returnUrl: 'https://shop.example/account',
      walletAddress: null,
      merchant: { name: 'Acme' },
    });
    const [entry] = await world.db.auditEntry.findMany({ where: { action: 'portal_session.created' } });
    expect(entry).toMatchObject({ actor: 'API_KEY', targetId: adas.customerId, environment: 'TEST' });
    expect(JSON.stringify(entry)).not.toContain(tokenOf(url));
  });

  it('a link asks before it signs a browser in, and until then changes nothing', async () => {
    const { url } = await createPortalLink(adas.customerId);
    const token = tokenOf(url);
    const [stranger, signedIn] = [new Customer(), await enterByLink(bobs)];
    for (const [customer, replacesSession] of [
      [stranger, false],
      [signedIn, true],
    ] as const) {
      expect(await customer.post('link', { token })).toMatchObject({
        question: { email: 'ada@example.com', merchant: { name: 'Acme' }, replacesSession },
      });
    }
    expect((await stranger.get<SessionAnswer>('session')).session).toBeNull();
    expect(await signedIn.subscriptionIds()).toEqual(sortedIds(bobs));
    expect(await signedIn.post('link', { token, confirmed: true })).toEqual({ question: null });
    expect(await signedIn.subscriptionIds()).toEqual(sortedIds(adas));
    expect((await stranger.ask('link', { token, confirmed: true })).status).toBe(401);
    // The customer who is signed in already is asked nothing.
    const next = tokenOf((await createPortalLink(adas.customerId)).url);
    expect(await signedIn.post('link', { token: next })).toEqual({ question: null });
  });

  it('a link expires after 15 minutes', async () => {
    const { url } = await createPortalLink(adas.customerId);
    await world.travel(900);
    const { status, body } = await new Customer().ask('link', { token: tokenOf(url) });
    expect({ status, code: body.error.code }).toEqual({ status: 401, code: 'authentication_error' });
  });

  it('a link is for own customers, and returns only to allowed URLs', async () => {
    for (const key of [other.testKey, merchant.liveKey]) {
      expect(await graphqlError(createPortalLink(adas.customerId, { key }))).toMatchObject({
        code: 'not_found',
        param: 'customer',
      });
    }
    const input = { redirectUrlsAllowed: ['https://shop.example/account'] };
    await world.query(merchant.testKey, UPDATE_SETTINGS, { input });
    for (const returnUrl of ['https://evil.example/account', 'javascript:alert(1)']) {
      expect(await graphqlError(createPortalLink(adas.customerId, { returnUrl }))).toMatchObject({
        code: 'invalid_request',
        param: 'returnUrl',
      });
    }
  });

  it('a link is created over REST for the customer of a subscription', async () => {
    const createLink = (key: string, body: object) => world.request('POST', '/portal/create', { key, body });
    const { status, body } = await createLink(merchant.testKey, {
      subscriptionId: adas.address,
      flow: 'cancel',
    });
    expect({ status, keys: Object.keys(body) }).toEqual({ status: 200, keys: ['url', 'expiresAt'] });
    const customer = await new Customer().enter(body.url);
    expect(await customer.subscriptionIds()).toEqual(sortedIds(adas));
    expect((await customer.get<SessionAnswer>('session')).session?.flow).toBe('CANCEL');
    const entry = await world.db.auditEntry.findFirstOrThrow({
      where: { action: 'portal_session.created' },
      orderBy: { id: 'desc' },
    });
    expect(entry).toMatchObject({
      actor: 'API_KEY',
      targetId: adas.customerId,
      changes: { flow: { to: 'CANCEL' } },
    });
    const errorOf = async (key: string, sent: object) => {
      const { status: code, body: answer } = await createLink(key, sent);
      return `${code} ${answer.error.param}`;
    };
    for (const key of [other.testKey, merchant.liveKey]) {
      expect(await errorOf(key, { subscriptionId: bobs.address })).toBe('404 subscriptionId');
    }
    expect(await errorOf(merchant.testKey, { subscriptionId: '\0' })).toBe('404 subscriptionId');
    expect(await errorOf(merchant.testKey, { subscriptionId: adas.address, flow: 'ALL' })).toBe('400 flow');
    expect(
      await errorOf(merchant.testKey, { subscriptionId: adas.address, returnUrl: 'javascript:alert(1)' }),
    ).toBe('400 returnUrl');
    const readOnlyKey = await createApiKey(world.ctx, merchant.scope, { name: 'reading', scopes: ['READ'] });
    expect((await createLink(readOnlyKey.apiKey, { subscriptionId: adas.address })).status).toBe(401);
  });

  it('the earlier session of a browser ends when the browser enters again', async () => {
    const customer = await enterByWallet(ada);
    const copy = new Customer(customer.browser.copyWith({}));
    await customer.enter((await createPortalLink(bobs.customerId)).url);
    expect(await customer.subscriptionIds()).toEqual(sortedIds(bobs));
    expect((await copy.ask('subscriptions')).status).toBe(401);
  });

  it('a portal session ends when the customer signs out, and after an hour without use', async () => {
    const customer = await enterByWallet(ada);
    const copy = new Customer(customer.browser.copyWith({}));
    await customer.post('sign-out');
    expect(customer.browser.cookies.size).toBe(0);
    expect((await copy.ask('subscriptions')).status).toBe(401);
    const idle = await enterByWallet(ada);
    await world.travel(3_599);
    expect((await idle.ask('subscriptions')).status).toBe(200);
    await world.travel(3_600);
    expect((await idle.ask('subscriptions')).status).toBe(401);
  });

  it('a portal session ends after twelve hours, even if it is used', async () => {
    const customer = await enterByWallet(ada);
    for (const seconds of [...Array<number>(14).fill(3_000), 1_199]) {
      await world.travel(seconds);
      expect((await customer.ask('subscriptions')).status).toBe(200);
    }
    await world.travel(1);
    expect((await customer.ask('subscriptions')).status).toBe(401);
  });
});

describe('by email', () => {
  let api: Api;
  const mail: MailConfig = {
    smtpUrl: 'smtp://127.0.0.1:1',
    from: { name: 'dues', address: 'dues@dues.example' },
    operator: null,
    perMerchantADay: 100,
    perNewMerchantADay: 100,
    perRecipientADay: 100,
  };
  beforeAll(async () => {
    Object.assign(world.ctx.config, { mail });
    api = await startApi({ ...world.ctx, config: { ...world.ctx.config, trustedProxies: ['127.0.0.1'] } });
  });
  afterAll(async () => {
    await api.close();
  });
  const customerAt = (forwarded: string) => new Customer(new Browser({ api }, { forwarded }));
  const requestLink = (customer: Customer, email: string) => customer.ask('email', { email });
  const readMails = () =>
    world.db.mail.findMany({ where: { template: 'PORTAL_LINK' }, orderBy: { createdAt: 'asc' } });
  const waitForMails = async (count: number) => {
    await vi.waitUntil(async () => (await readMails()).length >= count, SOON);
    return readMails();
  };
  const urlIn = (content: unknown) =>
    decryptSecret(world.ctx.config.secretKey, Buffer.from((content as { link: string }).link, 'base64'));

  it('a link is mailed for each merchant and environment, and opens only that', async () => {
    const { hasEmail } = await customerAt('203.0.113.1').get<SessionAnswer>('session');
    expect(hasEmail).toBe(true);
    const [asking, another] = [customerAt('203.0.113.1'), customerAt('203.0.113.1')];
    const known = await requestLink(asking, 'ADA@example.com');
    const unknown = await requestLink(another, 'nobody@example.com');
    const visibleParts = ({ status, body, headers }: Awaited<ReturnType<typeof requestLink>>) => ({
      status,
      body,
      names: [...headers.keys()].toSorted(),
    });
    expect(visibleParts(known)).toEqual(visibleParts(unknown));
    const rows = await waitForMails(3);
    expect(rows.map(({ recipient }) => recipient)).toEqual(Array(3).fill('ada@example.com'));
    // The browser that asked enters without a question, and no other browser does.
    const token = tokenOf(urlIn(rows[0]?.content));
    expect(await another.post('link', { token })).toMatchObject({ question: { email: 'ada@example.com' } });
    expect(await asking.post('link', { token })).toEqual({ question: null });
    expect([...asking.browser.cookies.keys()]).toEqual(['__Host-dues_portal']);
    const listed = await Promise.all(
      rows
        .slice(1)
        .map(async ({ content }) => (await new Customer().enter(urlIn(content))).subscriptionIds()),
    );
    listed.push(await asking.subscriptionIds());
    expect(listed.map(String).toSorted()).toEqual([adas, adasOther, adasLive].map(({ id }) => id).toSorted());
    const [first] = rows;
    const again = await new Customer().ask('link', { token: tokenOf(urlIn(first?.content)) });
    expect(again.status).toBe(401);
  });

  it('a link is mailed without waiting for the other merchants of the address', async () => {
    const { length } = await readMails();
    const { merchantId } = other.scope;
    await world.db.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT FROM "MailSettings" WHERE "merchantId" = ${merchantId}::uuid FOR UPDATE`;
      await requestLink(customerAt('203.0.113.2'), 'ada@example.com');
      await waitForMails(length + 1);
    });
    await waitForMails(length + 3);
  });

  it('a link is mailed even if the link of another merchant cannot be', async () => {
    const { length } = await readMails();
    await world.db.$executeRawUnsafe(`
      CREATE FUNCTION refuse_mail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`);
    await world.db.$executeRawUnsafe(`
      CREATE TRIGGER refuse_mail BEFORE INSERT ON "Mail" FOR EACH ROW
      WHEN (NEW."merchantId" = '${other.scope.merchantId}') EXECUTE FUNCTION refuse_mail()`);
    await requestPortalLinks(world.ctx, 'ada@example.com').finally(() =>
      world.db.$executeRawUnsafe('DROP FUNCTION refuse_mail CASCADE'),
    );
    expect(await readMails()).toHaveLength(length + 2);
  });

  it('a browser that asked for a link enters without a question for a while', async () => {
    const email = 'ada@example.com';
    const request = linkRequestOf(world.ctx, email);
    const open = async () => {
      await requestPortalLinks(world.ctx, email);
      const token = tokenOf(urlIn((await readMails()).at(-1)?.content));
      return signInByLink(world.ctx, token, { caller: undefined, request, isConfirmed: false });
    };
    await world.travel(LINK_MINUTES * 60 - 1);
    expect(await open()).toMatchObject({ token: expect.any(String) });
    await world.travel(LINK_MINUTES * 60 + 1);
    expect(await open()).toMatchObject({ email });
  });

  it('a caller may request ten links per hour, and an address gets three mails', async () => {
    const before = (await readMails()).length;
    for (let time = 1; time <= 7; time += 1) {
      expect((await requestLink(customerAt(`203.0.113.${10 + time}`), 'bob@example.com')).status).toBe(200);
    }
    await waitForMails(before + 3);
    const stranger = customerAt('203.0.113.30');
    for (let time = 1; time <= 10; time += 1) {
      expect((await requestLink(stranger, `nobody-${time}@example.com`)).status).toBe(200);
    }
    expect((await requestLink(stranger, 'bob@example.com')).status).toBe(429);
    expect((await readMails()).length).toBe(before + 3);
  });

  it('customers in TEST, which anyone can create, do not displace those in LIVE', async () => {
    const email = 'dan@example.com';
    const sellers = [
      merchant,
      ...(await Promise.all(Array.from({ length: 6 }, () => world.newKeyedMerchant()))),
    ];
    const createdAt = (minute: number) => new Date(world.ctx.clock.now().getTime() + minute * 60_000);
    await world.db.customer.createMany({
      data: sellers.map(({ merchant: { id: merchantId } }, index) => ({
        merchantId,
        environment: index === 0 ? ('LIVE' as const) : ('TEST' as const),
        email,
        walletAddress: `wallet ${index}`,
        createdAt: createdAt(index),
      })),
    });
    // The route does not wait for the mails, so this calls its function.
    await requestPortalLinks(world.ctx, email);
    const rows = await world.db.mail.findMany({ where: { recipient: email } });
    expect(rows).toHaveLength(MAX_MAILS);
    expect(rows.map(({ environment }) => environment)).toContain('LIVE');
  });

  it('a link is refused for a malformed address', async () => {
    const { status, body } = await requestLink(customerAt('203.0.113.40'), 'ada');
    expect({ status, param: body.error.param }).toEqual({ status: 400, param: 'email' });
  });
});

describe('isolation', () => {
  it('no route returns what belongs to another customer, merchant or environment', async () => {
    const sessions: [name: string, session: Customer, own: Subscription[]][] = [
      ['Ada by wallet', await enterByWallet(ada), [adas, adasOther, adasLive]],
      ['Bob by wallet', await enterByWallet(bob), [bobs]],
      ['a stranger', await enterByWallet(await world.newWallet()), []],
      ['Ada by link', await enterByLink(adas), [adas]],
      ['Bob by link', await enterByLink(bobs), [bobs]],
      ['Ada by email', await enterByEmail(adas, 'ada@example.com'), [adas]],
      ['Ada by email in LIVE', await enterByEmail(adasLive, 'ada@example.com'), [adasLive]],
      ['Ada by email of another merchant', await enterByEmail(adasOther, 'ada@example.com'), [adasOther]],
    ];
    const before = await world.db.subscription.findMany({ orderBy: { id: 'asc' } });
    for (const [, session, own] of sessions)
      expect(await session.subscriptionIds()).toEqual(sortedIds(...own));
    const walked = sessions.map(([name, session, own]) => ({
      name,
      own,
      ask: (path: string, body?: object) => session.ask(path, body),
    }));
    expect(await walkPortal(walked, [adas, adasOther, adasLive, bobs])).toEqual([]);
    expect(await world.db.subscription.findMany({ orderBy: { id: 'asc' } })).toEqual(before);
  });

  it('the test above requests every route with an id', () => {
    const router = new OpenAPIHono<ApiEnv>();
    routePortal(router, { app: world.ctx } as GraphqlServer);
    const routes = router.routes.filter(({ path }) => path.includes(':'));
    const walked = requestsFor(':id').map(
      ([path, body]) => `${body ? 'POST' : 'GET'} /api/portal/${path.replace(/\?.*/, '')}`,
    );
    const all = routes.map(({ method, path }) => `${method} ${path}`);
    expect(all.filter((route) => !walked.includes(route))).toEqual([]);
  });

  it('a key, a member and a page of another site are refused without a portal session', async () => {
    const customer = await enterByWallet(ada);
    const member = new Browser(world);
    await member.signIn(merchant.wallet);
    const strangers = [
      new Customer(),
      new Customer(member),
      new Customer(customer.browser.copyWith({ origin: 'https://evil.example' })),
      new Customer(customer.browser.copyWith({ origin: 'null' })),
    ];
    for (const stranger of strangers) {
      for (const [path, body] of [...requestsFor(adas.id), ['subscriptions'] as [string]]) {
        expect({ path, status: (await stranger.ask(path, body)).status }).toEqual({ path, status: 401 });
      }
    }
    const byKey = await world.request('GET', '/api/portal/subscriptions', { key: merchant.testKey });
    expect(byKey.status).toBe(401);
    // A form sends no JSON.
    const form = await customer.browser.fetch(`/api/portal/subscriptions/${adas.id}/cancel`, {
      method: 'POST',
      body: new URLSearchParams({ reason: 'other' }),
    });
    expect(form.status).toBe(400);
  });

  it('a portal session gives no access to the API and exports of merchants', async () => {
    const { browser } = await enterByWallet(merchant.wallet);
    const [value] = browser.cookies.values();
    browser.cookies.set('__Host-dues_session', value ?? '');
    const variables = { subscription: adas.address, when: 'NOW' as const };
    expect(await graphqlError(browser.query(CANCEL, variables))).toMatchObject({
      code: 'authentication_error',
    });
    expect((await browser.fetch('/api/exports/customers.csv')).status).toBe(401);
  });

  it('a link with a flow allows no actions outside the flow', async () => {
    const customer = await enterByLink(adas, 'TOP_UP');
    expect((await customer.subscription(adas.id)).actions).toEqual(['top_up']);
    for (const [path, body] of [
      [`subscriptions/${adas.id}/cancel`, {}],
      [`subscriptions/${adas.id}/undo`, {}],
      [`subscriptions/${adas.id}/pause`, { periods: 1 }],
      [`subscriptions/${adas.id}/unpause`, { chargeNow: false }],
      [`subscriptions/${adas.id}/transaction`, { action: 'resume' }],
    ] as const) {
      const { status, body: answer } = await customer.ask(path, body);
      expect({ path, status, param: answer.error?.param }).toEqual({ path, status: 400, param: 'action' });
    }
  });
});

describe('a subscription in the portal', () => {
  let wallet: KeyPairSigner;
  let subscription: Subscription;
  let customer: Customer;
  beforeEach(async () => {
    wallet = await world.newWallet(4n * PRICE + 1n);
    const { id } = await world.subscribe(merchant, plan, wallet);
    // The state after the first payment.
    const nextPaymentAt = new Date(world.ctx.clock.now().getTime() + DAY * 1_000);
    const data = { nextPaymentAt, nextAttemptAt: nextPaymentAt, paymentCount: 1 };
    subscription = await world.db.subscription.update({ where: { id }, data });
    customer = await enterByWallet(wallet);
  });
  const readSubscription = () => customer.subscription(subscription.id);
  const readListed = async () => (await customer.get<SubscriptionsAnswer>('subscriptions')).subscriptions[0];
  const sign = async (action: string) => {
    const path = `subscriptions/${subscription.id}/transaction`;
    const { transaction } = await customer.post<TransactionAnswer>(path, { action });
    return world.sign(wallet, transaction);
  };
  const mirror = () => world.mirror(subscription.address);
  /** Advances the clock until the state of the wallet is read again. */
  const refreshWallet = () => world.travel(4);

  it('shows the next payment, the balance and approval of the wallet, and the payments', async () => {
    const due = subscription.nextPaymentAt.getTime();
    expect(await readSubscription()).toMatchObject({
      environment: 'TEST',
      status: 'ACTIVE',
      merchant: { name: 'Acme' },
      plan: {
        name: 'Pro',
        amount: String(PRICE),
        intervalSeconds: DAY,
        asset: { symbol: 'USDC', decimals: 6 },
      },
      nextPaymentAt: subscription.nextPaymentAt.toISOString(),
      accessUntil: null,
      walletAddress: wallet.address,
      authority: await world.delegateOf(wallet, plan),
      wallet: {
        balance: String(4n * PRICE + 1n),
        approval: 'OK',
        runwayPeriods: 4,
        runwayUntil: new Date(due + 4 * DAY * 1_000).toISOString(),
      },
      actions: ['top_up', 'cancel'],
    });
    await world.db.payment.createMany({
      data: Array.from({ length: 25 }, (_, index) => ({
        merchantId: merchant.merchant.id,
        environment: 'TEST' as const,
        subscriptionId: subscription.id,
        periodStart: BigInt(index),
        dueAt: new Date(due),
        amount: PRICE,
        status: 'MISSED' as const,
        createdAt: new Date(due + index * 1_000),
      })),
    });
    const path = `subscriptions/${subscription.id}/payments`;
    const first = await customer.get<PaymentsAnswer>(path);
    const next = await customer.get<PaymentsAnswer>(`${path}?before=${first.payments.at(-1)?.id}`);
    const all = await world.db.payment.count({ where: { subscriptionId: subscription.id } });
    expect([first.payments.length, first.hasMore, next.hasMore]).toEqual([20, true, false]);
    expect(new Set([...first.payments, ...next.payments].map(({ id }) => id)).size).toBe(all);

    const [{ id: paymentId } = { id: '' }] = next.payments;
    const at = new Date(due);
    const times = { createdAt: at, requestedAt: at, expiresAt: at };
    const transfer = { signature: 'final', transferIndex: 0, slot: 1n, refundedAt: at };
    const refund = { ...merchant.scope, paymentId, amount: 2n, ...times };
    await world.db.refund.createMany({
      data: [
        { ...refund, ...transfer, reference: 'final', status: 'SUCCEEDED' },
        { ...refund, reference: 'open', status: 'PENDING' },
      ],
    });
    const refunded = await customer.get<PaymentsAnswer>(`${path}?before=${first.payments.at(-1)?.id}`);
    expect(refunded.payments[0]).toMatchObject({ id: paymentId, refundedAmount: '2' });
    expect(first.payments[0]).toMatchObject({ refundedAmount: '0' });
  });

  it('is cancelled without a signature, and the merchant receives the reason', async () => {
    const feedback = { reason: 'too_expensive', comment: '  Half would do. ' };
    const cancelled = await customer.post<SubscriptionDetailAnswer>(
      `subscriptions/${subscription.id}/cancel`,
      feedback,
    );
    expect(cancelled).toMatchObject({
      status: 'ACTIVE',
      nextPaymentAt: null,
      accessUntil: subscription.nextPaymentAt.toISOString(),
      actions: ['undo', 'cancel_on_chain'],
    });
    const [entry] = await world.db.auditEntry.findMany({ where: { targetId: subscription.id } });
    expect(entry).toMatchObject({
      action: 'subscription.cancelled',
      actor: 'CUSTOMER',
      actorId: subscription.customerId,
      actorName: wallet.address,
      changes: { reason: { to: 'too_expensive' } },
    });
    const variables = { subscription: subscription.address };
    expect(await graphqlError(world.query(merchant.testKey, UNDO_CANCELLATION, variables))).toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('customer'),
    });
    await world.travel((subscription.nextPaymentAt.getTime() - world.ctx.clock.now().getTime()) / 1_000 + 1);
    await endPeriod(world.ctx, subscription.id);
    expect(await world.historyOf(subscription.id)).toEqual(['subscribed', 'cancelled_by_customer']);
    const event = await world.db.event.findFirstOrThrow({
      where: { subscriptionId: subscription.id, type: 'subscription.cancelled' },
    });
    expect(event.data).toMatchObject({
      cancellationReason: 'too_expensive',
      cancellationComment: 'Half would do.',
    });
  });

  it('is paused where the plan allows it, for as long as it allows', async () => {
    const path = `subscriptions/${subscription.id}`;
    expect(await customer.ask(`${path}/pause`, { periods: 1 })).toMatchObject({
      status: 400,
      body: { error: { param: 'subscription' } },
    });
    const allow = (maxPausedPeriods: number) =>
      world.db.plan.update({ where: { id: plan.id }, data: { maxPausedPeriods } });
    await allow(2);
    onTestFinished(async () => {
      await allow(0);
    });
    expect((await readSubscription()).actions).toContain('pause');
    expect(await customer.ask(`${path}/pause`, { periods: 3 })).toMatchObject({
      status: 400,
      body: { error: { param: 'periods', message: expect.stringContaining('periods is 3') } },
    });
    const paused = await customer.post<SubscriptionDetailAnswer>(`${path}/pause`, { periods: 2 });
    expect(paused).toMatchObject({ status: 'ACTIVE', pause: { keepsAccess: false }, maxPausedPeriods: 2 });
    expect(paused.nextPaymentAt).toBe(paused.pause?.until);
    expect(paused.actions).toEqual(expect.arrayContaining(['unpause', 'cancel']));
    expect(paused.actions).not.toContain('pause');
    const [entry] = await world.db.auditEntry.findMany({ where: { targetId: subscription.id } });
    expect(entry).toMatchObject({ action: 'subscription.paused', actor: 'CUSTOMER' });
    const resumed = await customer.post<SubscriptionDetailAnswer>(`${path}/unpause`, { chargeNow: false });
    expect(resumed).toMatchObject({ pause: null });
    const pause = { subscription: subscription.id, periods: 1, keepsAccess: false };
    await pauseSubscription(world.ctx, merchant.scope, pause);
    expect((await readSubscription()).actions).not.toContain('unpause');
    expect(await customer.ask(`${path}/unpause`, { chargeNow: false })).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('The merchant paused') } },
    });
  });

  it.each(['server-error', 'timeout'] as const)(
    'is shown without its wallet and can be cancelled while no node answers (%s)',
    async (fault) => {
      const setFault = (times: number) => world.network.faults.set({ methods: { '*': { fault, times } } });
      setFault(1_000);
      onTestFinished(() => setFault(0));
      expect(await readSubscription()).toMatchObject({ status: 'ACTIVE', wallet: null });
      expect(await readListed()).toMatchObject({ status: 'ACTIVE', wallet: null });
      expect(await customer.post(`subscriptions/${subscription.id}/cancel`)).toMatchObject({
        wallet: null,
        accessUntil: subscription.nextPaymentAt.toISOString(),
      });
    },
  );

  it('can be resumed only by the side that cancelled it', async () => {
    const path = `subscriptions/${subscription.id}`;
    await customer.post(`${path}/cancel`);
    const kept = await customer.post<SubscriptionDetailAnswer>(`${path}/undo`);
    expect(kept).toMatchObject({ nextPaymentAt: subscription.nextPaymentAt.toISOString() });
    expect(kept.actions).toContain('cancel');
    const variables = { subscription: subscription.address, when: 'PERIOD_END' as const };
    await world.query(merchant.testKey, CANCEL, variables);
    expect((await readSubscription()).actions).not.toContain('undo');
    const { status, body } = await customer.ask(`${path}/undo`, {});
    expect({ status, param: body.error.param }).toEqual({ status: 400, param: 'subscription' });
    await world.query(merchant.testKey, UNDO_CANCELLATION, { subscription: subscription.address });
    expect((await readSubscription()).nextPaymentAt).not.toBeNull();
    const wrong = await customer.ask(`${path}/cancel`, { reason: 'none of these' });
    expect(wrong).toMatchObject({ status: 400, body: { error: { param: 'reason' } } });
    const tooLong = await customer.ask(`${path}/cancel`, { comment: 'x'.repeat(1_001) });
    expect(tooLong).toMatchObject({ status: 400, body: { error: { param: 'comment' } } });
    expect((await readSubscription()).actions).toContain('cancel');
  });

  it('can be changed 30 times per hour, and can be cancelled at any time', async () => {
    const path = `subscriptions/${subscription.id}`;
    const change = (taxId: string) => customer.ask(`${path}/billing`, { taxId });
    for (let time = 1; time < 30; time += 1) expect((await change(`DE ${time}`)).status).toBe(200);
    await customer.post(`${path}/cancel`);
    await customer.post(`${path}/undo`);
    expect((await change('DE 30')).status).toBe(429);
    await customer.post(`${path}/cancel`);
    expect((await customer.ask(`${path}/undo`, {})).status).toBe(429);
    const actorId = subscription.customerId;
    expect(await world.db.auditEntry.count({ where: { actor: 'CUSTOMER', actorId } })).toBe(32);
  });

  it('has its approval repaired by a signature of the wallet', async () => {
    await world.revoke(wallet, plan);
    await refreshWallet();
    expect(await readSubscription()).toMatchObject({
      wallet: { approval: 'REVOKED' },
      actions: ['repair_approval', 'top_up', 'cancel'],
    });
    expect(await readListed()).toMatchObject({ wallet: { approval: 'REVOKED' } });
    await sign('repair_approval');
    await refreshWallet();
    expect(await readSubscription()).toMatchObject({
      wallet: { approval: 'OK' },
      actions: ['top_up', 'cancel'],
    });
  });

  it('is cancelled and resumed on chain, and returns its rent after its end', async () => {
    await customer.post(`subscriptions/${subscription.id}/cancel`);
    await sign('cancel');
    await mirror();
    await refreshWallet();
    expect(await readSubscription()).toMatchObject({ status: 'CANCELLED', actions: ['undo', 'resume'] });
    await customer.post(`subscriptions/${subscription.id}/undo`);
    await sign('resume');
    await mirror();
    await refreshWallet();
    expect(await readSubscription()).toMatchObject({ status: 'ACTIVE', actions: ['top_up', 'cancel'] });
    await sign('cancel');
    await mirror();
    const early = await customer.ask(`subscriptions/${subscription.id}/transaction`, { action: 'close' });
    expect(early).toMatchObject({ status: 400, body: { error: { param: 'action' } } });
    await world.travel(2 * DAY);
    customer = await enterByWallet(wallet);
    expect(await readSubscription()).toMatchObject({ status: 'CANCELLED', actions: ['close'] });
    const { value: before } = await world.chain.rpc.getBalance(wallet.address).send();
    await sign('close');
    const { value: after } = await world.chain.rpc.getBalance(wallet.address).send();
    expect(after).toBeGreaterThan(before);
    await mirror();
    const { status } = await customer.ask(`subscriptions/${subscription.id}/transaction`, {
      action: 'close',
    });
    expect(status).toBe(400);
    expect((await readSubscription()).actions).toEqual([]);
  });

  it('offers to subscribe again by the newest link, or at the merchant', async () => {
    const offer = async () => (await readSubscription()).subscribeAgain;
    const allowRedirects = (...redirectUrlsAllowed: string[]) =>
      world.query(merchant.testKey, UPDATE_SETTINGS, { input: { redirectUrlsAllowed } });
    await allowRedirects();
    onTestFinished(async () => void (await allowRedirects()));
    const end = (accessUntil: Date) =>
      world.db.subscription.update({
        where: { id: subscription.id },
        data: { status: 'CANCELLED', nextAttemptAt: null, accessUntil, cancelledAt: accessUntil },
      });
    expect(await offer()).toBeNull();
    await end(world.ctx.clock.now());
    // The checkout named no URL.
    expect(await offer()).toBeNull();
    await world.db.checkoutSession.updateMany({
      where: { subscriptionId: subscription.id },
      data: { successUrl: 'https://shop.example/thanks?of=ada' },
    });
    expect(await offer()).toEqual({ url: 'https://shop.example/', isSamePlan: false });
    await world.db.checkoutSession.updateMany({
      where: { subscriptionId: subscription.id },
      data: { cancelUrl: 'https://shop.example/plans#pro' },
    });
    expect(await offer()).toEqual({ url: 'https://shop.example/', isSamePlan: false });
    const { url } = await createPortalLink(subscription.customerId, { returnUrl: 'https://shop.example/me' });
    const linked = await new Customer().enter(url);
    const { subscribeAgain } = await linked.subscription(subscription.id);
    expect(subscribeAgain).toEqual({ url: 'https://shop.example/me', isSamePlan: false });

    const input = { planId: plan.planId };
    const older = await createLink(world.ctx, merchant.scope, input);
    await world.travel(1);
    const newer = await createLink(world.ctx, merchant.scope, input);
    const byLink = (id: string) => ({ url: `/pay/${id}?email=ada%40example.com`, isSamePlan: true });
    expect(await offer()).toEqual(byLink(newer.id));
    await updateLink(world.ctx, merchant.scope, newer.id, { active: false });
    expect(await offer()).toEqual(byLink(older.id));
    // A session for one task offers nothing else.
    const cancelling = await enterByLink(subscription, 'CANCEL');
    expect(await cancelling.subscription(subscription.id)).toMatchObject({ subscribeAgain: null });
    await world.db.plan.update({ where: { id: plan.id }, data: { status: 'INACTIVE' } });
    onTestFinished(
      async () => void (await world.db.plan.update({ where: { id: plan.id }, data: { status: 'ACTIVE' } })),
    );
    expect(await offer()).toEqual({ url: 'https://shop.example/', isSamePlan: false });
    await allowRedirects('https://other.example');
    expect(await offer()).toBeNull();
  });

  it('offers no second subscription to a wallet that can continue or has one', async () => {
    const link = await createLink(world.ctx, merchant.scope, { planId: plan.planId });
    await sign('cancel');
    await mirror();
    await refreshWallet();
    expect(await readSubscription()).toMatchObject({ actions: ['resume'], subscribeAgain: null });
    await world.travel(2 * DAY);
    customer = await enterByWallet(wallet);
    const { subscribeAgain } = await readSubscription();
    expect(subscribeAgain?.url).toContain(link.id);
    await sign('close');
    await mirror();
    await world.subscribe(merchant, plan, wallet);
    expect(await readSubscription()).toMatchObject({ status: 'CANCELLED', subscribeAgain: null });
  });

  // The last test: the caller remains over its limit.
  it('is listed and shown without its wallet to a caller with too many reads', async () => {
    await world.travel(6);
    const limits = await createRateLimits(world.ctx);
    const path = `subscriptions/${subscription.id}`;
    // Earlier reads leave the window meanwhile, on a slow machine also between these calls.
    do {
      const { remaining } = await limits.take(WALLET_READS, '127.0.0.1', 1);
      await limits.take(WALLET_READS, '127.0.0.1', remaining);
    } while ((await customer.ask(path)).status !== 429);
    await limits.close();
    expect(await readListed()).toMatchObject({ status: 'ACTIVE', wallet: null });
    const answer = await customer.ask(`${path}/cancel`, {});
    expect(answer.status).toBe(200);
    expect(answer.headers.get('retry-after')).toBeNull();
    expect(answer.body).toMatchObject({ wallet: null, nextPaymentAt: null });
  });
});
