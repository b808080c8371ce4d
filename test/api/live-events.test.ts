import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi } from '../../src/api/server/server.ts';
import { createApiKey } from '../../src/domain/accounts/api-key/create-api-key.ts';
import { revokeApiKey } from '../../src/domain/accounts/api-key/revoke-api-key.ts';
import { eventCursor } from '../../src/domain/messages/event/event-cursor.ts';
import { eventTypes } from '../../src/domain/messages/event/types.ts';
import { relayEvents } from '../../src/domain/messages/relay/relay-events.ts';
import { type OpenStore, storesHere } from '../jobs/stores.ts';
import {
  ask,
  EVENTS,
  follow,
  type LiveEvent,
  type LiveWorld,
  readNewestCursor,
  startLiveWorld,
  take,
} from './live-world.ts';

describe.each(storesHere('the stream of events'))('the stream of events with the store $name', ({ open }) => {
  let store: OpenStore;
  let world: LiveWorld;

  beforeAll(async () => {
    store = await open();
    world = await startLiveWorld(store);
  });
  afterAll(async () => {
    await world.close();
    await store.close();
  });

  it('sends the events after a cursor as in webhooks, and then the new ones', async () => {
    const merchant = await world.newMerchant();
    const [firstProcess] = world.processes;
    const after = await readNewestCursor(firstProcess, merchant);
    const first = await world.record(merchant);
    await world.relay();
    const stream = follow(firstProcess, merchant.key, { after });
    expect((await stream.next()).value).toEqual({
      cursor: eventCursor(merchant.scope, 1n),
      id: first.id,
      type: 'subscription.expired',
      createdAt: first.createdAt.toISOString(),
      sequence: 1,
      data: first.data,
    });
    const next = stream.next();
    const second = await world.record(merchant);
    await world.relay();
    expect((await next).value).toMatchObject({ id: second.id, sequence: 2 });
    await stream.return(undefined);
  });

  it('sends each event once, across processes, with commits out of order', async () => {
    const merchant = await world.newMerchant(20);
    const after = await readNewestCursor(world.processes[0], merchant);
    const [RECORDERS, EACH] = [16, 40];
    const total = RECORDERS * EACH;
    let isOver = false;
    const relays = world.processes.map(async (process) => {
      while (!isOver) await world.relay(process);
    });
    // Every fifth transaction is held open until others have committed after it.
    const heldTransactions: (() => void)[] = [];
    const recorders = Array.from({ length: RECORDERS }, async (_, recorder) => {
      const { ctx } = world.processes[recorder % 2] ?? world.processes[0];
      for (let count = 0; count < EACH; count++) {
        await ctx.db.$transaction(async (tx) => {
          await world.recordIn(tx, merchant, undefined, recorder);
          if (count % 5 === 0 && recorder % 4 === 0)
            await new Promise<void>((resolve) => heldTransactions.push(resolve));
          else heldTransactions.shift()?.();
        });
      }
    });
    const allRecorded = Promise.all(recorders).then(() => undefined);
    const release = setInterval(() => heldTransactions.shift()?.(), 5);
    const readers = [7, 50, total].map(async (eventsPerVisit, reader) => {
      const received: LiveEvent[] = [];
      for (let visit = reader; received.length < total; visit++) {
        const process = world.processes[visit % 2] ?? world.processes[0];
        const stream = follow(process, merchant.key, { after: received.at(-1)?.cursor ?? after });
        received.push(...(await take(stream, Math.min(eventsPerVisit, total - received.length))));
      }
      return received;
    });
    const receivedByReader = await Promise.all(readers);
    await allRecorded;
    clearInterval(release);
    isOver = true;
    await Promise.all(relays);
    const ids = await world.eventIds(merchant);
    expect(ids).toHaveLength(total);
    for (const events of receivedByReader) {
      expect(events.map(({ id }) => id)).toEqual(ids);
      for (const subscriptionId of merchant.subscriptionIds.slice(0, RECORDERS)) {
        const sequences = events.filter(({ data }) => data.subscriptionId === subscriptionId);
        expect(sequences.map(({ sequence }) => sequence)).toEqual(
          Array.from({ length: EACH }, (_, n) => n + 1),
        );
      }
    }
  });

  it('sends events in the order in which their transactions commit, not begin', async () => {
    const merchant = await world.newMerchant();
    const [firstProcess, secondProcess] = world.processes;
    const stream = follow(firstProcess, merchant.key, {
      after: await readNewestCursor(firstProcess, merchant),
    });
    const next = () => stream.next().then(({ value }) => value.id);
    const [began, finish] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
    const slow = secondProcess.ctx.db.$transaction(async (tx) => {
      began.resolve((await world.recordIn(tx, merchant, undefined, 0)).id);
      await finish.promise;
    });
    const early = await began.promise;
    const committedFirst = await world.record(merchant, undefined, 1);
    expect(committedFirst.id > early).toBe(true);
    const first = next();
    await world.relay();
    expect(await first).toBe(committedFirst.id);
    finish.resolve();
    await slow;
    await world.relay();
    expect(await next()).toBe(early);
    await stream.return(undefined);
    const again = follow(secondProcess, merchant.key, { after: eventCursor(merchant.scope, 0n) });
    expect((await take(again, 2)).map(({ id }) => id)).toEqual([committedFirst.id, early]);
  });

  it('sends events without a notification', async () => {
    const merchant = await world.newMerchant();
    const [firstProcess, secondProcess] = world.processes;
    const stream = follow(firstProcess, merchant.key, {
      after: await readNewestCursor(firstProcess, merchant),
    });
    await world.record(merchant);
    await world.relay();
    // From now on the stream waits for new events.
    await stream.next();
    const next = stream.next();
    const { id } = await world.record(merchant);
    await relayEvents({
      ...secondProcess.ctx,
      live: { ...secondProcess.ctx.live, publish: async () => undefined },
    });
    expect((await next).value.id).toBe(id);
    await stream.return(undefined);
  });

  it('skips events of other types, and continues after them', async () => {
    const merchant = await world.newMerchant();
    const [firstProcess] = world.processes;
    const filter = { after: await readNewestCursor(firstProcess, merchant), types: ['subscription.resumed'] };
    for (let count = 0; count < 60; count++) await world.record(merchant);
    const resumed = await world.record(merchant, 'subscription.resumed');
    await world.relay();
    const stream = follow(firstProcess, merchant.key, filter);
    expect((await stream.next()).value.id).toBe(resumed.id);
    const next = stream.next();
    await world.record(merchant, 'subscription.cancelled');
    const again = await world.record(merchant, 'subscription.resumed');
    await world.relay();
    expect((await next).value.id).toBe(again.id);
    await stream.return(undefined);
  });

  it('never sends events of another merchant or environment', async () => {
    const [merchant, other] = [await world.newMerchant(), await world.newMerchant()];
    const [firstProcess] = world.processes;
    const live = { ...merchant.scope, environment: 'LIVE' as const };
    const { apiKey: liveKey } = await createApiKey(firstProcess.ctx, live, { name: 'live' });
    const ours = follow(firstProcess, merchant.key, { after: eventCursor(merchant.scope, 0n) });
    const next = ours.next();
    await world.record(other);
    await world.record({ ...merchant, scope: live });
    await world.relay();
    const own = await world.record(merchant);
    await world.relay();
    const { value } = await next;
    expect(value.id).toBe(own.id);
    for (const key of [other.key, liveKey]) {
      await expect(follow(firstProcess, key, { after: value.cursor }).next()).rejects.toMatchObject([
        { extensions: { code: 'invalid_request', param: 'after' } },
      ]);
    }
    await ours.return(undefined);
  });

  it.each([
    ['not a cursor', () => 'x', 'after must be the unchanged cursor of an event.'],
    ['empty', () => '', 'after must be the unchanged cursor of an event.'],
    [
      'followed by other text',
      (cursor: string) => `${cursor}!`,
      'after must be the unchanged cursor of an event.',
    ],
  ])('refuses a cursor that is %s', async (_, alter, message) => {
    const merchant = await world.newMerchant();
    const [firstProcess] = world.processes;
    const after = alter(await readNewestCursor(firstProcess, merchant));
    await expect(follow(firstProcess, merchant.key, { after }).next()).rejects.toMatchObject([
      { message, extensions: { code: 'invalid_request', param: 'after' } },
    ]);
  });

  it('refuses a cursor that was never issued, and one before the oldest event', async () => {
    const merchant = await world.newMerchant();
    const [firstProcess] = world.processes;
    const after = await readNewestCursor(firstProcess, merchant);
    for (let count = 0; count < 3; count++) await world.record(merchant);
    await world.relay();
    const ahead = follow(firstProcess, merchant.key, { after: eventCursor(merchant.scope, 4n) });
    await expect(ahead.next()).rejects.toMatchObject([{ extensions: { param: 'after' } }]);
    const ids = await world.eventIds(merchant);
    await world.db.event.deleteMany({ where: { id: { in: ids.slice(0, 2) } } });
    await expect(follow(firstProcess, merchant.key, { after }).next()).rejects.toMatchObject([
      { message: expect.stringContaining('no longer kept'), extensions: { param: 'after' } },
    ]);
    const remaining = await take(
      follow(firstProcess, merchant.key, { after: eventCursor(merchant.scope, 2n) }),
      1,
    );
    expect(remaining.map(({ id }) => id)).toEqual([ids[2]]);
  });

  it('refuses unknown types', async () => {
    const merchant = await world.newMerchant();
    const stream = follow(world.processes[0], merchant.key, { types: ['subscription.created', 'other'] });
    await expect(stream.next()).rejects.toMatchObject([
      {
        message: `types may contain ${eventTypes.join(', ')}.`,
        extensions: { code: 'invalid_request', param: 'types' },
      },
    ]);
  });

  it('refuses a wrong key', async () => {
    const answer = await ask(world.processes[0], 'sk_test_wrong', EVENTS);
    expect(answer.errors).toMatchObject([{ extensions: { code: 'authentication_error' } }]);
  });

  it('ends when its key is revoked, and continues after its cursor with another', async () => {
    const merchant = await world.newMerchant();
    const [firstProcess, secondProcess] = world.processes;
    const { key, apiKey } = await createApiKey(firstProcess.ctx, merchant.scope, { name: 'lost' });
    const stream = follow(firstProcess, apiKey, { after: await readNewestCursor(firstProcess, merchant) });
    const first = stream.next();
    await world.record(merchant);
    await world.relay();
    const { cursor } = (await first).value;
    const next = stream.next();
    await revokeApiKey(secondProcess.ctx, merchant.scope, key);
    await expect(next).rejects.toMatchObject({ code: 4403 });
    const missed = await world.record(merchant);
    await world.relay();
    const [event] = await take(follow(secondProcess, merchant.key, { after: cursor }), 1);
    expect(event?.id).toBe(missed.id);
  });

  it('reads an event once for all subscribers', async () => {
    const merchant = await world.newMerchant();
    const { ctx } = world.processes[0];
    let reads = 0;
    const db = ctx.db.$extends({
      query: {
        event: {
          findMany: ({ args, query }) => {
            reads++;
            return query(args);
          },
        },
      },
    }) as unknown as typeof ctx.db;
    const api = await startApi({ ...ctx, db });
    const after = await readNewestCursor({ ctx, api }, merchant);
    const streams = Array.from({ length: 40 }, () => follow({ ctx, api }, merchant.key, { after }));
    const first = streams.map((stream) => stream.next());
    await world.record(merchant);
    await world.relay();
    await Promise.all(first);
    reads = 0;
    const second = streams.map((stream) => stream.next());
    const { id } = await world.record(merchant);
    await world.relay();
    for (const { value } of await Promise.all(second)) expect(value.id).toBe(id);
    expect(reads).toBeLessThan(streams.length / 10);
    await Promise.all(streams.map((stream) => stream.return(undefined)));
    await api.close();
  });
});
