/** Advancing the clock of the test environment. */
import { generateKeyPairSigner } from '@solana/kit';
import { expect, it } from 'vitest';
import { Network } from '../../localnet/network.ts';
import { startRpcServer } from '../../localnet/rpc.ts';
import { startApi } from '../../src/api/server/server.ts';
import type { AppContext } from '../../src/app.ts';
import { createChain } from '../../src/chain/create-chain.ts';
import { createApiKey } from '../../src/domain/accounts/api-key/create-api-key.ts';
import { rotateApiKey } from '../../src/domain/accounts/api-key/rotate-api-key.ts';
import { inviteMember } from '../../src/domain/accounts/member/invite-member.ts';
import { createPortalSession, LINK_MINUTES, signInByLink } from '../../src/domain/portal/portal-link.ts';
import { refusal } from '../domain/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { Browser } from './browser.ts';
import { graphql } from './generated/gql.ts';
import { VIEWER } from './team-documents.ts';
import { graphqlError, startApiWorld } from './world.ts';

const DAY = 86_400;

const CAN_MOVE_TIME = graphql(`
  query CanMoveTime { cluster { canMoveTime now } }
`);
const ADVANCE = graphql(`
  mutation AdvanceTestClock($seconds: Int!) { advanceTestClock(seconds: $seconds) }
`);

const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();

/** Calls an API with other settings from the merchant's signed-in browser. */
async function callOtherApi<T>(
  change: Partial<AppContext>,
  ask: (browser: Browser) => Promise<T>,
): Promise<T> {
  const api = await startApi({ ...world.ctx, ...change });
  try {
    const browser = new Browser({ api });
    await browser.signIn(merchant.wallet);
    return await ask(browser);
  } finally {
    await api.close();
  }
}

it('moves the time of billing, and leaves members signed in', async () => {
  const browser = new Browser(world);
  await browser.signIn(merchant.wallet);
  expect((await browser.query(CAN_MOVE_TIME, {})).cluster.canMoveTime).toBe(true);
  // The clock of a chain counts whole seconds.
  const before = Math.floor(world.ctx.clock.now().getTime() / 1000) * 1000;
  const { advanceTestClock } = await browser.query(ADVANCE, { seconds: 30 * DAY });
  expect(Date.parse(advanceTestClock as never)).toBe(before + 30 * DAY * 1000);
  expect((await browser.query(CAN_MOVE_TIME, {})).cluster.now).toBe(advanceTestClock);
  expect((await browser.query(VIEWER, {})).viewer?.walletAddress).toBe(merchant.wallet.address);
  await world.travelOnChain(400 * DAY);
  expect((await browser.query(VIEWER, {})).viewer?.walletAddress).toBe(merchant.wallet.address);
  await world.travel(DAY / 2);
  expect((await browser.query(VIEWER, {})).viewer).toBeNull();
});

it('keys expire and links into the portal end by the machine’s time', async () => {
  const plan = await world.publishPlan(merchant);
  const { customerId } = await world.subscribe(merchant, plan, await world.newWallet());
  const expiresAt = new Date(world.ctx.wallClock.now().getTime() + DAY * 1_000);
  const { apiKey, key } = await createApiKey(world.ctx, merchant.scope, { name: 'day', expiresAt });
  const [early, late] = [
    await createPortalSession(world.ctx, merchant.scope, { customer: customerId }),
    await createPortalSession(world.ctx, merchant.scope, { customer: customerId }),
  ];
  const open = ({ url }: { readonly url: string }) =>
    signInByLink(world.ctx, url.split('#link=')[1] ?? '', {
      caller: undefined,
      request: undefined,
      isConfirmed: true,
    });
  const statusOf = async (secret: string) =>
    (await world.request('GET', '/api/subscriptions', { key: secret })).status;

  await world.travelOnChain(30 * DAY);
  expect(await open(early)).toMatchObject({ token: expect.any(String) });
  expect(await statusOf(apiKey)).toBe(200);
  const rotated = await rotateApiKey(world.ctx, merchant.scope, { id: key.id, overlapSeconds: 60 });
  expect(rotated.key.expiresAt).toEqual(expiresAt);
  await world.travelOnChain(30 * DAY);
  expect(await statusOf(apiKey)).toBe(200);

  await world.travel(LINK_MINUTES * 60);
  expect(await refusal(open(late))).toEqual({ code: 'authentication_error', param: 'token' });
  expect([await statusOf(apiKey), await statusOf(rotated.apiKey)]).toEqual([401, 200]);
});

it.each([0, -1, 400 * DAY + 1])('refuses to move the time by %i seconds', async (seconds) => {
  const before = world.network.clock.nowMs();
  expect(await graphqlError(world.query(merchant.testKey, ADVANCE, { seconds }))).toMatchObject({
    code: 'invalid_request',
    param: 'seconds',
  });
  expect(world.network.clock.nowMs()).toBe(before);
});

it('moves the time by at most 400 days, and runs two calls one after the other', async () => {
  const before = world.network.clock.nowMs();
  const seconds = 400 * DAY;
  await Promise.all([1, 2].map(() => world.query(merchant.testKey, ADVANCE, { seconds })));
  expect(world.network.clock.nowMs()).toBe(before + 2 * seconds * 1000);
});

it('is refused to members who only read, and in the live environment', async () => {
  const reader = await generateKeyPairSigner();
  const { id: merchantId } = merchant.merchant;
  await inviteMember(world.ctx, { merchantId }, { walletAddress: reader.address, role: 'READ_ONLY' });
  const browser = new Browser(world);
  await browser.signIn(reader);
  expect(await graphqlError(browser.query(ADVANCE, { seconds: 1 }))).toMatchObject({
    code: 'authentication_error',
  });
  const live = new Browser(world, { environment: 'live' });
  await live.signIn(merchant.wallet);
  expect(await graphqlError(live.query(ADVANCE, { seconds: 1 }))).toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(/^The time cannot be moved here/),
  });
});

it('is refused if billing uses the clock of the machine', async () => {
  await callOtherApi({ config: { ...world.ctx.config, clock: 'system' } }, async (browser) => {
    expect((await browser.query(CAN_MOVE_TIME, {})).cluster.canMoveTime).toBe(false);
    expect(await graphqlError(browser.query(ADVANCE, { seconds: 1 }))).toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/^The time cannot be moved here/),
    });
  });
});

it('is refused on a cluster without the cheat code', async () => {
  const network = new Network({ slotMs: 0 });
  const server = await startRpcServer(network, { host: '127.0.0.1', port: 0 });
  const cluster = world.ctx.config.clusters.TEST;
  if (!cluster) throw new Error('No cluster');
  const chain = await createChain('TEST', { ...cluster, rpcUrl: `http://127.0.0.1:${server.port}` });
  const before = network.clock.nowMs();
  await callOtherApi({ chain: { TEST: chain } }, async (browser) => {
    expect((await browser.query(CAN_MOVE_TIME, {})).cluster.canMoveTime).toBe(false);
    expect(await graphqlError(browser.query(ADVANCE, { seconds: DAY }))).toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/^The time cannot be moved here/),
    });
  });
  expect(network.clock.nowMs() - before).toBeLessThan(DAY * 1000);
  await server.close();
});
