import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { changeMemberRole } from '../../src/domain/accounts/member/change-member-role.ts';
import { inviteMember } from '../../src/domain/accounts/member/invite-member.ts';
import type { MemberRole } from '../../src/generated/prisma/client.ts';
import { createPng } from '../support/png.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { Browser } from './browser.ts';
import { CREATE_API_KEY, CREATE_ENDPOINT, ME, PUBLIC_CHECKOUT_SESSION, SUBSCRIPTIONS } from './documents.ts';
import {
  AUDIT_LOG,
  CHANGE_MEMBER_ROLE,
  INVITE_MEMBER,
  MEMBERS,
  REMOVE_MEMBER,
  UPDATE_PROFILE,
  UPLOAD_LOGO,
  VIEWER,
} from './team-documents.ts';
import { graphqlError, type KeyedMerchant, startApiWorld } from './world.ts';

const REFUSED = { code: 'authentication_error' };
const invalid = (param: string) => ({ code: 'invalid_request', param });
const NOT_FOUND = { code: 'not_found', param: 'id' };

let merchant: KeyedMerchant;
let owner: Browser;
const world = await sharedByFile(startApiWorld());
beforeEach(async () => {
  merchant = await world.newKeyedMerchant();
  owner = new Browser(world);
  await owner.signIn(merchant.wallet);
});

const readTeam = async (browser = owner) =>
  (await browser.query(MEMBERS, {})).members.edges.map(({ node }) => node);
const idOf = async ({ address }: KeyPairSigner) =>
  (await readTeam()).find(({ walletAddress }) => walletAddress === address)?.id ?? '';

/** Invites a member with the role, and signs the member in. */
async function addMember(role: MemberRole): Promise<{ wallet: KeyPairSigner; browser: Browser; id: string }> {
  const wallet = await generateKeyPairSigner();
  const { inviteMember } = await owner.query(INVITE_MEMBER, { walletAddress: wallet.address, role });
  const browser = new Browser(world);
  await browser.signIn(wallet);
  return { wallet, browser, id: inviteMember.id };
}

describe('the team', () => {
  it('starts with the merchant’s wallet, and grows by invitations', async () => {
    const { wallet, browser } = await addMember('DEVELOPER');
    expect(await readTeam()).toMatchObject([
      { walletAddress: wallet.address, role: 'DEVELOPER' },
      { walletAddress: merchant.wallet.address, role: 'OWNER' },
    ]);
    expect((await browser.query(VIEWER, {})).viewer).toMatchObject({ role: 'DEVELOPER' });
  });

  it('is read by cursor', async () => {
    for (let count = 0; count < 4; count++) await addMember('READ_ONLY');
    const found: string[] = [];
    let after: string | undefined;
    for (;;) {
      const { members } = await owner.query(MEMBERS, { first: 2, ...(after && { after }) });
      expect(members.totalCount).toBe(5);
      found.push(...members.edges.map(({ node }) => node.id));
      if (!members.pageInfo.hasNextPage) break;
      after = members.pageInfo.endCursor ?? undefined;
    }
    expect(found).toEqual((await readTeam()).map(({ id }) => id));
    expect(new Set(found).size).toBe(5);
  });

  it('accepts only wallets, each once', async () => {
    const invite = (walletAddress: string) =>
      graphqlError(owner.query(INVITE_MEMBER, { walletAddress, role: 'OWNER' }));
    expect(await invite('nobody')).toMatchObject(invalid('walletAddress'));
    expect(await invite(merchant.wallet.address)).toMatchObject(invalid('walletAddress'));
    // A plan's address has no private key.
    const plan = await world.publishPlan(merchant);
    expect(await invite(plan.address)).toMatchObject(invalid('walletAddress'));
  });

  it('changes a role and removes a wallet at once', async () => {
    const { browser, id } = await addMember('READ_ONLY');
    const url = 'https://shop.example/hook';
    expect(await graphqlError(browser.query(CREATE_ENDPOINT, { url }))).toMatchObject(REFUSED);
    await owner.query(CHANGE_MEMBER_ROLE, { id, role: 'DEVELOPER' });
    expect(await browser.query(CREATE_ENDPOINT, { url })).toBeTruthy();
    await owner.query(REMOVE_MEMBER, { id });
    expect(await graphqlError(browser.query(ME, {}))).toMatchObject(REFUSED);
    expect(await graphqlError(owner.query(REMOVE_MEMBER, { id }))).toMatchObject(NOT_FOUND);
  });

  it('always has an owner, even if two owners demote each other at the same time', async () => {
    const own = await idOf(merchant.wallet);
    const demote = (browser: Browser, id: string) =>
      graphqlError(browser.query(CHANGE_MEMBER_ROLE, { id, role: 'DEVELOPER' }));
    expect(await demote(owner, own)).toMatchObject(invalid('id'));
    expect(await graphqlError(owner.query(REMOVE_MEMBER, { id: own }))).toMatchObject(invalid('id'));
    const second = await addMember('OWNER');
    const scope = { merchantId: merchant.merchant.id };
    const outcomes = await Promise.allSettled(
      [own, second.id].map((id) => changeMemberRole(world.ctx, scope, { id, role: 'DEVELOPER' })),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await readTeam(second.browser)).filter(({ role }) => role === 'OWNER')).toHaveLength(1);
  });
});

