import { beforeAll, expect, it } from 'vitest';
import { inviteMember } from '../../src/domain/accounts/member/invite-member.ts';
import { DAY } from '../domain/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { Browser } from './browser.ts';
import { CONFIRM_RESTORE_CHECK, UNCHECKED_RESTORE } from './team-documents.ts';
import { graphqlError, startApiWorld } from './world.ts';

const LOST = { lostFrom: new Date('2026-12-01T10:00:00Z'), lostUntil: new Date('2026-12-01T10:02:00Z') };
const TOLD = { lostFrom: LOST.lostFrom.toISOString(), lostUntil: LOST.lostUntil.toISOString() };

const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();
const [owner, reader, stranger] = [new Browser(world), new Browser(world), new Browser(world)];

beforeAll(async () => {
  await owner.signIn(merchant.wallet);
  const wallet = await world.newWallet();
  const scope = { merchantId: merchant.merchant.id };
  await inviteMember(world.ctx, scope, { walletAddress: wallet.address, role: 'READ_ONLY' });
  await reader.signIn(wallet);
  await stranger.signIn((await world.newMerchant()).wallet);
});

/** Begins a timeline of the database. */
const begin = (number: number, data: object = {}) =>
  world.db.databaseTimeline.create({ data: { environment: 'TEST', number, identity: 'unknown', ...data } });
const uncheckedFor = async (browser: Browser) =>
  (await browser.query(UNCHECKED_RESTORE, {})).viewer?.uncheckedRestore ?? null;
const confirm = (browser: Browser, number: number) => browser.query(CONFIRM_RESTORE_CHECK, { number });

it('a database that never came back needs no check', async () => {
  expect(await uncheckedFor(owner)).toBeNull();
  expect(await graphqlError(confirm(owner, 1))).toMatchObject({ code: 'not_found', param: 'number' });
});

it('after a restore, all members see it until one of them has checked', async () => {
  await begin(5, LOST);
  const shown = { number: 5, ...TOLD, isCollecting: false };
  expect(await uncheckedFor(owner)).toEqual(shown);
  expect(await uncheckedFor(reader)).toEqual(shown);
  expect(await uncheckedFor(owner.copyWith({ environment: 'live' }))).toBeNull();
  await world.db.databaseTimeline.updateMany({ where: { number: 5 }, data: { readAt: new Date() } });
  expect(await uncheckedFor(owner)).toEqual({ ...shown, isCollecting: true });

  const { confirmRestoreCheck } = await confirm(owner, 5);
  expect(confirmRestoreCheck).toEqual({ number: 5, checkedAt: world.ctx.clock.now().toISOString() });
  expect(await uncheckedFor(reader)).toBeNull();
  expect(await uncheckedFor(stranger)).toEqual({ ...shown, isCollecting: true });
  await world.travel(60);
  expect((await confirm(owner, 5)).confirmRestoreCheck).toEqual(confirmRestoreCheck);
  const where = { merchantId: merchant.merchant.id, action: 'restore.checked' };
  expect(await world.db.auditEntry.count({ where })).toBe(1);
});

it('two restores are shown as one, and a check of the older leaves the newer', async () => {
  await begin(6, { ...LOST, readAt: new Date() });
  await begin(7, { lostFrom: new Date('2026-12-02T00:00:00Z'), lostUntil: new Date('2026-12-03T00:00:00Z') });
  const newest = { number: 7, lostUntil: '2026-12-03T00:00:00.000Z', isCollecting: false };
  expect(await uncheckedFor(owner)).toEqual({ ...newest, lostFrom: TOLD.lostFrom });
  await confirm(owner, 6);
  expect(await uncheckedFor(owner)).toEqual({ ...newest, lostFrom: '2026-12-02T00:00:00.000Z' });
  await confirm(owner, 7);
  expect(await uncheckedFor(owner)).toBeNull();
});

it('read-only members and API keys cannot confirm', async () => {
  const refused = { code: 'authentication_error' };
  expect(await graphqlError(confirm(reader, 7))).toMatchObject(refused);
  for (const key of [merchant.testKey, undefined]) {
    expect(await graphqlError(world.query(key, CONFIRM_RESTORE_CHECK, { number: 7 }))).toMatchObject(refused);
  }
  expect(await graphqlError(confirm(owner, 8))).toMatchObject({ code: 'not_found', param: 'number' });
});

it('a merchant that came later has nothing to check', async () => {
  await world.travel(3 * DAY);
  const later = new Browser(world);
  await later.signIn((await world.newMerchant()).wallet);
  expect(await uncheckedFor(later)).toBeNull();
});
