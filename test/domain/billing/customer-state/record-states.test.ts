import { describe, expect, it, vi } from 'vitest';
import { updateRows } from '../../../../src/db/bulk.ts';
import { accessOf } from '../../../../src/domain/billing/customer-state/access.ts';
import { changedStates } from '../../../../src/domain/billing/customer-state/changed-states.ts';
import { getState } from '../../../../src/domain/billing/customer-state/get-states.ts';
import { markStates } from '../../../../src/domain/billing/customer-state/record-states.ts';
import { refreshStates } from '../../../../src/domain/billing/customer-state/refresh-states.ts';
import { updatePlan } from '../../../../src/domain/catalog/plan/update-plan.ts';
import type { Scope } from '../../../../src/domain/kernel/access/scope.ts';
import { inTransaction } from '../../../../src/jobs/in-transaction.ts';
import { seedMany } from '../../../management/many-rows.ts';
import { sharedByFile } from '../../../support/shared-by-file.ts';
import { SOON } from '../../../support/soon.ts';
import { startWorld } from '../../world.ts';

const world = await sharedByFile(startWorld());
const { ctx, db } = world;

const recordOf = (subscriptionId: string) =>
  inTransaction(ctx, async (tx) => markStates(tx, [subscriptionId], ctx.clock.now()));

function eventsOf({ merchantId, environment }: Scope) {
  return db.event.findMany({
    where: { merchantId, environment, type: 'customer.state_changed' },
    orderBy: { id: 'asc' },
  });
}

/** A merchant with a number of subscriptions, whose states were not recorded yet. */
async function merchantWith(count: number) {
  const { scope } = await world.newMerchant();
  await seedMany(db, scope, count);
  const subscriptions = await db.subscription.findMany({
    where: scope,
    select: { id: true, customerId: true },
  });
  const [first] = subscriptions;
  if (!first) throw new Error('no subscription was written');
  return { scope, subscriptions, first };
}

describe('the states of customers that there were before', () => {
  it('are recorded once without an event, page by page, and are in the changes then', async () => {
    const { scope } = await merchantWith(450);
    await db.stateRefresh.deleteMany();
    await db.stateRefresh.create({ data: scope });
    await refreshStates(ctx);
    expect(await db.customerState.count({ where: { ...scope, version: 1 } })).toBe(450);
    expect(await eventsOf(scope)).toEqual([]);
    expect(await db.stateRefresh.count()).toBe(0);
    const all = new Set<string>();
    let cursor: string | undefined;
    // A change is in the pages once no older transaction of the server is open.
    await vi.waitFor(async () => {
      for (let hasMore = true; hasMore; ) {
        const page = await changedStates(ctx, scope, cursor);
        for (const { customerId } of page.states) all.add(customerId);
        ({ cursor, hasMore } = page);
      }
      expect(all.size).toBe(450);
    }, SOON);
  });

  it('are read before they are recorded: the first read records them', async () => {
    const { scope } = await merchantWith(3);
    await db.stateRefresh.deleteMany();
    await db.stateRefresh.create({ data: scope });
    expect(await getState(ctx, scope, '=user-2')).toMatchObject({ hasAccess: true, version: 1 });
    expect(await eventsOf(scope)).toEqual([]);
    await refreshStates(ctx);
  });
});

