import { expect, it } from 'vitest';
import { confirmRestoreCheck } from '../../src/domain/maintenance/after-restore/confirm-restore-check.ts';
import { openRestores } from '../../src/domain/maintenance/after-restore/open-restores.ts';
import { runDues } from '../../tools/world/dues-process.ts';
import { startWorld } from '../domain/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

const world = await sharedByFile(startWorld());
const { db, ctx } = world;
const LOST_FROM = new Date('2026-12-01T12:00:00Z');
const LOST_UNTIL = new Date('2026-12-01T12:02:00Z');
const READ_AT = new Date('2026-12-01T12:03:00Z');
const minutesBefore = (minutes: number) => new Date(LOST_FROM.getTime() - minutes * 60_000);

const restores = () => runDues(['restores'], { DATABASE_URL: ctx.config.databaseUrl });

it('says that nothing was lost, then which merchants were active and have checked', async () => {
  expect(await restores()).toMatchObject({
    code: 0,
    stderr: '',
    stdout: /^The database has never come back/,
  });

  const [busy, checked, idle] = [
    await world.newMerchant(),
    await world.newMerchant(),
    await world.newMerchant(),
  ];
  const log = (merchantId: string, minutes: number) =>
    db.auditEntry.create({
      data: {
        merchantId,
        action: 'settings.updated',
        targetId: merchantId,
        actor: 'OPERATOR',
        changes: {},
        createdAt: minutesBefore(minutes),
      },
    });
  await log(busy.merchant.id, 5);
  await log(busy.merchant.id, 50);
  await log(checked.merchant.id, 1);
  await log(idle.merchant.id, 61);
  await db.databaseTimeline.create({
    data: { environment: 'TEST', number: 5, identity: 'unknown', lostFrom: LOST_FROM, lostUntil: LOST_UNTIL },
  });
  await confirmRestoreCheck(ctx, checked.scope, { number: 5 });
  const held = await restores();
  expect(held).toMatchObject({ code: 0, stderr: '' });
  expect(held.stdout).toContain('rows written from 2026-12-01T12:00:00.000Z until 2026-12-01T12:02:00.000Z');
  expect(held.stdout).toContain(
    'test: nothing is collected until the chain has been read: 0 payments are held',
  );

  await db.databaseTimeline.updateMany({ data: { readAt: READ_AT } });
  const range = { merchantId: busy.merchant.id, environment: 'TEST', createdAt: READ_AT } as const;
  await db.voidReceipts.create({ data: { ...range, first: 4, last: 6 } });
  const { stdout } = await restores();
  expect(stdout).toContain('test: payments have been collected again since 2026-12-01T12:03:00.000Z');
  expect(stdout).toContain('test: 3 receipt numbers are void');
  const rows = stdout.split('\n').filter((line) => /^[0-9a-f]{8}-/.test(line));
  expect(rows.map((row) => row.split(/ {2,}/))).toEqual([
    [busy.merchant.id, 'Acme', 'no', '0', '0', '0', '2'],
    [checked.merchant.id, 'Acme', ctx.clock.now().toISOString(), '0', '0', '0', '1'],
  ]);
});

it('names at most 50 merchants, and counts the others', async () => {
  for (let count = 0; count < 50; count += 1) {
    const { merchant } = await world.newMerchant();
    await db.apiKey.create({
      data: {
        merchantId: merchant.id,
        environment: 'TEST',
        name: 'key',
        hash: Buffer.from(merchant.id),
        lastFour: 'abcd',
        createdAt: minutesBefore(1),
      },
    });
  }
  const [restore] = await openRestores(ctx, 'TEST');
  expect(restore).toMatchObject({ moreMerchants: 2, voidReceipts: 3 });
  expect(restore?.merchants).toHaveLength(50);
  expect(restore?.merchants[0]).toMatchObject({ changes: 2, keys: 0 });
  expect(restore?.merchants[2]).toMatchObject({ changes: 0, keys: 1, checkedAt: null });
});

it('shows an earlier one too, until each merchant that was active then has checked', async () => {
  await db.apiKey.deleteMany();
  const unchecked = () => openRestores(ctx, 'TEST').then((all) => all.map(({ number }) => number));
  expect(await unchecked()).toEqual([5]);
  const later = new Date(LOST_UNTIL.getTime() + 86_400_000);
  await db.databaseTimeline.create({
    data: {
      environment: 'TEST',
      number: 6,
      identity: 'again',
      lostFrom: later,
      lostUntil: later,
      readAt: later,
    },
  });
  expect(await unchecked()).toEqual([6, 5]);
  const { merchantId } = await db.auditEntry.findFirstOrThrow({ where: { createdAt: minutesBefore(5) } });
  await confirmRestoreCheck(ctx, { merchantId, environment: 'TEST' }, { number: 6 });
  expect(await unchecked()).toEqual([6]);
});
