import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { verifySignIn } from '@solana/wallet-standard-util';
import { describe, expect, it } from 'vitest';
import { startApi } from '../../src/api/server/server.ts';
import { inviteMember } from '../../src/domain/accounts/member/invite-member.ts';
import { removeMember } from '../../src/domain/accounts/member/remove-member.ts';
import {
  type SignInRequest,
  signInWithWallet,
  signMessage,
  type WalletAnswer,
} from '../../tools/sign-in-wallet.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { Browser } from './browser.ts';
import { CREATE_ENDPOINT, ME } from './documents.ts';
import {
  CHOOSE_MERCHANT,
  SIGN_IN,
  SIGN_IN_INPUT,
  SIGN_OUT,
  SIGN_OUT_EVERYWHERE,
  VIEWER,
} from './team-documents.ts';
import { graphqlError, startApiWorld } from './world.ts';

const HOUR = 3_600;
const ORIGIN = 'https://dues.example';
const REFUSED = { code: 'authentication_error' };

const world = await sharedByFile(startApiWorld());
const merchant = await world.newMerchant();
const { wallet } = merchant;

const requestInput = async (address?: string): Promise<SignInRequest> =>
  (await new Browser(world).query(SIGN_IN_INPUT, { address })).signInInput;
const submit = (output: WalletAnswer, browser = new Browser(world)) => browser.query(SIGN_IN, { output });
const refusedParamOf = async (output: WalletAnswer) => (await graphqlError(submit(output))).param;
const viewerOf = async (browser: Browser) => (await browser.query(VIEWER, {})).viewer;

async function openSignedInBrowser(signer = wallet, options = {}): Promise<Browser> {
  const browser = new Browser(world, options);
  await browser.signIn(signer);
  return browser;
}

describe('the input of a sign-in', () => {
  it('names this service, states that no money moves, and is valid for five minutes', async () => {
    const input = await requestInput();
    expect(input).toEqual({
      domain: 'dues.example',
      address: null,
      statement: expect.stringContaining('moves no money'),
      uri: ORIGIN,
      version: '1',
      chainId: 'solana:devnet',
      nonce: expect.stringMatching(/^[0-9a-f]{32}$/),
      issuedAt: world.ctx.wallClock.now().toISOString(),
      expirationTime: new Date(world.ctx.wallClock.now().getTime() + 300_000).toISOString(),
    });
    expect((await requestInput()).nonce).not.toBe(input.nonce);
  });

  it('names the account if the page knows it', async () => {
    expect((await requestInput(wallet.address)).address).toBe(wallet.address);
    const wrong = graphqlError(new Browser(world).query(SIGN_IN_INPUT, { address: 'me' }));
    expect(await wrong).toMatchObject({ code: 'invalid_request', param: 'address' });
  });

  it('is deleted if it is not answered', async () => {
    await requestInput();
    await world.travel(301);
    await requestInput();
    const now = world.ctx.wallClock.now();
    expect(await world.db.signInNonce.count({ where: { expiresAt: { lte: now } } })).toBe(0);
  });
});