describe('a role', () => {
  const newWallet = async () => (await generateKeyPairSigner()).address;
  const actions: Record<string, (browser: Browser) => Promise<unknown>> = {
    'reads the merchant': (browser) => browser.query(ME, {}),
    'reads subscriptions': (browser) => browser.query(SUBSCRIPTIONS, {}),
    'reads the team': (browser) => browser.query(MEMBERS, {}),
    'reads the audit log': (browser) => browser.query(AUDIT_LOG, {}),
    'creates API keys': (browser) => browser.query(CREATE_API_KEY, { name: 'x' }),
    'creates endpoints': (browser) => browser.query(CREATE_ENDPOINT, { url: 'https://shop.example/hook' }),
    'changes the profile': (browser) => browser.query(UPDATE_PROFILE, { input: { companyName: 'New' } }),
    'invites members': async (browser) =>
      browser.query(INVITE_MEMBER, { walletAddress: await newWallet(), role: 'READ_ONLY' }),
    'changes roles': async (browser) => {
      const { id } = await inviteMember(
        world.ctx,
        { merchantId: merchant.merchant.id },
        { walletAddress: await newWallet(), role: 'READ_ONLY' },
      );
      await browser.query(CHANGE_MEMBER_ROLE, { id, role: 'OWNER' });
    },
    'removes members': async (browser) => {
      const { id } = await inviteMember(
        world.ctx,
        { merchantId: merchant.merchant.id },
        { walletAddress: await newWallet(), role: 'READ_ONLY' },
      );
      await browser.query(REMOVE_MEMBER, { id });
    },
  };
  const READ_ACTIONS = ['reads the merchant', 'reads subscriptions', 'reads the team', 'reads the audit log'];
  const DEVELOPER_ACTIONS = [...READ_ACTIONS, 'creates API keys', 'creates endpoints'];
  const allowed: Record<MemberRole, readonly string[]> = {
    OWNER: Object.keys(actions),
    DEVELOPER: DEVELOPER_ACTIONS,
    READ_ONLY: READ_ACTIONS,
  };

  it.each(Object.keys(allowed) as MemberRole[])('of %s allows only its own actions', async (role) => {
    const { browser } = await addMember(role);
    for (const [name, perform] of Object.entries(actions)) {
      const outcome = await perform(browser).then(
        () => 'done',
        async (error) => graphqlError(Promise.reject(error)),
      );
      if (allowed[role].includes(name)) expect(outcome, name).toBe('done');
      else expect(outcome, name).toMatchObject(REFUSED);
    }
  });

  it('does not apply to a key, because the team is shared by both environments', async () => {
    const byKey = (document: Parameters<typeof world.query>[1], variables: object) =>
      graphqlError(world.query(merchant.testKey, document, variables as never));
    const id = await idOf(merchant.wallet);
    const walletAddress = await newWallet();
    for (const [document, variables] of [
      [MEMBERS, {}],
      [AUDIT_LOG, {}],
      [UPDATE_PROFILE, { input: { companyName: 'New' } }],
      [INVITE_MEMBER, { walletAddress, role: 'OWNER' }],
      [CHANGE_MEMBER_ROLE, { id, role: 'OWNER' }],
      [REMOVE_MEMBER, { id }],
    ] as const) {
      expect(await byKey(document as never, variables)).toMatchObject(REFUSED);
    }
  });

  it('does not prevent a member’s checkout as a customer', async () => {
    const shop = await world.newKeyedMerchant();
    const sessionId = await world.openSession(shop, await world.publishPlan(shop));
    const { checkoutSession } = await owner.query(PUBLIC_CHECKOUT_SESSION, { id: sessionId });
    expect(checkoutSession).toMatchObject({ id: sessionId, merchant: { companyName: 'Acme' } });
    expect((await owner.fetch(`/api/checkout/${sessionId}`)).status).toBe(200);
  });
});