describe('a change', () => {
  it('of a release that knows no states is recorded by the refresh, with its event', async () => {
    const { scope, first } = await merchantWith(1);
    const { id } = first;
    await db.stateRefresh.deleteMany();
    await recordOf(id);
    await db.$transaction(async (tx) => {
      await tx.subscription.update({ where: { id }, data: { status: 'EXPIRED', nextAttemptAt: null } });
      await tx.$executeRaw`
        INSERT INTO "SubscriptionTransition" ("id", "subscriptionId", "from", "to", "reason", "at")
        VALUES (gen_random_uuid(), ${id}::uuid, 'ACTIVE', 'EXPIRED', 'too_many_failures', ${ctx.clock.now()})`;
    });
    // A reader is not told what is no longer so, although nothing has refreshed yet.
    expect(await getState(ctx, scope, '=user-1')).toMatchObject({ hasAccess: false, version: 2 });
    await refreshStates(ctx);
    expect((await eventsOf(scope)).map(({ data }) => data)).toMatchObject([
      { version: 1, hasAccess: true },
      { version: 2, hasAccess: false, previous: { hasAccess: true } },
    ]);
    expect(await db.stateRefresh.count()).toBe(0);
  });

  it('of many customers by such a release is recorded 200 at a time', async () => {
    const { scope } = await merchantWith(450);
    await db.stateRefresh.deleteMany();
    await db.$executeRaw`
      INSERT INTO "SubscriptionTransition" ("id", "subscriptionId", "from", "to", "reason", "at")
      SELECT gen_random_uuid(), "id", 'PAST_DUE', 'ACTIVE', 'payment_recovered', ${ctx.clock.now()}
      FROM "Subscription" WHERE "merchantId" = ${scope.merchantId}::uuid`;
    await refreshStates(ctx);
    const states = await db.customerState.findMany({ where: scope });
    expect(states.map(({ version }) => version)).toEqual(Array.from({ length: 450 }, () => 1));
    expect(new Set(states.map(({ changedIn }) => changedIn)).size).toBe(3);
    expect(await eventsOf(scope)).toHaveLength(450);
    expect(await db.stateRefresh.count()).toBe(0);
  });

  it('of features reaches all customers of the plan, and none of another plan', async () => {
    const { scope } = await merchantWith(450);
    await db.stateRefresh.deleteMany();
    await db.stateRefresh.create({ data: scope });
    await refreshStates(ctx);
    await updatePlan(ctx, scope, 'big', { features: [{ key: 'export' }] });
    await refreshStates(ctx);
    const events = await eventsOf(scope);
    const open = await db.subscription.count({
      where: { ...scope, plan: { planId: 'big' }, status: { in: ['ACTIVE', 'PAST_DUE'] } },
    });
    expect(open).toBeGreaterThan(400);
    expect(events).toHaveLength(open);
    expect(new Set(events.map(({ data }) => (data as { customerId: string }).customerId)).size).toBe(open);
  });

  it('of the id that the merchant gave moves the subscription to the other customer', async () => {
    const { scope, first } = await merchantWith(1);
    const { id, customerId } = first;
    await db.stateRefresh.deleteMany();
    await recordOf(id);
    await db.customer.update({ where: { id: customerId }, data: { customerId: 'renamed' } });
    await refreshStates(ctx);
    expect(await getState(ctx, scope, '=user-1')).toMatchObject({
      hasAccess: false,
      version: 2,
      subscriptions: [],
    });
    expect(await getState(ctx, scope, 'renamed')).toMatchObject({ hasAccess: true, version: 1 });
    expect(await getState(ctx, scope, customerId)).toMatchObject({ hasAccess: false, version: 0 });
    await db.customer.update({ where: { id: customerId }, data: { customerId: null } });
    await refreshStates(ctx);
    expect(await getState(ctx, scope, customerId)).toMatchObject({ hasAccess: true, version: 1 });
  });

  it('by two transactions at once gives two versions, the last one with both changes', async () => {
    const { scope, subscriptions, first } = await merchantWith(2);
    await db.customer.updateMany({ where: scope, data: { customerId: 'both' } });
    await db.stateRefresh.deleteMany();
    await recordOf(first.id);
    const expire = (id: string) =>
      inTransaction(ctx, async (tx) => {
        await tx.subscription.update({ where: { id }, data: { status: 'EXPIRED', nextAttemptAt: null } });
        await markStates(tx, [id], ctx.clock.now());
      });
    await Promise.all(subscriptions.map(({ id }) => expire(id)));
    const events = await eventsOf(scope);
    expect(events.map(({ data }) => data)).toMatchObject([
      { version: 1, hasAccess: true },
      { version: 2, hasAccess: true },
      { version: 3, hasAccess: false },
    ]);
  });
});

describe('a database that was restored into another cluster', () => {
  it('still has all states, and gives versions above lost ones', async () => {
    const { scope, first } = await merchantWith(2);
    await db.stateRefresh.deleteMany();
    await db.stateRefresh.create({ data: scope });
    await refreshStates(ctx);
    const { cursor } = await changedStates(ctx, scope, undefined);
    const { number } = (await db.databaseTimeline.findFirst({ orderBy: { number: 'desc' } })) ?? {
      number: 1,
    };
    // The numbers of the old cluster's transactions are higher than any of this one.
    await db.customerState.updateMany({ where: scope, data: { changedIn: 2n ** 62n } });
    const later = { number: number + 1, identity: 'unknown' };
    await db.databaseTimeline.create({ data: { environment: 'TEST', ...later } });
    await expect(changedStates(ctx, scope, cursor)).rejects.toThrow('The database was replaced');
    const all = await changedStates(ctx, scope, undefined);
    expect(all.states.map(({ version }) => version)).toEqual([1, 1]);
    await db.$transaction((tx) => tx.subscription.update({ where: { id: first.id }, data: EXPIRED }));
    await recordOf(first.id);
    await vi.waitFor(async () => {
      const next = await changedStates(ctx, scope, all.cursor);
      expect(next.states).toMatchObject([{ version: number * 1_000 + 1, hasAccess: false }]);
    }, SOON);
    await db.databaseTimeline.deleteMany({ where: later });
  });

  it.each([
    ['of another merchant', ['TEST', '00000000-0000-7000-8000-000000000000', 1, 1, '1', 'a']],
    ['whose number is too large', ['TEST', undefined, 1, 1, '9999999999999999999', 'a']],
    ['with an id that cannot be stored', ['TEST', undefined, 1, 1, '1', '\0']],
  ])('refuses a cursor %s', async (_, fields) => {
    const { scope } = await world.newMerchant();
    const text = JSON.stringify(fields.map((field) => field ?? scope.merchantId));
    const cursor = Buffer.from(text).toString('base64url');
    await expect(changedStates(ctx, scope, cursor)).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'cursor',
    });
  });
});

