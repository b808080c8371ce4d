import { address } from '@solana/kit';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { Mirror } from '../../../indexer/apply/mirror.ts';
import { setAside } from '../../../indexer/apply/set-aside.ts';
import { retryUnapplied } from '../../../indexer/repair/retry-unapplied.ts';
import { countUnapplied, MAX_UNAPPLIED } from '../../../src/domain/chain-state/mirror/unapplied-updates.ts';
import { startBareWorld } from '../../management/database.ts';
import { countBlocksRead } from '../../support/count-blocks-read.ts';
import { namedAddress } from '../../support/named-address.ts';
import { sharedByFile } from '../../support/shared-by-file.ts';
import { type Mode, startIndexerWorld } from '../world.ts';

/** Maximum database pages per statement, for any number of rows. */
const MAX_BLOCKS = 400;
const NOW = new Date('2026-12-01T00:00:00Z');
const log = pino({ level: 'silent' });

const world = await sharedByFile(startBareWorld());

async function insertUpdates(kind: 'open' | 'resolved', count: number): Promise<void> {
  const resolvedAt = kind === 'open' ? null : NOW;
  await world.db.$executeRaw`
    INSERT INTO "UnappliedUpdate" ("id", "environment", "kind", "subject", "slot", "payload", "error", "createdAt",
      "triedAt", "resolvedAt")
    SELECT gen_random_uuid(), 'TEST', 'account', ${kind} || n, 1, jsonb_build_object('address', n::text), 'broken',
      ${NOW}, ${NOW}, ${resolvedAt}::timestamptz
    FROM generate_series(1, ${count}::int) AS n`;
  await world.db.$executeRawUnsafe('ANALYZE "UnappliedUpdate"');
}

const countBlocks = (work: () => Promise<unknown>) => countBlocksRead(world.db, work);

test('setting an update aside costs the same beside a hundred thousand others', async () => {
  const ctx = { db: world.db, log, clock: { now: () => NOW } };
  const updateOf = (name: string) => ({
    subject: { kind: 'account', address: namedAddress(name) } as const,
    slot: 7n,
  });
  const setAsideUpdate = (name: string) => setAside(ctx, 'TEST', updateOf(name), new Error('broken'));
  await insertUpdates('resolved', 100_000);
  await insertUpdates('open', 5_000);
  expect(await setAsideUpdate('a')).toBe(true);
  expect(await setAsideUpdate('a')).toBe(true);
  expect(await countUnapplied(ctx, 'TEST')).toBe(5_001);
  expect(await countBlocks(() => setAsideUpdate('a'))).toBeLessThan(MAX_BLOCKS);
  expect(await countBlocks(() => countUnapplied(ctx, 'TEST'))).toBeLessThan(MAX_BLOCKS);
  await world.db
    .$executeRaw`UPDATE "UnappliedUpdate" SET "resolvedAt" = NULL WHERE "subject" LIKE 'resolved%'`;
  expect(await setAsideUpdate('b')).toBe(false);
  // An update that is already set aside needs no space.
  expect(await setAsideUpdate('a')).toBe(true);
  expect(await world.db.unappliedUpdate.count({ where: { subject: namedAddress('b') } })).toBe(0);
  expect(await countUnapplied(ctx, 'TEST')).toBe(MAX_UNAPPLIED);
});

test('if no more can be set aside, the position stays before the update', async () => {
  const indexing = await startIndexerWorld();
  const { TEST: chain } = indexing.ctx.chain;
  if (!chain) throw new Error('No chain');
  const onFailure = (error: unknown) => expect.unreachable(String(error));
  const mirror = new Mirror(indexing.ctx, chain, { position: 1n, onFailure });
  await indexing.db.$executeRaw`
    INSERT INTO "UnappliedUpdate" ("id", "environment", "kind", "subject", "slot", "payload", "error", "createdAt", "triedAt")
    SELECT gen_random_uuid(), 'TEST', 'account', n, 1, '{}', 'broken', ${NOW}, ${NOW}
    FROM generate_series(1, ${MAX_UNAPPLIED}::int) AS n`;
  const subject = { kind: 'transaction', signature: 'unreadable' } as const;
  await mirror.setAsideUnreadable({ subject, slot: 3n }, new Error('broken'));
  for (const slot of [2n, 3n, 4n]) mirror.completeBlock({ slot });
  expect(mirror.position).toBe(2n);
  expect(await mirror.run('another', async () => undefined)).toBe(true);
});

