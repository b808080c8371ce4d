import { randomBytes, randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type NewSession, openSession } from '../../../src/domain/checkout/session/open-session.ts';
import type { Plan } from '../../../src/generated/prisma/client.ts';
import { recordStatements } from '../../../tools/statements.ts';
import { sharedByFile } from '../../support/shared-by-file.ts';
import { PRICE, startWorld } from '../world.ts';

const world = await sharedByFile(startWorld());
const newPlan = async () => world.publishPlan(await world.newMerchant());
const [plan, other] = [await newPlan(), await newPlan()];

const newSession = (
  { id: planId, merchantId, environment }: Plan,
  changes: Partial<NewSession> = {},
): NewSession => {
  const createdAt = world.ctx.clock.now();
  return {
    merchantId,
    environment,
    key: `key:${randomUUID()}`,
    fingerprint: randomBytes(32),
    onlyWhileOpen: false,
    id: `cs_${randomUUID()}`,
    planId,
    customerEmail: 'ada@example.com',
    customerId: '42',
    successUrl: 'https://shop.example.com/thanks',
    cancelUrl: 'https://shop.example.com/cart',
    metadata: { order: 7, 'ключ "\\': [null, 1.5, true] },
    createdAt,
    expiresAt: new Date(createdAt.getTime() + 60_000),
    priceId: null,
    discountId: null,
    allowsCodes: true,
    ...changes,
  };
};
const open = (session: NewSession) => openSession(world.db, session);

it('sessions of concurrent requests share a statement, each with its own columns', async () => {
  const sessions = [plan, other, plan, other].map((of, index) =>
    newSession(of, { customerEmail: `customer-${index}@example.com`, metadata: { index } }),
  );
  const statements = await recordStatements(async () => {
    const opened = await Promise.all(sessions.map(open));
    expect(opened.map((session) => session?.id)).toEqual(sessions.map(({ id }) => id));
  });
  expect(statements).toHaveLength(1);
  for (const { key, fingerprint, onlyWhileOpen: _, priceId: __, ...columns } of sessions) {
    expect(await world.db.checkoutSession.findUnique({ where: { id: columns.id } })).toMatchObject({
      ...columns,
      amount: PRICE,
    });
    expect(await world.db.idempotencyKey.findFirst({ where: { sessionId: columns.id } })).toMatchObject({
      key,
      fingerprint: Uint8Array.from(fingerprint),
      expiresAt: columns.expiresAt,
    });
  }
});

it('of equal keys in a statement the first opens its session', async () => {
  const first = newSession(plan);
  const second = newSession(plan, { key: first.key });
  const elsewhere = newSession(other, { key: first.key });
  const opened = await Promise.all([first, second, elsewhere].map(open));
  expect(opened.map((session) => session?.id)).toEqual([first.id, undefined, elsewhere.id]);
  expect(await open(newSession(plan, { key: first.key }))).toBeUndefined();
});

it('a key is free for another session once its own is over', async () => {
  const [expired, ended, kept] = [true, true, false].map((onlyWhileOpen) =>
    newSession(plan, { onlyWhileOpen }),
  ) as [NewSession, NewSession, NewSession];
  await Promise.all([expired, ended, kept].map(open));
  await world.db.checkoutSession.updateMany({
    where: { id: { in: [ended.id, kept.id] } },
    data: { status: 'EXPIRED' },
  });
  const again = [
    newSession(plan, { key: expired.key, createdAt: expired.expiresAt }),
    newSession(plan, { key: ended.key, onlyWhileOpen: true }),
    newSession(plan, { key: kept.key }),
  ];
  const opened = await Promise.all(again.map(open));
  expect(opened.map((session) => session?.id)).toEqual([again[0]?.id, again[1]?.id, undefined]);
});

it('a session that PostgreSQL refuses fails alone', async () => {
  const bad = newSession({ ...plan, id: randomUUID() });
  const [refused, opened] = await Promise.allSettled([open(bad), open(newSession(other))]);
  expect(refused).toMatchObject({ status: 'rejected', reason: { code: '23503' } });
  expect(opened).toMatchObject({ status: 'fulfilled', value: { status: 'OPEN' } });
  expect(await world.db.idempotencyKey.count({ where: { sessionId: bad.id } })).toBe(0);
});

it('a session waits alone for its plan, which a transaction holds', async () => {
  const [first, withOthers] = [newSession(plan), newSession(plan)];
  const isReleased = Promise.withResolvers<void>();
  const isLocked = Promise.withResolvers<void>();
  const locking = world.db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT FROM "Plan" WHERE "id" = ${plan.id}::uuid FOR UPDATE`;
    isLocked.resolve();
    await isReleased.promise;
  });
  await isLocked.promise;
  const done: string[] = [];
  const openAndNote = async (session: NewSession) => {
    await open(session);
    done.push(session.id);
  };
  const waiting = [openAndNote(first)];
  await turn();
  waiting.push(openAndNote(withOthers));
  const others = Array.from({ length: 3 }, () => newSession(other));
  await Promise.all(others.map(openAndNote));
  expect(done.toSorted()).toEqual(others.map(({ id }) => id).toSorted());
  isReleased.resolve();
  await Promise.all([locking, ...waiting]);
  expect(done).toEqual(expect.arrayContaining([first.id, withOthers.id]));
});
