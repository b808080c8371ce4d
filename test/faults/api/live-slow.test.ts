import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { TOO_SLOW } from '../../../src/api/graphql/live/open-stream.ts';
import {
  EVENTS,
  follow,
  type LiveEvent,
  type LiveMerchant,
  type Process,
  readNewestCursor,
  startLiveWorld,
  take,
} from '../../api/live-world.ts';
import { storesHere } from '../../jobs/stores.ts';
import { sharedByFile } from '../../support/shared-by-file.ts';

// Much more than the network buffers hold.
const COUNT = 3_000;
const PADDING = 'x'.repeat(20_000);
/** Longer than the server waits before it disconnects a slow reader. */
const CLOSE_TIMEOUT_MS = 25_000;

const [postgres] = storesHere('slow readers');
if (!postgres) throw new Error('No store');
const store = await sharedByFile(postgres.open());
const world = await sharedByFile(startLiveWorld(store));

/** Records more events after the cursor `after` than a subscriber may leave unread. */
async function recordFlood(): Promise<{ merchant: LiveMerchant; after: string; ids: string[] }> {
  const merchant = await world.newMerchant(1);
  const after = await readNewestCursor(world.processes[0], merchant);
  const { id } = await world.record(merchant, undefined, 0, PADDING);
  await world.db.$executeRaw`
    INSERT INTO "Event" ("id", "merchantId", "environment", "type", "subscriptionId", "sequence", "data", "createdAt")
    SELECT gen_random_uuid(), "merchantId", "environment", "type", "subscriptionId", n, "data", "createdAt"
    FROM "Event", generate_series(2, ${COUNT}) AS n WHERE "id" = ${id}::uuid`;
  await world.relay();
  return { merchant, after, ids: await world.eventIds(merchant) };
}

/** Resolves when a process has disconnected its only reader. */
function waitUntilCutOff({ ctx }: Process): Promise<void> {
  const isCutOff = () =>
    expect(ctx.logged.some((line) => line.includes('slow reader disconnected'))).toBe(true);
  return vi.waitFor(isCutOff, CLOSE_TIMEOUT_MS);
}

/** Reads the events after `received`, and expects that none is missing or repeated. */
async function expectComplete({ key }: LiveMerchant, received: readonly LiveEvent[], ids: readonly string[]) {
  expect(received.length).toBeLessThan(ids.length);
  const stream = follow(world.processes[0], key, { after: received.at(-1)?.cursor });
  const missing = await take(stream, ids.length - received.length);
  expect([...received, ...missing].map(({ id }) => id)).toEqual(ids);
}

/** Opens a socket that can stop reading, which a GraphQL client library would hide. */
async function connect({ api }: Process, key: string) {
  const client = new WebSocket(`${api.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const received: { type: string; payload: { data: { events: LiveEvent } } }[] = [];
  client.on('message', (text) => received.push(JSON.parse(String(text))));
  await once(client, 'open');
  client.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${key}` } }));
  await vi.waitFor(() => expect(received).toEqual([{ type: 'connection_ack' }]), CLOSE_TIMEOUT_MS);
  return {
    client,
    received,
    subscribe: (query: string, variables = {}) =>
      client.send(JSON.stringify({ type: 'subscribe', id: '1', payload: { query, variables } })),
    /** Reads until the socket is closed; returns the reason. */
    async readUntilClosed(): Promise<[code: number, reason: string]> {
      const closed = once(client, 'close');
      client.resume();
      const [code, reason] = await closed;
      return [code, String(reason)];
    },
  };
}

describe.concurrent('a client that does not read', () => {
  it('is disconnected from its WebSocket with a reason, and resumes', async () => {
    const { merchant, after, ids } = await recordFlood();
    const process = await world.start();
    const { client, received, subscribe, readUntilClosed } = await connect(process, merchant.key);
    subscribe(EVENTS, { after });
    client.pause();
    await waitUntilCutOff(process);
    expect(await readUntilClosed()).toEqual([4413, TOO_SLOW]);
    const [, ...results] = received;
    expect(new Set(results.map(({ type }) => type))).toEqual(new Set(['next']));
    await expectComplete(
      merchant,
      results.map(({ payload }) => payload.data.events),
      ids,
    );
  });

  it('is disconnected from its Server-Sent Events with a reason, and resumes', async () => {
    const { merchant, after, ids } = await recordFlood();
    const process = await world.start();
    const outgoing = request(`${process.api.url}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${merchant.key}`,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
    });
    outgoing.end(JSON.stringify({ query: EVENTS, variables: { after } }));
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    // The response is not read yet.
    await waitUntilCutOff(process);
    const messages = (await text(response)).split('\n\n');
    expect(messages).toContain('event: complete\ndata:');
    const results = messages.flatMap((message) => /^data: (.+)$/m.exec(message)?.[1] ?? []);
    const last = JSON.parse(results.pop() ?? '');
    expect(last.errors).toMatchObject([{ message: TOO_SLOW, extensions: { code: 'live_interrupted' } }]);
    const received = results.map((result): LiveEvent => JSON.parse(result).data.events);
    await expectComplete(merchant, received, ids);
  });

  it('is disconnected from other live operations too', async () => {
    const { scope, key, subscriptionIds } = await world.newMerchant(1);
    const process = await world.start();
    const subscriptionId = subscriptionIds[0] ?? '';
    const padding = 'x'.repeat(90_000);
    await world.db.subscription.update({ where: { id: subscriptionId }, data: { metadata: { padding } } });
    const { client, received, subscribe, readUntilClosed } = await connect(process, key);
    subscribe('subscription { subscriptionUpdated { id metadata } }');
    await vi.waitFor(async () => {
      await process.ctx.live.publish('subscription.updated', { ...scope, subscriptionId });
      expect(received.length).toBeGreaterThan(1);
    }, CLOSE_TIMEOUT_MS);
    client.pause();
    const updates = 500;
    for (let count = 0; count < updates; count++) {
      await process.ctx.live.publish('subscription.updated', { ...scope, subscriptionId });
    }
    await waitUntilCutOff(process);
    expect(await readUntilClosed()).toEqual([4413, TOO_SLOW]);
    expect(received.length).toBeLessThan(updates);
  });

  it('is disconnected if it sends requests and reads no answers', async () => {
    const { key } = await world.newMerchant(1);
    const { client, received, readUntilClosed } = await connect(world.processes[0], key);
    client.pause();
    // Each answer is as large as its ping.
    const ping = JSON.stringify({ type: 'ping', payload: { padding: 'x'.repeat(90_000) } });
    const pings = 1_000;
    for (let count = 0; count < pings; count++) client.send(ping);
    await vi.waitFor(() => expect(client.bufferedAmount).toBe(0), CLOSE_TIMEOUT_MS);
    expect(await readUntilClosed()).toEqual([4413, TOO_SLOW]);
    expect(received.length).toBeLessThan(pings / 2);
  });
});