test.each<Mode>(['stream', 'polling'])(
  'by %s, a refused update is read again as soon as there is space',
  async (mode) => {
    const indexing = await startIndexerWorld(mode);
    await indexing.startIndexing();
    const plan = await indexing.publishActivePlan();
    const wallet = await indexing.subscribeWithoutCompleting(plan);
    await indexing.waitForSubscription(plan, wallet, 'ACTIVE');
    await indexing.waitUntilCaughtUp();
    const now = indexing.ctx.clock.now();
    const longAgo = new Date(now.getTime() - 86_400_000);
    await indexing.db.$executeRaw`
      INSERT INTO "UnappliedUpdate" ("id", "environment", "kind", "subject", "slot", "payload", "error", "createdAt", "triedAt")
      SELECT gen_random_uuid(), 'TEST', 'account', n, 1, '{}', 'broken', ${longAgo}, ${now}
      FROM generate_series(1, ${MAX_UNAPPLIED}::int) AS n`;
    await indexing.db.$executeRawUnsafe(`
      CREATE FUNCTION refuse_transfers() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'transfers are refused'; END $$`);
    await indexing.db.$executeRawUnsafe(`
      CREATE TRIGGER refuse_transfers BEFORE INSERT ON "ChainTransfer"
      FOR EACH ROW EXECUTE FUNCTION refuse_transfers()`);
    await indexing.pullByMerchant(plan, wallet);
    const pulledSlot = indexing.network.slot('confirmed');
    await indexing.eventually(async () =>
      expect(indexing.messages()).toContain(
        'update not applied, too many set aside: position kept before its slot',
      ),
    );
    await indexing.eventually(async () => {
      const position = await indexing.db.streamPosition.findUniqueOrThrow({ where: { environment: 'TEST' } });
      expect(Number(position.headSlot)).toBeGreaterThan(pulledSlot + 5);
      expect(Number(position.slot)).toBeLessThan(pulledSlot + 1);
    });
    await indexing.db.$executeRawUnsafe('DROP TRIGGER refuse_transfers ON "ChainTransfer"');
    await indexing.db.unappliedUpdate.updateMany({ data: { resolvedAt: now } });
    await indexing.eventually(async () => expect(await indexing.db.payment.count()).toBe(1));
    await indexing.waitUntilCaughtUp();
    expect(indexing.messages()).not.toContain('stream broken');
    expect(indexing.messages()).not.toContain('polling failed');
  },
);

test('a round retries a limited number of updates, those with the oldest attempt first', async () => {
  const indexing = await startIndexerWorld();
  const { TEST: chain } = indexing.ctx.chain;
  if (!chain) throw new Error('No chain');
  const mirror = new Mirror(indexing.ctx, chain, {
    position: 1n,
    onFailure: (error) => expect.unreachable(String(error)),
  });
  const now = indexing.ctx.clock.now().getTime();
  const unknownAddress = address('11111111111111111111111111111112');
  await indexing.db.unappliedUpdate.createMany({
    data: Array.from({ length: 60 }, (_, n) => ({
      environment: 'TEST',
      kind: 'account',
      slot: 0n,
      error: 'broken',
      subject: `${n}`,
      payload: { address: unknownAddress },
      createdAt: new Date(now - 60_000),
      triedAt: new Date(now - 60_000 - n),
    })),
  });
  await retryUnapplied(mirror);
  const unresolved = await indexing.db.unappliedUpdate.findMany({ where: { resolvedAt: null } });
  expect(unresolved.map(({ subject }) => Number(subject)).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 10 }, (_, n) => n),
  );
  await retryUnapplied(mirror);
  expect(await countUnapplied(indexing.ctx, 'TEST')).toBe(0);
});

test('the pause before the next attempt grows with the age, to a maximum', async () => {
  const indexing = await startIndexerWorld();
  const { TEST: chain } = indexing.ctx.chain;
  if (!chain) throw new Error('No chain');
  const onFailure = (error: unknown) => expect.unreachable(String(error));
  const mirror = new Mirror(indexing.ctx, chain, { position: 1n, onFailure });
  const now = indexing.ctx.clock.now().getTime();
  const unknownAddress = address('11111111111111111111111111111112');
  const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];
  const ages = {
    'just set aside': [0, 0],
    'tried once, due': [10 * SECOND, 5 * SECOND],
    'tried once, not due': [9 * SECOND, 4 * SECOND],
    'set aside before an outage': [HOUR, HOUR],
    'old, tried just now': [HOUR, MINUTE],
    'old, due by the maximum': [HOUR, 11 * MINUTE],
    'old, not due by the maximum': [HOUR, 9 * MINUTE],
    'tried when the clock was ahead': [-HOUR, -HOUR],
  } as const;
  await indexing.db.unappliedUpdate.createMany({
    data: Object.entries(ages).map(([subject, [created, tried]]) => ({
      environment: 'TEST',
      kind: 'account',
      slot: 0n,
      error: 'broken',
      subject,
      payload: { address: unknownAddress },
      createdAt: new Date(now - created),
      triedAt: new Date(now - tried),
    })),
  });
  await retryUnapplied(mirror);
  const unresolved = await indexing.db.unappliedUpdate.findMany({ where: { resolvedAt: null } });
  expect(unresolved.map(({ subject }) => subject).sort()).toEqual([
    'old, not due by the maximum',
    'old, tried just now',
    'tried once, not due',
  ]);
});
