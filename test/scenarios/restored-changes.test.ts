/** What somebody was told is done is done again, if Redis has it and the database came back without it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey } from '../../src/domain/accounts/api-key/create-api-key.ts';
import { beginTimeline } from '../../src/domain/maintenance/after-restore/begin-timeline.ts';
import { cancelInPortal, pauseInPortal, undoInPortal } from '../../src/domain/portal/change-subscription.ts';
import { keptChanges } from '../../src/jobs/kept-changes.ts';
import { findRedisServer, startRedis, type TestRedis } from '../../tools/redis-server.ts';
import { runDues } from '../../tools/world/dues-process.ts';
import { copyDatabase, putCopyBack } from './copied-database.ts';
import { DAY, type Subscriber, startWorld, type World } from './world.ts';

const binary = findRedisServer();
if (!binary) console.warn('SKIPPED: no redis-server: changes of the lost time are not put back');

describe.skipIf(!binary)('after the database came back, while Redis was not lost', () => {
  let redis: TestRedis;
  let world: World;
  let staying: Subscriber;
  let byPortal: Subscriber;
  let byMerchant: Subscriber;
  let undone: Subscriber;
  let returned: Subscriber;
  let paused: Subscriber;
  let resumed: Subscriber;
  let gifted: Subscriber;
  let key: Awaited<ReturnType<typeof createApiKey>>;

  const idOf = async (address: string) =>
    (await world.ctx.db.subscription.findFirstOrThrow({ where: { address } })).id;
  const inPortal = ({ wallet }: Subscriber) => ({
    sessionId: 'test',
    flow: 'ALL' as const,
    returnUrl: null,
    holder: { kind: 'wallet' as const, walletAddress: wallet.address },
  });
  const change = ({ id }: Subscriber, mutation: string) =>
    world.graphql(`mutation ($id: ID!) { ${mutation} { id } }`, { id });
  const statusWithKey = async () => {
    const headers = { authorization: `Bearer ${key.apiKey}` };
    return (await fetch(`${world.apiUrl}/api/subscriptions`, { headers })).status;
  };
  const cancelledEvents = ({ id }: Subscriber) =>
    world.receivedEvents(id).filter((type) => type.startsWith('cancel'));

  beforeAll(async () => {
    redis = await startRedis(binary ?? '');
    world = await startWorld({ redisUrl: redis.url });
    const plan = await world.plan();
    const allow =
      'mutation ($id: String!) { updatePlan(planId: $id, input: { maxPausedPeriods: 1 }) { planId } }';
    await world.graphql(allow, { id: plan });
    staying = await world.subscriber(plan);
    byPortal = await world.subscriber(plan);
    byMerchant = await world.subscriber(plan);
    undone = await world.subscriber(plan);
    returned = await world.subscriber(plan);
    [paused, resumed, gifted] = [
      await world.subscriber(plan),
      await world.subscriber(plan),
      await world.subscriber(plan),
    ];
    key = await createApiKey(world.ctx, world.scope, { name: 'leaked' });
    await world.quiet();
    await change(resumed, 'pauseSubscription(subscription: $id)');
    await world.stopWorkers();
    await world.mirrored();
    await world.stopIndexer();
    await copyDatabase(world.ctx.db);
    await world.startIndexer();
    await world.startWorkers();

    await cancelInPortal(world.ctx, inPortal(byPortal), await idOf(byPortal.id), { reason: 'not_used' }, {});
    const cancel = 'mutation ($id: ID!) { cancelSubscription(subscription: $id, when: NOW) { transaction } }';
    await world.graphql(cancel, { id: byMerchant.id });
    await cancelInPortal(world.ctx, inPortal(undone), await idOf(undone.id), {}, {});
    await undoInPortal(world.ctx, inPortal(undone), await idOf(undone.id), {});
    await world.graphql(cancel, { id: returned.id });
    const { approve, complete } = await world.checkout(plan, { wallet: returned.wallet });
    await complete(await approve());
    await world.graphql('mutation ($id: ID!) { revokeApiKey(id: $id) { id } }', { id: key.key.id });
    await pauseInPortal(world.ctx, inPortal(paused), await idOf(paused.id), 1, {});
    await change(resumed, 'unpauseSubscription(subscription: $id, chargeNow: false)');
    await change(gifted, 'grantFreePeriods(subscription: $id, count: 1)');
    await change(gifted, 'skipNextPayment(subscription: $id, keepsAccess: true)');
    await world.quiet();

    await world.stopWorkers();
    await world.mirrored();
    await world.stopIndexer();
    await putCopyBack(world.ctx.db);
    await beginTimeline(world.ctx, ['TEST'], world.ctx.clock.now());
    await world.jump(DAY);
  });
  afterAll(async () => {
    await world?.close();
    await redis?.stop();
  });

  it('Redis has only ids of what was changed', async () => {
    const kept = await keptChanges(world.ctx);
    expect(kept.map(({ kind }) => kind)).toEqual([
      'subscription.cancelled',
      'subscription.cancelled',
      'subscription.cancellation_undone',
      'subscription.cancellation_undone',
      'api_key.revoked',
      'subscription.paused',
      'subscription.unpaused',
      'subscription.paused',
    ]);
    const allowed = ['kind', 'merchantId', 'environment', 'id', 'when', 'byCustomer', 'waivers', 'at'];
    expect(kept.flatMap((change) => Object.keys(change)).filter((name) => !allowed.includes(name))).toEqual(
      [],
    );
  });

  it('a key that was revoked is refused again before the chain was read', async () => {
    expect(await statusWithKey()).toBe(200);
    await world.startWorkers();
    await world.until('the key is refused', async () => (await statusWithKey()) === 401);
    const open = { environment: 'TEST', readAt: null } as const;
    expect(await world.ctx.db.databaseTimeline.count({ where: open })).toBe(1);
  });

  it('nobody is charged who was told that the subscription is cancelled', async () => {
    await world.startIndexer();
    await world.until('the chain was read', async () => {
      const open = { environment: 'TEST', readAt: null } as const;
      return (await world.ctx.db.databaseTimeline.count({ where: open })) === 0;
    });
    await world.quiet();
    const paid = async ({ id }: Subscriber) => (await world.books(id)).length;
    expect([await paid(byPortal), await paid(byMerchant)]).toEqual([1, 1]);
    expect([await paid(staying), await paid(undone), await paid(returned)]).toEqual([2, 2, 2]);
    expect((await byPortal.state()).state).toBe('cancelled');
    expect((await byMerchant.state()).state).toBe('cancelled');
  });

  it('nobody is charged who was told that the payment is waived', async () => {
    const outcomes = async ({ id }: Subscriber) =>
      (await world.books(id)).map(({ status, waivedReason }) => waivedReason ?? status);
    expect(await outcomes(paused)).toEqual(['SUCCEEDED', 'PAUSED']);
    expect(await outcomes(gifted)).toEqual(['SUCCEEDED', 'FREE']);
    expect(await outcomes(resumed)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
    const names = (customer: Subscriber) => world.receivedEvents(customer.id).slice(-2);
    expect(names(paused)).toEqual(['paused', 'payment_waived']);
    expect(names(resumed)).toEqual(['unpaused', 'payment_succeeded']);
    const waivers = await world.ctx.db.waiver.findMany({
      where: { subscription: { address: { in: [paused.id, gifted.id] } }, endedAt: null },
      orderBy: { fromIndex: 'asc' },
    });
    expect(waivers).toMatchObject([
      { kind: 'PAUSE', fromIndex: 1, untilIndex: 2, actor: 'CUSTOMER', keepsAccess: false },
      { kind: 'FREE', fromIndex: 1, untilIndex: 2, actor: 'API_KEY' },
      { kind: 'PAUSE', fromIndex: 2, untilIndex: 3, actor: 'API_KEY', keepsAccess: true },
    ]);
  });

  it('the merchant gets the ordinary events, with the customer who cancelled', async () => {
    expect(cancelledEvents(byPortal).slice(1)).toEqual(['cancellation_scheduled', 'cancelled']);
    expect(cancelledEvents(byMerchant).slice(1)).toEqual(['cancelled']);
    const where = { targetId: await idOf(byPortal.id), action: 'subscription.cancelled' };
    expect(await world.ctx.db.auditEntry.findMany({ where })).toMatchObject([{ actor: 'CUSTOMER' }]);
  });

  it('collection waits for a kept change that cannot be read, until it is given up', async () => {
    const queue = (await world.ctx.jobs.queues()).find(({ job }) => job === 'changes.forget')?.queue;
    const data = { kind: 'subscription.cancelled', id: 'not an id' };
    await queue?.add('changes.forget', data, { jobId: 'unreadable', delay: DAY * 1_000 });
    await beginTimeline(world.ctx, ['TEST'], world.ctx.clock.now());
    const reason = () => world.logged.flatMap(({ err }) => `${err ?? ''}`).join();
    await world.until('the change is named', () => reason().includes('restores give-up'));
    expect(reason()).toContain('unreadable (payload refused');
    const open = () => world.ctx.db.databaseTimeline.count({ where: { environment: 'TEST', readAt: null } });
    expect(await open()).toBe(1);
    const giveUp = (id: string) =>
      runDues(['restores', 'give-up', id], {
        DATABASE_URL: world.ctx.config.databaseUrl,
        REDIS_URL: redis.url,
      });
    expect(await giveUp('no such id')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no kept change'),
    });
    expect(await giveUp('unreadable')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Given up: change unreadable'),
    });
    await world.until('the chain was read', async () => (await open()) === 0);
  });

  it('another timeline changes nothing more', async () => {
    const before = await world.ctx.db.auditEntry.count();
    await beginTimeline(world.ctx, ['TEST'], world.ctx.clock.now());
    await world.travel(DAY);
    expect(await world.ctx.db.auditEntry.count()).toBe(before);
    expect(await world.books(byPortal.id)).toHaveLength(1);
    expect((await world.books(paused.id)).map(({ status }) => status)).toEqual([
      'SUCCEEDED',
      'WAIVED',
      'SUCCEEDED',
    ]);
    expect(await world.books(staying.id)).toHaveLength(3);
  });
});