it('a document that this release cannot read is written again, and stops nothing', async () => {
  const { scope, first } = await merchantWith(1);
  await db.stateRefresh.deleteMany();
  await recordOf(first.id);
  await db.customerState.updateMany({ where: scope, data: { document: { access: 'of a later release' } } });
  await recordOf(first.id);
  expect(await getState(ctx, scope, '=user-1')).toMatchObject({ hasAccess: true, version: 2 });
});

const EXPIRED = { status: 'EXPIRED', nextAttemptAt: null } as const;

it('a thousand random changes give no equal states in a row, and no version twice', async () => {
  const { scope, subscriptions } = await merchantWith(12);
  await db.$executeRaw`UPDATE "Customer" SET "customerId" = 'user-' || (substr("customerId", 7)::int % 4)
    WHERE "merchantId" = ${scope.merchantId}::uuid`;
  await db.stateRefresh.deleteMany();
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  for (let batch = 0; batch < 100; batch++) {
    const changes = Array.from({ length: 10 }, () => {
      const status = (['ACTIVE', 'PAST_DUE', 'CANCELLED', 'EXPIRED'] as const)[random(4)];
      const isOver = status === 'CANCELLED' || status === 'EXPIRED';
      const end = new Date(ctx.clock.now().getTime() + (random(5) - 2) * 3_600_000);
      return {
        id: subscriptions[random(subscriptions.length)]?.id ?? '',
        status,
        accessUntil: isOver && random(3) > 0 ? end : null,
        failureCount: status === 'PAST_DUE' ? 1 : 0,
        cancelAtPeriodEnd: status === 'ACTIVE' && random(4) === 0,
        ...randomPause(random, ctx.clock.now()),
      };
    });
    await inTransaction(ctx, async (tx) => {
      const columns = [
        ...(['status', 'accessUntil', 'failureCount', 'cancelAtPeriodEnd'] as const),
        ...(['pausedFrom', 'pausedUntil', 'pauseKeepsAccess'] as const),
      ] as const;
      await updateRows(tx, 'Subscription', columns, changes as never);
      const ids = changes.map(({ id }) => id);
      await markStates(tx, ids, ctx.clock.now());
    });
  }
  const events = (await eventsOf(scope)).map(({ data }) => data as unknown as Told);
  expect(events.length).toBeGreaterThan(150);
  for (const [customerId, all] of Map.groupBy(events, (event) => event.customerId)) {
    const inOrder = all.toSorted((a, b) => a.version - b.version);
    expect(inOrder.map(({ version }) => version)).toEqual(inOrder.map((_, index) => index + 1));
    for (const [index, event] of inOrder.entries()) {
      const before = inOrder[index - 1];
      if (!before) continue;
      const { version: _, previous, ...state } = event;
      const { version: __, previous: ___, ...stateBefore } = before;
      expect(state).not.toEqual(stateBefore);
      expect(previous).toEqual({ hasAccess: before.hasAccess, features: before.features });
    }
    const { asOf: _, ...now } = await getState(ctx, scope, customerId);
    const { previous: __, ...last } = inOrder.at(-1) as Told;
    expect({ ...now, validUntil: now.validUntil?.toISOString() ?? null }).toEqual(last);
    // What the rows say, without any event.
    const rows = await db.subscription.findMany({ where: { ...scope, customer: { customerId } } });
    const accesses = rows.map((row) => accessOf(row, ctx.clock.now()));
    expect(last.hasAccess).toBe(accesses.some(({ hasAccess }) => hasAccess));
    const told = new Map(last.subscriptions.map(({ subscriptionId, reason }) => [subscriptionId, reason]));
    expect(told).toEqual(new Map(rows.map(({ address }, index) => [address, accesses[index]?.reason])));
  }
});

/** No pause, or one that begins or ends within three hours, or does not end. */
function randomPause(random: (below: number) => number, now: Date) {
  const at = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
  const from = random(3) - 1;
  const isPaused = random(3) === 0;
  return {
    pausedFrom: isPaused ? at(from) : null,
    pausedUntil: isPaused && random(3) > 0 ? at(from + 1 + random(2)) : null,
    pauseKeepsAccess: isPaused && random(2) === 0,
  };
}

interface Told {
  readonly customerId: string;
  readonly version: number;
  readonly hasAccess: boolean;
  readonly features: object;
  readonly previous: object | null;
  readonly subscriptions: readonly { readonly subscriptionId: string; readonly reason: string }[];
}
