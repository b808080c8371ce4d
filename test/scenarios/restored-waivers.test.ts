/** Waivers of the lost time that do not fit the restored database stop nobody's collection. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginTimeline } from '../../src/domain/maintenance/after-restore/begin-timeline.ts';
import { findRedisServer, startRedis, type TestRedis } from '../../tools/redis-server.ts';
import { runDues } from '../../tools/world/dues-process.ts';
import { copyDatabase, putCopyBack } from './copied-database.ts';
import { DAY, HOUR, type Subscriber, startWorld, type World } from './world.ts';

const binary = findRedisServer();
if (!binary) console.warn('SKIPPED: no redis-server: waivers of the lost time are not put back');
const PERIOD = 10 * DAY;

describe.skipIf(!binary)('after a restore, with kept waivers that do not fit the database', () => {
  let redis: TestRedis;
  let world: World;
  let staying: Subscriber;
  let again: Subscriber;
  let early: Subscriber;
  let refused: Subscriber;
  let lapsed: Subscriber;

  const change = ({ id }: Subscriber, mutation: string) =>
    world.graphql(`mutation ($id: ID!) { ${mutation} { id } }`, { id });
  const idOf = async ({ id: address }: Subscriber) =>
    (await world.ctx.db.subscription.findFirstOrThrow({ where: { address } })).id;
  const waiversOf = async (subscriber: Subscriber) => {
    const where = { subscriptionId: await idOf(subscriber), endedAt: null };
    const waivers = await world.ctx.db.waiver.findMany({ where, orderBy: { fromIndex: 'asc' } });
    return waivers.map(({ kind, fromIndex, untilIndex }) => [kind, fromIndex, untilIndex]);
  };

  beforeAll(async () => {
    redis = await startRedis(binary ?? '');
    world = await startWorld({ redisUrl: redis.url });
    const plan = await world.plan({ interval: PERIOD });
    [staying, again] = [await world.subscriber(plan), await world.subscriber(plan)];
    [early, refused] = [await world.subscriber(plan), await world.subscriber(plan)];
    lapsed = await world.subscriber(await world.plan({ interval: DAY }));
    await world.quiet();
    await change(again, 'pauseSubscription(subscription: $id)');
    await change(lapsed, 'pauseSubscription(subscription: $id, periods: 1)');
    await world.stopWorkers();
    await world.mirrored();
    await world.stopIndexer();
    await copyDatabase(world.ctx.db);
    await world.startIndexer();
    await world.startWorkers();

    await change(again, 'unpauseSubscription(subscription: $id, chargeNow: false)');
    await world.travel(DAY + HOUR);
    await world.travel(DAY);
    await change(lapsed, 'grantFreePeriods(subscription: $id, count: 1)');
    for (const subscriber of [again, early, refused]) {
      await change(subscriber, 'pauseSubscription(subscription: $id, periods: 1)');
    }
    await world.quiet();

    await world.stopWorkers();
    await world.mirrored();
    await world.stopIndexer();
    await putCopyBack(world.ctx.db);
    await beginTimeline(world.ctx, ['TEST'], world.ctx.clock.now());
  });
  afterAll(async () => {
    await world?.close();
    await redis?.stop();
  });

  it('a change before the chain was read comes after the kept ones', async () => {
    await change(early, 'grantFreePeriods(subscription: $id, count: 1)');
    expect(await waiversOf(early)).toEqual([
      ['PAUSE', 1, 2],
      ['FREE', 2, 3],
    ]);
  });

  it('the chain is read to its end, and the others are collected', async () => {
    // As a change whose record did not reach Redis.
    const made = { kind: 'FREE', fromIndex: 0, untilIndex: 5, keepsAccess: true, actor: 'OPERATOR' } as const;
    const createdAt = world.ctx.clock.now();
    await world.ctx.db.waiver.create({
      data: { ...made, subscriptionId: await idOf(refused), createdAt },
    });
    await world.jump(PERIOD - HOUR);
    await world.startWorkers();
    await world.startIndexer();
    await world.until('the chain was read', async () => {
      const open = { environment: 'TEST', readAt: null } as const;
      return (await world.ctx.db.databaseTimeline.count({ where: open })) === 0;
    });
    await world.quiet();
    const outcomes = async ({ id }: Subscriber) =>
      (await world.books(id)).map(({ status, waivedReason }) => waivedReason ?? status);
    expect(await outcomes(staying)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
    expect(await outcomes(again)).toEqual(['SUCCEEDED', 'PAUSED']);
    expect(await outcomes(early)).toEqual(['SUCCEEDED', 'PAUSED']);
    expect((await outcomes(lapsed)).slice(0, 4)).toEqual(['SUCCEEDED', 'PAUSED', 'SUCCEEDED', 'FREE']);
    expect(await waiversOf(again)).toEqual([['PAUSE', 1, 2]]);
    expect(await waiversOf(early)).toEqual([
      ['PAUSE', 1, 2],
      ['FREE', 2, 3],
    ]);
  });

  it('the operator is told which change could not be made again', async () => {
    const { stdout } = await runDues(['restores'], { DATABASE_URL: world.ctx.config.databaseUrl });
    const told = stdout.split('\n').filter((line) => line.includes('could not be done again'));
    expect(told).toEqual([
      expect.stringContaining(
        `subscription.paused of ${await idOf(refused)} (merchant ${world.scope.merchantId})`,
      ),
    ]);
  });
});