describe('a wallet that signs', () => {
  it('is signed in as the first owner of its merchant', async () => {
    const browser = new Browser(world);
    expect(await browser.signIn(wallet)).toMatchObject({
      walletAddress: wallet.address,
      role: 'OWNER',
      merchantId: merchant.merchant.id,
      environment: 'TEST',
    });
    expect(await viewerOf(browser)).toEqual({
      walletAddress: wallet.address,
      role: 'OWNER',
      environment: 'TEST',
      merchantId: merchant.merchant.id,
      merchant: { companyName: 'Acme' },
      memberships: [{ merchantId: merchant.merchant.id, role: 'OWNER', merchant: { companyName: 'Acme' } }],
    });
    expect(await browser.query(ME, {})).toMatchObject({ environment: 'TEST' });
  });

  it('returns an answer that the wallet standard’s own code accepts for the same input', async () => {
    const { address: _, ...input } = await requestInput();
    const answer = await signInWithWallet(wallet, { ...input, domain: input.domain });
    const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64'));
    const output = {
      account: { publicKey: bytes(Buffer.from(await publicKey(wallet)).toString('base64')) },
      signedMessage: bytes(answer.signedMessage),
      signature: bytes(answer.signature),
    };
    expect(verifySignIn(input as never, output as never)).toBe(true);
    expect((await submit(answer)).signIn.walletAddress).toBe(wallet.address);
  });

  it('without solana:signIn may sign the same text as a message', async () => {
    const input = await requestInput();
    const text = [
      `${input.domain} wants you to sign in with your Solana account:`,
      wallet.address,
      '',
      input.statement,
      '',
      `URI: ${input.uri}`,
      `Version: ${input.version}`,
      `Chain ID: ${input.chainId}`,
      `Nonce: ${input.nonce}`,
      `Issued At: ${input.issuedAt}`,
      `Expiration Time: ${input.expirationTime}`,
    ].join('\n');
    const answer = await signMessage(wallet, new TextEncoder().encode(text));
    expect((await submit(answer)).signIn.walletAddress).toBe(wallet.address);
  });

  it('is refused if it is not a member of a merchant', async () => {
    const stranger = await generateKeyPairSigner();
    expect(await graphqlError(submit(await signInWithWallet(stranger, await requestInput())))).toMatchObject(
      REFUSED,
    );
  });
});