describe('the profile', () => {
  it('is changed field by field, and shown in both environments', async () => {
    const update = async (input: object) =>
      (await owner.query(UPDATE_PROFILE, { input })).updateMerchantProfile;
    const logoUrl = 'https://acme.example/logo.svg';
    await update({ companyName: 'Acme & Sons', logoUrl });
    expect(await update({ supportEmail: 'help@acme.example' })).toEqual({
      companyName: 'Acme & Sons',
      logoUrl,
      supportEmail: 'help@acme.example',
      walletAddress: merchant.wallet.address,
    });
    expect(await update({ logoUrl: null, companyName: null })).toMatchObject({
      companyName: 'Acme & Sons',
      logoUrl: null,
      supportEmail: 'help@acme.example',
    });
    const live = await owner.copyWith({ environment: 'live' }).query(ME, {});
    expect(live).toMatchObject({ environment: 'LIVE', merchant: { companyName: 'Acme & Sons' } });
  });

  it.each([
    ['companyName', ''],
    ['companyName', 'x'.repeat(201)],
    ['logoUrl', ''],
    ['logoUrl', 'http://acme.example/logo.svg'],
    ['logoUrl', 'javascript:alert(1)'],
    ['logoUrl', 'data:image/png;base64,AAAA'],
    ['logoUrl', 'https://user:password@acme.example/logo.svg'],
    ['supportEmail', ''],
    ['supportEmail', 'acme'],
  ])('refuses the %s "%s", and changes nothing', async (param, value) => {
    const input = { companyName: 'Changed', [param]: value };
    expect(await graphqlError(owner.query(UPDATE_PROFILE, { input }))).toMatchObject(invalid(param));
    const { merchant: profile } = await owner.query(ME, {});
    expect(profile).toMatchObject({ companyName: 'Acme', logoUrl: null, supportEmail: null });
  });
});

describe('an uploaded logo', () => {
  const upload = async (png: Buffer, browser = owner) =>
    (await browser.query(UPLOAD_LOGO, { png: png.toString('base64') })).uploadLogo.logoUrl ?? '';
  const statusOf = async (url: string) =>
    (await fetch(url.replace(world.ctx.config.publicUrl, world.api.url))).status;

  it('is served under a URL that changes with its content', async () => {
    const png = createPng(64, 32);
    const url = await upload(png);
    const served = await fetch(url.replace(world.ctx.config.publicUrl, world.api.url));
    expect(Object.fromEntries(served.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
    expect(Buffer.from(await served.arrayBuffer()).equals(png)).toBe(true);
    expect(await upload(png)).toBe(url);
    const next = await upload(createPng(64, 32, 0));
    expect([await statusOf(url), await statusOf(next)]).toEqual([404, 200]);
    await owner.query(UPDATE_PROFILE, { input: { logoUrl: null } });
    expect(await statusOf(next)).toBe(404);
    const changes = (await owner.query(AUDIT_LOG, { first: 1 })).auditLog.edges[0]?.node.changes;
    expect(changes).toEqual({ logoUrl: { from: next, to: null } });
  });

  it('must be a PNG of at most 50 kB and 1024 pixels, uploaded by an owner', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    const refused = [
      svg,
      Buffer.concat([createPng(8, 8), svg]),
      createPng(8, 8).subarray(0, -1),
      createPng(1_025, 1),
      createPng(0, 1),
      Buffer.concat([createPng(8, 8).subarray(0, -12), Buffer.alloc(50_000), createPng(8, 8).subarray(-12)]),
    ];
    for (const png of refused) expect(await graphqlError(upload(png))).toMatchObject(invalid('png'));
    expect(await graphqlError(owner.query(UPLOAD_LOGO, { png: 'not base64' }))).toMatchObject(invalid('png'));
    const { browser } = await addMember('DEVELOPER');
    expect(await graphqlError(upload(createPng(8, 8), browser))).toMatchObject(REFUSED);
    expect((await owner.query(ME, {})).merchant).toMatchObject({ logoUrl: null });
    expect(await upload(createPng(1_024, 1_024))).toMatch(/\/logos\/[0-9a-f]{64}\.png$/);
    expect(await statusOf(`${world.ctx.config.publicUrl}/logos/..%2f.png`)).toBe(404);
  });
});
