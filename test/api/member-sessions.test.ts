import { expect, it } from 'vitest';
import { inviteMember } from '../../src/domain/accounts/member/invite-member.ts';
import type { TestMerchant } from '../domain/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { Browser } from './browser.ts';
import {
  AUDIT_RANGE,
  END_MEMBER_SESSION,
  MEMBER_NAMES,
  RENAME_MEMBER,
  SESSIONS,
  UPDATE_PROFILE,
  VIEWER,
} from './team-documents.ts';
import { graphqlError, startApiWorld } from './world.ts';

const world = await sharedByFile(startApiWorld());

async function signIn(
  { wallet }: Pick<TestMerchant, 'wallet'>,
  userAgent = 'Test Browser',
): Promise<Browser> {
  const browser = new Browser(world, { userAgent });
  await browser.signIn(wallet);
  return browser;
}

const sessionsOf = async (browser: Browser) => (await browser.query(SESSIONS, {})).viewer?.sessions ?? [];

it('a member lists the open sessions of the wallet, and ends one of them', async () => {
  const merchant = await world.newMerchant();
  const phone = await signIn(merchant, 'Phone');
  await world.travel(60);
  const laptop = await signIn(merchant, 'Laptop');
  const sessions = await sessionsOf(laptop);
  expect(sessions).toMatchObject([
    { userAgent: 'Laptop', isCurrent: true, ipAddress: '127.0.0.1', merchant: { companyName: 'Acme' } },
    { userAgent: 'Phone', isCurrent: false },
  ]);

  const closes: { code: number }[] = [];
  const socket = world.socket(undefined, closes, phone.headers);
  await socket.iterate({ query: '{ environment }' }).next();
  const onPhone = sessions[1]?.id ?? '';
  expect(await laptop.query(END_MEMBER_SESSION, { id: onPhone })).toEqual({ endMemberSession: true });
  expect((await phone.query(VIEWER, {})).viewer).toBeNull();
  expect(await sessionsOf(laptop)).toHaveLength(1);
  const entries = await world.db.auditEntry.findMany({
    where: { merchantId: merchant.merchant.id, action: 'member.signed_out' },
  });
  expect(entries).toMatchObject([{ targetId: merchant.wallet.address, actor: 'MEMBER' }]);

  expect(await graphqlError(laptop.query(END_MEMBER_SESSION, { id: onPhone }))).toMatchObject({
    code: 'not_found',
    param: 'id',
  });
  expect(await laptop.query(END_MEMBER_SESSION, { id: sessions[0]?.id ?? '' })).toEqual({
    endMemberSession: true,
  });
  expect(laptop.cookies.size).toBe(0);
});

it('refuses to end the session of another wallet, and lists no ended sessions', async () => {
  const [mine, other] = [await world.newMerchant(), await world.newMerchant()];
  const [browser, otherBrowser] = [await signIn(mine), await signIn(other)];
  const [session] = await sessionsOf(otherBrowser);
  for (const id of [session?.id ?? '', 'no id']) {
    expect(await graphqlError(browser.query(END_MEMBER_SESSION, { id }))).toMatchObject({
      code: 'not_found',
    });
  }
  expect(await sessionsOf(otherBrowser)).toHaveLength(1);
  await world.travel(13 * 3_600);
  expect(await sessionsOf(await signIn(mine))).toHaveLength(1);
  const { testKey } = await world.newKeyedMerchant();
  expect(
    await graphqlError(world.query(testKey, END_MEMBER_SESSION, { id: session?.id ?? '' })),
  ).toMatchObject({
    code: 'authentication_error',
  });
});