describe('a sign-in is refused for', () => {
  it.each([
    ['domain', 'evil.example'],
    ['domain', 'dues.example:443'],
    ['statement', 'Sign in to evil.'],
    ['statement', null],
    ['uri', 'https://evil.example'],
    ['uri', null],
    ['version', '2'],
    ['version', null],
    ['chainId', 'solana:mainnet'],
    ['chainId', null],
    ['nonce', '0123456789abcdef0123456789abcdef'],
    ['nonce', null],
    ['issuedAt', '2026-12-02T00:00:00.000Z'],
    ['issuedAt', null],
    ['expirationTime', '2036-12-01T00:00:00.000Z'],
    ['expirationTime', null],
    ['notBefore', '2026-12-01T00:00:00.000Z'],
    ['requestId', 'x'],
  ])('a message whose %s is %s, even if the wallet signed it', async (field, value) => {
    const input = await requestInput();
    expect(input[field]).not.toBe(value);
    const answer = await signInWithWallet(wallet, { ...input, [field]: value } as SignInRequest);
    expect(await refusedParamOf(answer)).toBe('signedMessage');
  });

  it('a message for another account than the requested one', async () => {
    const other = await generateKeyPairSigner();
    const input = await requestInput(other.address);
    expect(await refusedParamOf(await signInWithWallet(wallet, { ...input, address: wallet.address }))).toBe(
      'signedMessage',
    );
    const otherAnswer = await signInWithWallet(other, await requestInput(other.address));
    expect(await refusedParamOf({ ...otherAnswer, address: wallet.address })).toBe('address');
  });

  it('a message that names an account that did not sign it', async () => {
    const other = await generateKeyPairSigner();
    const answer = await signInWithWallet(other, { ...(await requestInput()), address: wallet.address });
    expect(await refusedParamOf({ ...answer, address: wallet.address })).toBe('signature');
    const ownAnswer = await signInWithWallet(wallet, await requestInput());
    expect(await refusedParamOf({ ...ownAnswer, address: other.address })).toBe('signedMessage');
  });

  it.each([
    ['address', 'nobody'],
    ['address', ''],
    ['signedMessage', ''],
    ['signedMessage', 'not base64!'],
    ['signedMessage', Buffer.from([0xff, 0xfe]).toString('base64')],
    ['signature', ''],
    ['signature', 'AAAA'],
    ['signature', Buffer.alloc(64).toString('base64')],
    ['signature', Buffer.alloc(65).toString('base64')],
  ])('an answer whose %s is "%s"', async (param, value) => {
    const answer = await signInWithWallet(wallet, await requestInput());
    expect(await refusedParamOf({ ...answer, [param]: value })).toBe(param);
  });

  it('a signature with one bit changed', async () => {
    const answer = await signInWithWallet(wallet, await requestInput());
    const bytes = Buffer.from(answer.signature, 'base64');
    bytes[5] = (bytes[5] ?? 0) ^ 1;
    expect(await refusedParamOf({ ...answer, signature: bytes.toString('base64') })).toBe('signature');
  });

  it('the second use of an answer, even of a refused one', async () => {
    const answer = await signInWithWallet(wallet, await requestInput());
    await submit(answer);
    expect(await refusedParamOf(answer)).toBe('signedMessage');
    const refused = await signInWithWallet(wallet, await requestInput());
    expect(await refusedParamOf({ ...refused, signature: Buffer.alloc(64).toString('base64') })).toBe(
      'signature',
    );
    expect(await refusedParamOf(refused)).toBe('signedMessage');
  });

  it('all but one of many concurrent uses', async () => {
    const answer = await signInWithWallet(wallet, await requestInput());
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => submit(answer)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('an answer after five minutes, but not one second before', async () => {
    const early = await signInWithWallet(wallet, await requestInput());
    const late = await signInWithWallet(wallet, await requestInput());
    await world.travel(299);
    await submit(early);
    await world.travel(1);
    expect(await refusedParamOf(late)).toBe('signedMessage');
  });

  it('a sign-in over a WebSocket, which could set no cookie, before its nonce is used', async () => {
    const output = await signInWithWallet(wallet, await requestInput());
    const socket = world.socket(undefined);
    const query = 'mutation ($output: SignInOutput!) { signIn(output: $output) { role } }';
    const { value } = await socket.iterate({ query, variables: { output } }).next();
    expect(value.errors).toMatchObject([{ extensions: { code: 'invalid_request' } }]);
    expect((await submit(output)).signIn.role).toBe('OWNER');
  });
});

describe('the cookie', () => {
  it('is limited to this host, hidden from scripts, and Secure under https', async () => {
    const browser = await openSignedInBrowser();
    expect(browser.lastSetCookies).toEqual([
      {
        name: '__Host-dues_session',
        value: expect.stringMatching(/^[\w-]{43}$/),
        attributes: { 'max-age': '604800', path: '/', httponly: '', secure: '', samesite: 'Strict' },
      },
    ]);
    const config = { ...world.ctx.config, publicUrl: 'http://127.0.0.1:3000' };
    const api = await startApi({ ...world.ctx, config });
    const plain = new Browser({ api }, { origin: config.publicUrl });
    await plain.signIn(wallet);
    expect(plain.lastSetCookies).toMatchObject([{ name: 'dues_session', attributes: { httponly: '' } }]);
    expect(plain.lastSetCookies[0]?.attributes).not.toHaveProperty('secure');
    expect(await viewerOf(plain)).toMatchObject({ walletAddress: wallet.address });
    await api.close();
  });

  it('is new for every session, and neither stored nor logged', async () => {
    const values = [await openSignedInBrowser(), await openSignedInBrowser()].map(
      ({ cookies }) => [...cookies.values()][0] ?? '',
    );
    expect(new Set(values).size).toBe(2);
    const stored = await world.db.memberSession.findMany();
    const rows = JSON.stringify(stored);
    const bytesStored = stored
      .flatMap((row) => Object.values(row))
      .filter((column) => column instanceof Uint8Array)
      .map((bytes) => Buffer.from(bytes).toString('hex'));
    expect(bytesStored.length).toBeGreaterThan(0);
    for (const value of values) {
      expect(rows).not.toContain(value);
      expect(bytesStored).not.toContain(Buffer.from(value, 'base64url').toString('hex'));
      expect(world.logged.join('\n')).not.toContain(value);
    }
  });

  it.each([
    ['another origin', 'https://evil.example'],
    ['our host without TLS', 'http://dues.example'],
    ['a host that begins like ours', 'https://dues.example.evil.example'],
    ['a sandboxed page', 'null'],
    ['no page at all', undefined],
  ])('is ignored from %s', async (_, origin) => {
    const browser = await openSignedInBrowser();
    const otherPage = browser.copyWith({ origin });
    expect(await viewerOf(otherPage)).toBeNull();
    expect(await graphqlError(otherPage.query(CREATE_ENDPOINT, { url: 'https://x.example' }))).toMatchObject(
      REFUSED,
    );
    expect(await graphqlError(otherPage.query(SIGN_OUT, {}))).toMatchObject(REFUSED);
    expect(await viewerOf(browser)).not.toBeNull();
  });

  it('gives no access to the form of another site', async () => {
    const browser = await openSignedInBrowser();
    const body = JSON.stringify({ query: 'mutation { signOut }' });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const response = await browser.fetch('/graphql', {
        method: 'POST',
        body,
        headers: { 'content-type': type },
      });
      expect(response.status).toBe(415);
    }
    expect(await viewerOf(browser)).not.toBeNull();
  });

  it('is ignored if the request has a key', async () => {
    const other = await world.newKeyedMerchant();
    const browser = await openSignedInBrowser();
    const response = await browser.fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${other.liveKey}` },
      body: JSON.stringify({ query: '{ environment viewer { role } }' }),
    });
    expect(await response.json()).toEqual({ data: { environment: 'LIVE', viewer: null } });
  });

  it.each(['', 'x', 'x'.repeat(4000), '%', '__proto__'])('"%s" is refused', async (value) => {
    const browser = new Browser(world);
    browser.cookies.set('__Host-dues_session', value);
    expect(await viewerOf(browser)).toBeNull();
    expect((await browser.fetch('/health')).status).toBe(200);
  });

  it('gives access to the REST routes of its own merchant, with or without an origin', async () => {
    const browser = await openSignedInBrowser();
    const read = async (from: Browser, headers = {}) =>
      (await from.fetch('/api/subscriptions', { headers })).status;
    expect(await read(browser)).toBe(200);
    expect(await read(browser.copyWith({ origin: undefined }), { 'sec-fetch-site': 'same-origin' })).toBe(
      200,
    );
    expect(await read(browser.copyWith({ origin: undefined }), { 'sec-fetch-site': 'cross-site' })).toBe(401);
    expect(await read(browser.copyWith({ origin: 'https://evil.example' }))).toBe(401);
  });
});

describe('the environment of a request', () => {
  it('is TEST unless its header is live, and no other value is accepted', async () => {
    const browser = await openSignedInBrowser();
    expect(await viewerOf(browser.copyWith({ environment: 'test' }))).toMatchObject({ environment: 'TEST' });
    expect(await viewerOf(browser.copyWith({ environment: 'live' }))).toMatchObject({ environment: 'LIVE' });
    const wrong = browser.copyWith({ environment: 'LIVE' as never });
    expect(await graphqlError(wrong.query(VIEWER, {}))).toMatchObject({
      code: 'invalid_request',
      param: 'x-dues-environment',
    });
  });

  it('is stored with the rows that the request creates', async () => {
    const browser = await openSignedInBrowser();
    const { createWebhookEndpoint } = await browser
      .copyWith({ environment: 'live' })
      .query(CREATE_ENDPOINT, { url: 'https://live.example/hook' });
    const row = await world.db.webhookEndpoint.findUniqueOrThrow({
      where: { id: createWebhookEndpoint.endpoint.id },
    });
    expect(row).toMatchObject({ merchantId: merchant.merchant.id, environment: 'LIVE' });
  });
});

describe('a member session', () => {
  it('ends 12 hours after its last use, and 7 days after it began', async () => {
    const idle = await openSignedInBrowser();
    const used = await openSignedInBrowser();
    for (let hour = 0; hour < 7 * 24 - 11; hour += 11) {
      expect(await viewerOf(used), `hour ${hour}`).not.toBeNull();
      await world.travel(11 * HOUR);
      if (hour === 0) expect(await viewerOf(idle)).not.toBeNull();
    }
    expect(await viewerOf(idle)).toBeNull();
    expect(await viewerOf(used)).not.toBeNull();
    await world.travel(11 * HOUR);
    expect(await viewerOf(used)).toBeNull();
    await used.signIn(wallet);
    expect(await viewerOf(used)).not.toBeNull();
  });

  it('ends with its cookie on sign-out, and no other session ends', async () => {
    const [browser, other] = [await openSignedInBrowser(), await openSignedInBrowser()];
    const stolen = browser.copyWith({});
    expect(await browser.query(SIGN_OUT, {})).toEqual({ signOut: true });
    expect(browser.lastSetCookies).toMatchObject([
      { name: '__Host-dues_session', value: '', attributes: { 'max-age': '0', path: '/', secure: '' } },
    ]);
    expect(browser.cookies.size).toBe(0);
    expect(await viewerOf(stolen)).toBeNull();
    expect(await viewerOf(other)).not.toBeNull();
    expect(await graphqlError(stolen.query(SIGN_OUT, {}))).toMatchObject(REFUSED);
  });

  it('ends everywhere at once', async () => {
    const { wallet } = await world.newMerchant();
    const browsers = [
      await openSignedInBrowser(wallet),
      await openSignedInBrowser(wallet),
      await openSignedInBrowser(wallet),
    ];
    const bystander = await openSignedInBrowser();
    expect(await browsers[1]?.copyWith({}).query(SIGN_OUT_EVERYWHERE, {})).toEqual({ signOutEverywhere: 3 });
    for (const browser of browsers) expect(await viewerOf(browser)).toBeNull();
    expect(await viewerOf(bystander)).not.toBeNull();
  });

  it('ends with the membership, even during requests', async () => {
    const member = await generateKeyPairSigner();
    const scope = { merchantId: merchant.merchant.id };
    const { id } = await inviteMember(world.ctx, scope, { walletAddress: member.address, role: 'DEVELOPER' });
    const browser = await openSignedInBrowser(member);
    const requests = Array.from({ length: 10 }, () => browser.copyWith({}).query(VIEWER, {}));
    await removeMember(world.ctx, scope, { id });
    await Promise.all(requests);
    expect(await viewerOf(browser)).toBeNull();
    expect(await graphqlError(browser.signIn(member))).toMatchObject(REFUSED);
  });
});

describe('a live operation', () => {
  const SUBSCRIBE = 'subscription { subscriptionUpdated { id } }';
  const READ_VIEWER = { query: '{ viewer { role environment } }' };

  it('accepts the cookie from pages of dues, in the environment that they name', async () => {
    const socket = world.socket(undefined, [], (await openSignedInBrowser()).headers, {
      environment: 'live',
    });
    const { value } = await socket.iterate(READ_VIEWER).next();
    expect(value.data).toEqual({ viewer: { role: 'OWNER', environment: 'LIVE' } });
  });

  it.each([
    ['of another site', { origin: 'https://evil.example' }],
    ['without an origin', { origin: undefined }],
  ])('refuses a page %s', async (_, options) => {
    const { headers } = (await openSignedInBrowser()).copyWith(options);
    const socket = world.socket(undefined, [], headers);
    const { value } = await socket.iterate({ query: SUBSCRIBE }).next();
    expect(value.errors).toMatchObject([{ extensions: REFUSED }]);
  });

  it('ends with the session, over a WebSocket', async () => {
    const browser = await openSignedInBrowser();
    const closes: { code: number }[] = [];
    const socket = world.socket(undefined, closes, browser.headers);
    const subscribed = world.untilSubscribed('subscription.updated');
    const next = socket.iterate({ query: SUBSCRIBE }).next();
    await subscribed;
    await browser.query(SIGN_OUT, {});
    await expect(next).rejects.toMatchObject({ code: 4403 });
    expect(closes).toMatchObject([{ code: 4403 }]);
  });

  it('ends with the membership, over Server-Sent Events', async () => {
    const member = await generateKeyPairSigner();
    const scope = { merchantId: merchant.merchant.id };
    const { id } = await inviteMember(world.ctx, scope, { walletAddress: member.address, role: 'READ_ONLY' });
    const browser = await openSignedInBrowser(member);
    const subscribed = world.untilSubscribed('subscription.updated');
    const answer = browser.fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query: SUBSCRIBE }),
    });
    await subscribed;
    await removeMember(world.ctx, scope, { id });
    expect(await (await answer).text()).toContain('authentication_error');
  });
});

describe('a wallet of several merchants', () => {
  it('is signed in at its own or the first inviting merchant, and can switch', async () => {
    const [first, second] = [await world.newMerchant(), await world.newMerchant()];
    const member = await generateKeyPairSigner();
    for (const [{ merchant: employer }, role] of [
      [first, 'READ_ONLY'],
      [second, 'OWNER'],
    ] as const) {
      await inviteMember(world.ctx, { merchantId: employer.id }, { walletAddress: member.address, role });
      await inviteMember(world.ctx, { merchantId: employer.id }, { walletAddress: wallet.address, role });
      await world.travel(1);
    }
    expect(await viewerOf(await openSignedInBrowser())).toMatchObject({ merchantId: merchant.merchant.id });
    const browser = await openSignedInBrowser(member);
    expect(await viewerOf(browser)).toMatchObject({
      merchantId: first.merchant.id,
      role: 'READ_ONLY',
      memberships: [{ role: 'READ_ONLY' }, { merchantId: second.merchant.id, role: 'OWNER' }],
    });
    const before = browser.copyWith({});
    const { chooseMerchant } = await browser.query(CHOOSE_MERCHANT, { merchantId: second.merchant.id });
    expect(chooseMerchant).toEqual({ merchantId: second.merchant.id, role: 'OWNER', environment: 'TEST' });
    expect(await viewerOf(browser)).toMatchObject({ merchantId: second.merchant.id });
    expect(await viewerOf(before)).toBeNull();
    const uninvited = await world.newMerchant();
    for (const merchantId of [uninvited.merchant.id, 'x']) {
      expect(await graphqlError(browser.query(CHOOSE_MERCHANT, { merchantId }))).toMatchObject({
        code: 'not_found',
        param: 'merchantId',
      });
    }
  });

  it('is signed in at its last merchant', async () => {
    const [inviter, chosen] = [await world.newMerchant(), await world.newMerchant()];
    const member = await generateKeyPairSigner();
    for (const { merchant: employer } of [inviter, chosen]) {
      await inviteMember(
        world.ctx,
        { merchantId: employer.id },
        { walletAddress: member.address, role: 'OWNER' },
      );
      await world.travel(1);
    }
    const browser = await openSignedInBrowser(member);
    await world.travel(1);
    await browser.query(CHOOSE_MERCHANT, { merchantId: chosen.merchant.id });
    expect(await viewerOf(await openSignedInBrowser(member))).toMatchObject({
      merchantId: chosen.merchant.id,
    });
  });

  it('does not extend its session when it switches', async () => {
    const other = await world.newMerchant();
    await inviteMember(
      world.ctx,
      { merchantId: other.merchant.id },
      { walletAddress: wallet.address, role: 'OWNER' },
    );
    const browser = await openSignedInBrowser();
    await world.travel(10 * HOUR);
    await browser.query(CHOOSE_MERCHANT, { merchantId: other.merchant.id });
    expect(browser.lastSetCookies[0]?.attributes['max-age']).toBe(String(7 * 24 * HOUR - 10 * HOUR));
  });
});

async function publicKey({ keyPair }: KeyPairSigner): Promise<ArrayBuffer> {
  return crypto.subtle.exportKey('raw', keyPair.publicKey);
}
