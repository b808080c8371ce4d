import { expect, it } from 'vitest';
import { type AdvisoryLock, advisoryLock, tryAdvisoryLock } from '../../src/db/advisory-locks.ts';
import { Prisma } from '../../src/generated/prisma/client.ts';
import { sourceFiles } from '../../tools/scripts/layers.ts';
import { takeDatabase } from '../support/shared-database.ts';

const { db } = await takeDatabase();

/** A part of each lock that has parts. */
const PARTS: Readonly<Record<AdvisoryLock, string>> = {
  ...{ timers: '', migration: '', testClock: '', relay: '', address: "'a'" },
  ...{ relayBucket: '1', deliveryLines: '1', receivers: '1', sponsoring: '1', indexer: '1' },
};

it('all locks can be held at once, each by its own key', async () => {
  await db.$transaction(async (tx) => {
    for (const [lock, part] of Object.entries(PARTS)) {
      await tx.$executeRaw`SELECT ${Prisma.raw(advisoryLock(lock as AdvisoryLock, part))}`;
    }
    const [{ keys = 0 } = {}] = await tx.$queryRaw<{ keys: number }[]>`
      SELECT count(DISTINCT ("classid", "objid", "objsubid"))::int AS "keys" FROM pg_locks
      WHERE "locktype" = 'advisory' AND "pid" = pg_backend_pid()`;
    expect(keys).toBe(Object.keys(PARTS).length);
  });
});

it('a lock of another session is not taken, and is free when that one ends', async () => {
  const attempt = Prisma.sql`SELECT ${Prisma.raw(tryAdvisoryLock('indexer', '9'))} AS "taken"`;
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT ${Prisma.raw(advisoryLock('indexer', '9'))}`;
    expect(await db.$queryRaw(attempt)).toEqual([{ taken: false }]);
  });
  await db.$transaction(async (tx) => {
    expect(await tx.$queryRaw(attempt)).toEqual([{ taken: true }]);
    await tx.$executeRaw`SELECT pg_advisory_unlock_all()`;
  });
});

it('no other file takes an advisory lock', async () => {
  const calls = [...(await sourceFiles())]
    .filter(([path, text]) => /^(?:src|indexer|workers|bin)\//.test(path) && /pg_\w*advisory/.test(text))
    .map(([path]) => path);
  expect(calls).toEqual(['src/db/advisory-locks.ts']);
});
