import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../src/api/server/server.ts';
import type { Config } from '../../src/config.ts';
import { inviteMember } from '../../src/domain/accounts/member/invite-member.ts';
import { inviteWallet, withdrawInvitation } from '../../src/domain/accounts/sign-in/invitations.ts';
import { signInWithWallet, type WalletAnswer } from '../../tools/sign-in-wallet.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { Browser } from './browser.ts';
import {
  CAN_CREATE_MERCHANT,
  CREATE_MERCHANT,
  SIGN_IN,
  SIGN_IN_INPUT,
  SIGN_UP_POLICY,
  VIEWER,
} from './team-documents.ts';
import { graphqlError, startApiWorld } from './world.ts';

/** The test browsers seem to be behind a trusted proxy, so that each has its own address. */
const PROXIES = ['127.0.0.1'];
const REFUSED = { code: 'authentication_error' };

const world = await sharedByFile(startApiWorld());
const startWith = (settings: Partial<Config>) =>
  startApi({ ...world.ctx, config: { ...world.ctx.config, trustedProxies: PROXIES, ...settings } });
const open = await sharedByFile(startWith({ signUp: 'open' }));
const closed = await sharedByFile(startWith({ signUp: 'closed' }));

let addresses = 0;
/** A browser with its own address. */
function newBrowser(api: Api): Browser {
  const forwarded = `203.0.113.${++addresses}`;
  return new Browser({ api }, { forwarded });
}

async function signInput(wallet: KeyPairSigner, browser: Browser): Promise<WalletAnswer> {
  const { signInInput } = await browser.query(SIGN_IN_INPUT, {});
  return signInWithWallet(wallet, signInInput);
}