it('members change their own name, and an owner changes any name', async () => {
  const merchant = await world.newMerchant();
  const wallet = await world.newWallet();
  const scope = { merchantId: merchant.merchant.id };
  const reader = await inviteMember(world.ctx, scope, { walletAddress: wallet.address, role: 'READ_ONLY' });
  const [owner, browser] = [await signIn(merchant), await signIn({ wallet })];
  const { id } = reader;
  expect((await browser.query(RENAME_MEMBER, { id, name: 'Ada' })).renameMember).toEqual({ id, name: 'Ada' });
  expect((await owner.query(RENAME_MEMBER, { id, name: 'Ada L.' })).renameMember.name).toBe('Ada L.');
  const { members } = await browser.query(MEMBER_NAMES, {});
  expect(members.edges.map(({ node }) => node.name).toSorted()).toEqual(['Ada L.', null]);
  expect((await browser.query(RENAME_MEMBER, { id, name: null })).renameMember.name).toBeNull();

  const first = members.edges.find(({ node }) => node.name === null)?.node.id ?? '';
  expect(await graphqlError(browser.query(RENAME_MEMBER, { id: first, name: 'X' }))).toMatchObject({
    code: 'authentication_error',
  });
  for (const name of ['', 'x'.repeat(101)]) {
    expect(await graphqlError(browser.query(RENAME_MEMBER, { id, name }))).toMatchObject({
      code: 'invalid_request',
      param: 'name',
    });
  }
  const stranger = await signIn(await world.newMerchant());
  expect(await graphqlError(stranger.query(RENAME_MEMBER, { id, name: 'X' }))).toMatchObject({
    code: 'not_found',
    param: 'id',
  });
});

it('the audit log is read for a range of time', async () => {
  const merchant = await world.newMerchant();
  const browser = await signIn(merchant);
  const from = new Date(world.ctx.clock.now().getTime() + 30_000).toISOString();
  await world.travel(60);
  await browser.query(UPDATE_PROFILE, { input: { companyName: 'Renamed' } });
  const to = new Date(world.ctx.clock.now().getTime() + 30_000).toISOString();
  await world.travel(60);
  await browser.query(UPDATE_PROFILE, { input: { companyName: 'Again' } });
  const actions = async (range: { from?: string; to?: string }) =>
    (await browser.query(AUDIT_RANGE, range)).auditLog.edges.map(({ node }) => node.action);
  expect(await actions({ from, to })).toEqual(['merchant.updated']);
  expect(await actions({ from })).toEqual(['merchant.updated', 'merchant.updated']);
  expect(await actions({ to: from })).toEqual(['member.signed_in', 'merchant.created']);
  expect(await graphqlError(browser.query(AUDIT_RANGE, { from: to, to: from }))).toMatchObject({
    code: 'invalid_request',
    param: 'to',
  });
});

it('only members can name the environment in the link of an export', async () => {
  const merchant = await world.newKeyedMerchant();
  const browser = await signIn(merchant);
  const customer = { email: 'ada@example.com', walletAddress: 'wallet' };
  for (const environment of ['TEST', 'LIVE'] as const) {
    const { id: merchantId } = merchant.merchant;
    await world.db.customer.create({
      data: { merchantId, environment, ...customer, email: `${environment}@example.com` },
    });
  }
  // When a link is opened, the browser sends the cookie, but no origin and no x-dues-environment.
  const getExport = async (query: string, headers = browser.copyWith({ origin: undefined }).headers) =>
    world.request('GET', `/api/exports/customers.csv${query}`, { headers });
  expect((await getExport('')).body).toContain('TEST@');
  expect((await getExport('?environment=test')).body).toContain('TEST@');
  const live = (await getExport('?environment=live&search=live')).body;
  expect(live).toContain('LIVE@');
  expect(live).not.toContain('TEST@');
  expect(await getExport('?environment=LIVE')).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid_request', param: 'environment' } },
  });
  expect(await getExport('?environment=live', { authorization: `Bearer ${merchant.testKey}` })).toMatchObject(
    {
      status: 400,
      body: { error: { code: 'invalid_request', param: 'environment' } },
    },
  );
  expect(await getExport('?environment=live', {})).toMatchObject({ status: 401 });
  // Only exports read the environment from the query. Other requests name it in a header.
  const { body } = await world.request('GET', '/api/subscriptions?environment=live', {
    headers: browser.headers,
  });
  expect(body).toMatchObject({ error: { code: 'invalid_request' } });
});
