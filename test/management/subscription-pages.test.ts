import { beforeEach, expect, it } from 'vitest';
import {
  countSubscriptions,
  foldSubscriptionCounts,
} from '../../src/domain/billing/read/count-subscriptions.ts';
import {
  ALL_ROWS,
  readSubscriptionPage,
  readSubscriptions,
} from '../../src/domain/billing/read/read-subscriptions.ts';
import type { Scope } from '../../src/domain/kernel/access/scope.ts';
import { NEWEST_FIRST } from '../../src/domain/kernel/paging/list-position.ts';
import { seedSubscriptions } from '../api/seed.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { startBareWorld } from './database.ts';

const world = await sharedByFile(startBareWorld());

let scope: Scope;
let stranger: Scope;
beforeEach(async () => {
  [scope, stranger] = [await world.newScope(), await world.newScope()];
  await seedSubscriptions(world.db, scope, 5, scope.merchantId);
  await seedSubscriptions(world.db, stranger, 2, stranger.merchantId);
});

const readAll = () =>
  world.db.subscription.findMany({
    where: { ...scope },
    include: { plan: true, customer: true },
    orderBy: NEWEST_FIRST,
  });

it('a page that is read in one statement equals the rows that Prisma reads', async () => {
  const { data, total } = await readSubscriptionPage(world.db, scope, { skip: 0, take: 20 }, ALL_ROWS);
  expect(data).toEqual(await readAll());
  expect(total).toBe(5);
});

it('each row of a page has its own plan, in any order', async () => {
  const [, second, , fourth] = await readAll();
  if (!second || !fourth) throw new Error('not seeded');
  const { id: _, ...plan } = second.plan;
  const other = await world.db.plan.create({
    data: { ...plan, planId: 'other', address: `${plan.address}-other` },
  });
  await world.db.subscription.updateMany({
    where: { id: { in: [second.id, fourth.id] } },
    data: { planId: other.id },
  });
  const { data } = await readSubscriptionPage(world.db, scope, { skip: 0, take: 20 }, ALL_ROWS);
  expect(data.map(({ plan }) => plan.planId)).toEqual(['seeded', 'other', 'seeded', 'other', 'seeded']);
  expect(data).toEqual(await readAll());
});

it('pages by number and by cursor are parts of the same list', async () => {
  const rows = await readAll();
  const [first, second] = [
    await readSubscriptionPage(world.db, scope, { skip: 0, take: 2 }, ALL_ROWS),
    await readSubscriptionPage(world.db, scope, { skip: 2, take: 2 }, ALL_ROWS),
  ];
  expect([...first.data, ...second.data]).toEqual(rows.slice(0, 4));
  expect(await readSubscriptions(world.db, scope, { before: rows[1], take: 2 }, ALL_ROWS)).toEqual(
    rows.slice(2, 4),
  );
});

it('a page beyond the last one is empty, and has the total', async () => {
  expect(await readSubscriptionPage(world.db, scope, { skip: 20, take: 20 }, ALL_ROWS)).toEqual({
    data: [],
    total: 5,
  });
});

it('the count is exact for any folded part, even with concurrent folds', async () => {
  expect(await countSubscriptions(world.db, scope)).toBe(5);
  await Promise.all([1, 2, 3].map(() => foldSubscriptionCounts(world)));
  expect(await countSubscriptions(world.db, scope)).toBe(5);
  const [removed] = await readAll();
  await world.db.subscriptionTransition.deleteMany({ where: { subscriptionId: removed?.id ?? '' } });
  await world.db.subscription.delete({ where: { id: removed?.id ?? '' } });
  expect(await countSubscriptions(world.db, scope)).toBe(4);
  await foldSubscriptionCounts(world);
  expect(await countSubscriptions(world.db, scope)).toBe(4);
  expect(await countSubscriptions(world.db, stranger)).toBe(2);
  expect(await countSubscriptions(world.db, { ...scope, environment: 'LIVE' })).toBe(0);
});