describe('with sign-up open to all', () => {
  it('a new wallet signs once, and its signature creates the merchant', async () => {
    const [wallet, browser] = [await generateKeyPairSigner(), newBrowser(open)];
    expect(await browser.query(SIGN_UP_POLICY, {})).toEqual({ signUpPolicy: 'OPEN' });
    const output = await signInput(wallet, browser);
    expect(await graphqlError(browser.query(SIGN_IN, { output }))).toMatchObject(REFUSED);
    // The signature can no longer be used to sign in.
    expect(await graphqlError(browser.query(SIGN_IN, { output }))).toMatchObject({ param: 'signedMessage' });

    const { createMerchant } = await browser.query(CREATE_MERCHANT, { companyName: 'New', output });
    expect(createMerchant).toMatchObject({
      walletAddress: wallet.address,
      role: 'OWNER',
      merchant: { companyName: 'New', walletAddress: wallet.address },
    });
    expect((await browser.query(VIEWER, {})).viewer).toMatchObject({ merchantId: createMerchant.merchantId });
    const entries = await world.db.auditEntry.findMany({
      where: { merchantId: createMerchant.merchantId },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
    expect(entries).toMatchObject([
      { action: 'merchant.created', actor: 'MEMBER', actorName: wallet.address },
      { action: 'member.signed_in', actor: 'MEMBER' },
    ]);
    expect(entries[0]?.ipAddress).toMatch(/^203\.0\.113\./);

    const again = { companyName: 'Again', output };
    expect(await graphqlError(browser.query(CREATE_MERCHANT, again))).toMatchObject({
      code: 'invalid_request',
      param: 'signedMessage',
    });
  });

  it('a signature creates a merchant without a refused sign-in, until it expires', async () => {
    const browser = newBrowser(open);
    const output = await signInput(await generateKeyPairSigner(), browser);
    const { createMerchant } = await browser.query(CREATE_MERCHANT, { companyName: 'At once', output });
    expect(createMerchant.merchant.companyName).toBe('At once');

    const late = await signInput(await generateKeyPairSigner(), browser);
    expect(await graphqlError(browser.query(SIGN_IN, { output: late }))).toMatchObject(REFUSED);
    await world.travel(301);
    expect(
      await graphqlError(browser.query(CREATE_MERCHANT, { companyName: 'Late', output: late })),
    ).toMatchObject({ param: 'signedMessage' });
  });

  it('a wallet has one merchant, and the name of a company is checked', async () => {
    const { wallet } = await world.newMerchant();
    const browser = newBrowser(open);
    const output = await signInput(wallet, browser);
    expect(
      await graphqlError(browser.query(CREATE_MERCHANT, { companyName: 'Second', output })),
    ).toMatchObject({ code: 'invalid_request', param: 'walletAddress' });
    const unused = await signInput(await generateKeyPairSigner(), browser);
    expect(
      await graphqlError(browser.query(CREATE_MERCHANT, { companyName: ' ', output: unused })),
    ).toMatchObject({ code: 'invalid_request', param: 'companyName' });
  });

  it('refuses to create a merchant without a signature or a session', async () => {
    const browser = newBrowser(open);
    expect(await graphqlError(browser.query(CREATE_MERCHANT, { companyName: 'Nobody' }))).toMatchObject(
      REFUSED,
    );
  });

  it('an address makes at most ten attempts per hour', async () => {
    const browser = newBrowser(open);
    for (let attempt = 0; attempt < 10; attempt++) {
      expect(await graphqlError(browser.query(CREATE_MERCHANT, { companyName: 'X' }))).toMatchObject(REFUSED);
    }
    expect(await graphqlError(browser.query(CREATE_MERCHANT, { companyName: 'X' }))).toMatchObject({
      code: 'rate_limit_exceeded',
    });
    expect(await graphqlError(newBrowser(open).query(CREATE_MERCHANT, { companyName: 'X' }))).toMatchObject(
      REFUSED,
    );
  });
});

describe('with sign-up by invitation of the operator', () => {
  it('a member creates another merchant only once the operator has invited the wallet', async () => {
    const employer = await world.newMerchant();
    const wallet = await world.newWallet();
    const scope = { merchantId: employer.merchant.id };
    await inviteMember(world.ctx, scope, { walletAddress: wallet.address, role: 'OWNER' });
    const browser = new Browser(world);
    expect(await browser.query(SIGN_UP_POLICY, {})).toEqual({ signUpPolicy: 'INVITED' });
    await browser.signIn(wallet);
    expect(await graphqlError(browser.query(CREATE_MERCHANT, { companyName: 'My own' }))).toMatchObject(
      REFUSED,
    );
    await inviteWallet(world.ctx, wallet.address);
    const before = browser.copyWith({});
    const { createMerchant } = await browser.query(CREATE_MERCHANT, { companyName: 'My own' });
    expect(createMerchant).toMatchObject({ role: 'OWNER', merchant: { companyName: 'My own' } });
    const { viewer } = await browser.query(VIEWER, {});
    expect(viewer?.memberships).toHaveLength(2);
    expect((await before.query(VIEWER, {})).viewer).toBeNull();
  });

  it.each([
    [
      'a sign-up',
      async (browser: Browser, output: WalletAnswer) => {
        await browser.query(CREATE_MERCHANT, { companyName: 'Signed', output });
      },
    ],
    [
      'a sign-in',
      async (browser: Browser, output: WalletAnswer) => {
        await browser.query(SIGN_IN, { output });
      },
    ],
  ] as const)('%s with a signature ends the earlier session of the browser', async (_name, submit) => {
    const employer = await world.newMerchant();
    const wallet = await world.newWallet();
    const scope = { merchantId: employer.merchant.id };
    await inviteMember(world.ctx, scope, { walletAddress: wallet.address, role: 'READ_ONLY' });
    await inviteWallet(world.ctx, wallet.address);
    const [browser, other] = [new Browser(world), new Browser(world)];
    await browser.signIn(wallet);
    await other.signIn(wallet);
    const before = browser.copyWith({});
    await submit(browser, await signInput(wallet, browser));
    expect((await browser.query(VIEWER, {})).viewer).not.toBeNull();
    expect((await before.query(VIEWER, {})).viewer).toBeNull();
    expect((await other.query(VIEWER, {})).viewer).not.toBeNull();
  });

  it('an invited wallet signs once, and a withdrawn invitation is refused', async () => {
    const wallet = await generateKeyPairSigner();
    const { address } = wallet;
    const browser = new Browser(world);
    expect(await browser.query(CAN_CREATE_MERCHANT, { address })).toEqual({ canCreateMerchant: false });
    await inviteWallet(world.ctx, address);
    await inviteWallet(world.ctx, address);
    expect(await browser.query(CAN_CREATE_MERCHANT, { address })).toEqual({ canCreateMerchant: true });
    const output = await signInput(wallet, browser);
    expect(await graphqlError(browser.query(SIGN_IN, { output }))).toMatchObject(REFUSED);
    const { createMerchant } = await browser.query(CREATE_MERCHANT, { companyName: 'Invited', output });
    expect(createMerchant).toMatchObject({ role: 'OWNER', merchant: { companyName: 'Invited' } });
    await withdrawInvitation(world.ctx, address);
    expect(await browser.query(CAN_CREATE_MERCHANT, { address })).toEqual({ canCreateMerchant: false });
  });

  it('a wallet that is not a member is refused, and its signature is used up', async () => {
    const browser = new Browser(world);
    const output = await signInput(await generateKeyPairSigner(), browser);
    expect(await graphqlError(browser.query(SIGN_IN, { output }))).toMatchObject(REFUSED);
    expect(await graphqlError(browser.query(CREATE_MERCHANT, { companyName: 'No', output }))).toMatchObject({
      param: 'signedMessage',
    });
    const unused = await signInput(await generateKeyPairSigner(), browser);
    expect(
      await graphqlError(browser.query(CREATE_MERCHANT, { companyName: 'No', output: unused })),
    ).toMatchObject(REFUSED);
  });
});

it('with sign-up closed, not even a member creates a merchant', async () => {
  const { wallet } = await world.newMerchant();
  const browser = newBrowser(closed);
  expect(await browser.query(SIGN_UP_POLICY, {})).toEqual({ signUpPolicy: 'CLOSED' });
  await browser.signIn(wallet);
  expect(await graphqlError(browser.query(CREATE_MERCHANT, { companyName: 'No' }))).toMatchObject(REFUSED);
});
