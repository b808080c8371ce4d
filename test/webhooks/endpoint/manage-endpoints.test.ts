import { graphqlError } from '../../api/world.ts';
import { sharedByFile } from '../../support/shared-by-file.ts';
/** Endpoints and deliveries through GraphQL, with a worker that delivers. */

import { GraphQLClient } from 'graphql-request';
import { createClient } from 'graphql-ws';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { startApi } from '../../../src/api/server/server.ts';
import { createApiKey } from '../../../src/domain/accounts/api-key/create-api-key.ts';
import { relayEvents } from '../../../src/domain/messages/relay/relay-events.ts';
import { Deliverer } from '../../../src/domain/messages/webhook/delivery/deliverer.ts';
import { rotateSecret } from '../../../src/domain/messages/webhook/rotate-secret.ts';
import type { Environment } from '../../../src/generated/prisma/client.ts';
import { startWorkers } from '../../../src/jobs/worker.ts';
import { ok, type Receiver, startReceiver, status } from '../../../tools/world/webhook-receiver.ts';
import { deliverWebhooksJob } from '../../../workers/deliver-webhooks.ts';
import { purgeRowsJob } from '../../../workers/purge-rows.ts';
import { relayEventsJob } from '../../../workers/relay-events.ts';
import { SOON } from '../../support/soon.ts';
import { settle } from '../settle.ts';
import { createSubscribedMerchant, recordExpired, type SubscribedMerchant, startWorld } from '../world.ts';

const DAY = 86_400_000;

let merchant: SubscribedMerchant;
let receiver: Receiver;
let key: string;

const world = await sharedByFile(startWorld());
const ctx = world.ctx;
const deliverer = await sharedByFile(new Deliverer(ctx, { lingerMs: 0 }));
await sharedByFile(
  startWorkers(ctx, {
    'events.relay': relayEventsJob(deliverer),
    'webhooks.deliver': deliverWebhooksJob(deliverer),
    'rows.purge': purgeRowsJob,
  }),
);
const api = await sharedByFile(startApi(ctx));
beforeEach(async () => {
  merchant = await createSubscribedMerchant(ctx);
  receiver = await startReceiver();
  key = await newKey(merchant);
});
afterEach(async () => {
  await receiver.close();
  await ctx.db.delivery.deleteMany();
});

async function newKey({ scope }: Pick<SubscribedMerchant, 'scope'>, environment: Environment = 'TEST') {
  const { apiKey } = await createApiKey(ctx, { ...scope, environment }, { name: 'test' });
  return apiKey;
}

function ask<T>(document: string, variables: object = {}, apiKey = key): Promise<T> {
  const client = new GraphQLClient(`${api.url}/graphql`, { headers: { authorization: `Bearer ${apiKey}` } });
  return client.request<T>(document, variables);
}

const CREATE = `mutation ($url: String!, $eventTypes: [String!], $maxPerSecond: Int, $maxConcurrency: Int) {
  created: createWebhookEndpoint(
    url: $url, eventTypes: $eventTypes, maxPerSecond: $maxPerSecond, maxConcurrency: $maxConcurrency) { secret endpoint { id url } } }`;
const UPDATE = `mutation ($id: ID!, $input: UpdateWebhookEndpointInput!) {
  updateWebhookEndpoint(id: $id, input: $input) { id url eventTypes maxPerSecond maxConcurrency status disabledReason } }`;
const DELETE = 'mutation ($id: ID!) { deleteWebhookEndpoint(id: $id) { id status } }';
const ROTATE =
  'mutation ($id: ID!) { rotated: rotateWebhookSecret(id: $id) { secret endpoint { previousSecretUntil } } }';
const END_OVERLAP = `mutation ($id: ID!, $until: DateTime) {
  endWebhookSecretOverlap(id: $id, previousSecretUntil: $until) { id previousSecretUntil } }`;
const TEST =
  'mutation ($endpointId: ID!, $type: String) { sent: sendTestWebhook(endpointId: $endpointId, type: $type) { id status } }';
const RESEND =
  'mutation ($deliveryId: ID!) { resendWebhook(deliveryId: $deliveryId) { id status isReplay } }';
const REPLAY = `mutation ($input: ReplayWebhooksInput!, $dryRun: Boolean! = true) {
  replayWebhooks(input: $input, dryRun: $dryRun) { count isDryRun } }`;
const ENDPOINT =
  'query ($id: ID!) { webhookEndpoint(id: $id) { id status disabledReason disabledAt failingSince pausedUntil } }';
const DELIVERY = `query ($id: ID!) { webhookDelivery(id: $id) { status attemptCount nextAttemptAt body event { type }
  attempts { number durationMs statusCode error responseBody requestHeaders { name value } } } }`;
const DELIVERIES = `query ($first: Int, $after: String, $status: DeliveryStatus, $endpointId: ID, $eventType: String) {
  webhookDeliveries(first: $first, after: $after, status: $status, endpointId: $endpointId, eventType: $eventType) {
    totalCount pageInfo { hasNextPage endCursor } edges { node { id status event { sequence } } } } }`;

interface SentDelivery {
  attempts: { requestHeaders: { name: string; value: string }[] }[];
}

interface Deliveries {
  webhookDeliveries: {
    totalCount: number;
    pageInfo: { hasNextPage: boolean; endCursor: string };
    edges: { node: { id: string; status: string; event: { sequence: number } } }[];
  };
}

async function create(url = receiver.url, fields: object = {}) {
  const { created } = await ask<{ created: { secret: string; endpoint: { id: string } } }>(CREATE, {
    url,
    ...fields,
  });
  return { id: created.endpoint.id, secret: created.secret };
}
const sequences = () => receiver.received.map(({ body }) => JSON.parse(body).sequence as number);
const verify = (secret: string, index: number) => {
  const { body, headers } = receiver.received[index] as (typeof receiver.received)[number];
  return new Webhook(secret).verify(body, headers as Record<string, string>);
};

describe('an endpoint', () => {
  it('signs with both secrets for 24 hours after a rotation', async () => {
    const { id, secret: old } = await create();
    const { rotated } = await ask<{ rotated: { secret: string; endpoint: object } }>(ROTATE, { id });
    expect(rotated.endpoint).toEqual({
      previousSecretUntil: new Date(ctx.clock.now().getTime() + DAY).toISOString(),
    });
    ctx.clock.advance(DAY - 1);
    await recordExpired(ctx, merchant);
    await settle(ctx, deliverer);
    expect(verify(old, 0)).toEqual(verify(rotated.secret, 0));
    expect(receiver.received[0]?.headers['x-webhook-signature']).toMatch(
      /^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/,
    );
    ctx.clock.advance(1);
    await recordExpired(ctx, merchant);
    await settle(ctx, deliverer);
    expect(() => verify(old, 1)).toThrow();
    verify(rotated.secret, 1);
    expect(
      await ask('query ($id: ID!) { webhookEndpoint(id: $id) { previousSecretUntil } }', { id }),
    ).toEqual({
      webhookEndpoint: { previousSecretUntil: null },
    });
  });

  it('signs with the new secret only once the overlap was ended', async () => {
    const { id, secret: old } = await create();
    const { rotated } = await ask<{ rotated: { secret: string } }>(ROTATE, { id });
    for (let times = 0; times < 2; times += 1) {
      expect(await ask(END_OVERLAP, { id })).toEqual({
        endWebhookSecretOverlap: { id, previousSecretUntil: null },
      });
    }
    await recordExpired(ctx, merchant);
    await settle(ctx, deliverer);
    expect(() => verify(old, 0)).toThrow();
    verify(rotated.secret, 0);
    const where = { targetId: id, action: 'endpoint.secret_overlap_ended' };
    expect(await ctx.db.auditEntry.count({ where })).toBe(1);
  });

  it('does not end the overlap of a rotation that the caller does not know', async () => {
    const { id } = await create();
    const { endpoint: known } = await rotateSecret(ctx, merchant.scope, id);
    const { wallClock } = ctx;
    const later = new Date(wallClock.now().getTime() + 1_000);
    Object.assign(ctx, { wallClock: { now: () => later } });
    onTestFinished(() => void Object.assign(ctx, { wallClock }));
    const { endpoint } = await rotateSecret(ctx, merchant.scope, id);
    const end = (until: Date | null) => ask(END_OVERLAP, { id, until: until?.toISOString() });
    expect(await graphqlError(end(known.previousSecretUntil))).toEqual({
      status: 200,
      message: expect.any(String),
      code: 'invalid_request',
      param: 'previousSecretUntil',
    });
    expect(await ctx.db.webhookEndpoint.findUniqueOrThrow({ where: { id } })).toEqual(endpoint);
    expect(await end(endpoint.previousSecretUntil)).toEqual({
      endWebhookSecretOverlap: { id, previousSecretUntil: null },
    });
  });

  it('keeps its old secret for 24 hours of the machine’s time', async () => {
    const { id, secret: old } = await create();
    const start = ctx.clock.now();
    const { wallClock } = ctx;
    Object.assign(ctx, { wallClock: { now: () => start } });
    onTestFinished(() => void Object.assign(ctx, { wallClock }));
    const { endpoint, secret } = await rotateSecret(ctx, merchant.scope, id);
    expect(endpoint.previousSecretUntil).toEqual(new Date(start.getTime() + DAY));
    ctx.clock.advance(30 * DAY);
    await recordExpired(ctx, merchant);
    await settle(ctx, deliverer);
    expect(verify(old, 0)).toEqual(verify(secret, 0));
  });

  it('with a new URL gets its waiting deliveries at the new URL', async () => {
    const { id } = await create();
    receiver.answer = status(500);
    await recordExpired(ctx, merchant);
    await settle(ctx, deliverer);
    const url = `${receiver.url}/moved`;
    expect(await ask(UPDATE, { id, input: { url } })).toMatchObject({ updateWebhookEndpoint: { id, url } });
    receiver.answer = ok;
    ctx.clock.advance(6000);
    await settle(ctx, deliverer);
    expect(receiver.received.map((request) => request.url)).toEqual(['/hook', '/hook/moved']);
  });

  it('that no longer accepts a type gets no waiting deliveries of it', async () => {
    const { id } = await create();
    receiver.answer = status(500);
    await recordExpired(ctx, merchant);
    await recordExpired(ctx, merchant, 'subscription.cancelled');
    await settle(ctx, deliverer);
    receiver.answer = ok;
    await ask(UPDATE, { id, input: { eventTypes: ['subscription.cancelled'] } });
    await settle(ctx, deliverer);
    expect(sequences()).toEqual([1, 2]);
    const cancelled = await ask<Deliveries>(DELIVERIES, { status: 'CANCELLED' });
    expect(cancelled.webhookDeliveries.edges).toMatchObject([{ node: { event: { sequence: 1 } } }]);
  });

  it('that is removed gets no more deliveries, and the earlier ones can still be read', async () => {
    const { id } = await create();
    receiver.answer = status(500);
    await recordExpired(ctx, merchant);
    await settle(ctx, deliverer);
    expect(await ask(DELETE, { id })).toEqual({ deleteWebhookEndpoint: { id, status: 'DELETED' } });
    ctx.clock.advance(DAY);
    await recordExpired(ctx, merchant);
    await settle(ctx, deliverer);
    expect(receiver.received).toHaveLength(1);
    expect(await graphqlError(ask(ENDPOINT, { id }))).toMatchObject({ code: 'not_found', param: 'id' });
    const { webhookDeliveries } = await ask<Deliveries>(DELIVERIES, { endpointId: id });
    expect(webhookDeliveries.edges).toMatchObject([{ node: { status: 'CANCELLED' } }]);
  });

  it('that answers 410 is disabled, and continues where it stopped', async () => {
    const { id } = await create();
    const second = await create(`${receiver.url}/second`, { eventTypes: ['endpoint.disabled'] });
    receiver.answer = (response, { url }) => (url === '/hook' ? status(410) : ok)(response);
    await recordExpired(ctx, merchant);
    await settle(ctx, deliverer);
    const webhookEndpoint = { id, status: 'DISABLED', disabledReason: 'GONE' };
    expect(await ask(ENDPOINT, { id })).toMatchObject({ webhookEndpoint });
    await settle(ctx, deliverer);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(2), SOON);
    expect(JSON.parse(receiver.received[1]?.body ?? '')).toMatchObject({
      event: 'endpoint.disabled',
      data: { endpointId: id, url: receiver.url, reason: 'GONE' },
    });
    verify(second.secret, 1);
    receiver.answer = ok;
    ctx.clock.advance(DAY);
    await recordExpired(ctx, merchant);
    await settle(ctx, deliverer);
    expect(receiver.received).toHaveLength(2);
    await ask(UPDATE, { id, input: { status: 'ENABLED' } });
    await settle(ctx, deliverer);
    // The second event happened while the endpoint was disabled: only a replay sends it.
    expect(sequences().slice(2)).toEqual([1]);
  });

  it('that fails for five days without a success is disabled', async () => {
    const { id } = await create();
    receiver.answer = status(500);
    for (let day = 0; day < 5; day++) {
      await recordExpired(ctx, { ...merchant, subscription: await merchant.subscribe() });
      await settle(ctx, deliverer);
      expect(await ask(ENDPOINT, { id })).toMatchObject({ webhookEndpoint: { status: 'ENABLED' } });
      ctx.clock.advance(DAY);
    }
    await settle(ctx, deliverer);
    const since = new Date(ctx.clock.now().getTime() - 5 * DAY).toISOString();
    const webhookEndpoint = { status: 'DISABLED', disabledReason: 'FAILING', failingSince: since };
    expect(await ask(ENDPOINT, { id })).toMatchObject({ webhookEndpoint });
  });

  it('that answers 429 gets a pause of the requested length', async () => {
    const { id } = await create();
    receiver.answer = status(429, { 'retry-after': '90' });
    await recordExpired(ctx, merchant);
    await settle(ctx, deliverer);
    const pausedUntil = new Date(ctx.clock.now().getTime() + 90_000).toISOString();
    expect(await ask(ENDPOINT, { id })).toMatchObject({ webhookEndpoint: { pausedUntil } });
    receiver.answer = ok;
    await recordExpired(ctx, { ...merchant, subscription: await merchant.subscribe() });
    ctx.clock.advance(89_999);
    await settle(ctx, deliverer);
    expect(receiver.received).toHaveLength(1);
    ctx.clock.advance(1);
    await settle(ctx, deliverer);
    expect(receiver.received).toHaveLength(3);
  });

  it('with a rate limit gets no more than the limit', async () => {
    const { id } = await create(receiver.url, { maxPerSecond: 5 });
    for (let count = 0; count < 12; count++) {
      await recordExpired(ctx, { ...merchant, subscription: await merchant.subscribe() });
    }
    // The relay plans no jobs here, so only the visits below deliver.
    await relayEvents(ctx, undefined, async () => undefined);
    const counts: number[] = [];
    for (let second = 0; second < 4; second++) {
      for (let tick = 0; tick < 5; tick++) {
        ctx.clock.advance(200);
        await deliverer.deliver(id);
      }
      counts.push(receiver.received.length);
    }
    expect(counts).toEqual([5, 10, 12, 12]);
  });

  it('gets at most its maximum of webhooks at the same time', async () => {
    const waiting: (() => void)[] = [];
    receiver.answer = (response) => waiting.push(() => ok(response));
    const { id } = await create(receiver.url, { maxConcurrency: 2 });
    for (let count = 0; count < 5; count++) {
      await recordExpired(ctx, { ...merchant, subscription: await merchant.subscribe() });
    }
    await relayEvents(ctx, undefined, async () => undefined);
    const delivered = deliverer.deliver(id);
    for (let answered = 0; answered < 5; answered++) {
      await vi.waitFor(() => expect(waiting).toHaveLength(Math.min(answered + 2, 5)), SOON);
      expect(await ctx.db.deliveryAttempt.count({ where: { durationMs: null } })).toBeLessThanOrEqual(2);
      waiting[answered]?.();
    }
    await delivered;
    const { updateWebhookEndpoint } = await ask<{ updateWebhookEndpoint: object }>(UPDATE, {
      id,
      input: { maxConcurrency: 256 },
    });
    expect(updateWebhookEndpoint).toMatchObject({ maxConcurrency: 256 });
  });

  it.each([
    ['maxConcurrency', 0, 256],
    ['maxConcurrency', 257, 256],
    ['maxPerSecond', 0, 1000],
    ['maxPerSecond', 1001, 1000],
  ])('is neither added nor changed with %s %i', async (param, value, max) => {
    const { id } = await create();
    const refused = {
      code: 'invalid_request',
      param,
      message: `${param} must be a whole number from 1 to ${max}, not ${value}.`,
    };
    expect(await graphqlError(create(receiver.url, { [param]: value }))).toMatchObject(refused);
    expect(await graphqlError(ask(UPDATE, { id, input: { [param]: value } }))).toMatchObject(refused);
  });

  it.each([
    ['url', { url: 'https://10.0.0.1/' }],
    ['url', { url: 'https://user:secret@example.com/' }],
    ['eventTypes', { eventTypes: ['nothing'] }],
  ])('is not changed if %s is wrong', async (param, input) => {
    const { id } = await create();
    const before = await ctx.db.webhookEndpoint.findUniqueOrThrow({ where: { id } });
    expect(await graphqlError(ask(UPDATE, { id, input }))).toMatchObject({ code: 'invalid_request', param });
    expect(await ctx.db.webhookEndpoint.findUniqueOrThrow({ where: { id } })).toEqual(before);
  });

  it('must use https in LIVE, even on a host that the operator allows', async () => {
    const live = await newKey(merchant, 'LIVE');
    expect(await graphqlError(ask(CREATE, { url: receiver.url }, live))).toMatchObject({ param: 'url' });
  });
});

describe('deliveries', () => {
  it('are listed with their attempts, by page, and live', async () => {
    const { id, secret } = await create();
    const socket = createClient({
      url: `${api.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${key}` },
    });
    const updates = socket.iterate<{ webhookDeliveryUpdated: { status: string; attemptCount: number } }>({
      query: `subscription { webhookDeliveryUpdated(endpointId: "${id}") { status attemptCount } }`,
    });
    const first = updates.next();
    receiver.answer = status(500);
    await vi.waitFor(async () => {
      await recordExpired(ctx, merchant);
      await settle(ctx, deliverer);
      const update = await Promise.race([first, new Promise((resolve) => setTimeout(resolve, 200))]);
      expect(update).toMatchObject({ value: { data: { webhookDeliveryUpdated: { status: 'PENDING' } } } });
    }, SOON);
    receiver.answer = ok;
    ctx.clock.advance(6000);
    await settle(ctx, deliverer);
    expect(await updates.next()).toMatchObject({
      value: { data: { webhookDeliveryUpdated: { status: 'SUCCEEDED', attemptCount: 2 } } },
    });
    await updates.return?.();
    await socket.dispose();
    const page = await ask<Deliveries>(DELIVERIES, { first: 1, endpointId: id });
    const { webhookDelivery } = await ask<{ webhookDelivery: SentDelivery }>(DELIVERY, {
      id: (await ctx.db.delivery.findFirstOrThrow({ where: { sequence: 1 } })).id,
    });
    expect(page.webhookDeliveries.edges).toHaveLength(1);
    expect(webhookDelivery).toMatchObject({
      status: 'SUCCEEDED',
      nextAttemptAt: null,
      body: JSON.parse(receiver.received[0]?.body ?? ''),
      attempts: [
        { number: 1, statusCode: 500, error: 'answered 500', responseBody: 'no' },
        { number: 2, statusCode: 200, error: null, durationMs: expect.any(Number) },
      ],
    });
    const attempts = webhookDelivery.attempts.map(({ requestHeaders }) => requestHeaders);
    for (const [index, headers] of attempts.entries()) {
      for (const { name, value } of headers) {
        expect({ name, value: receiver.received[index]?.headers[name] }).toEqual({ name, value });
      }
      const { body = '' } = receiver.received[index] ?? {};
      const asSent = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
      expect(new Webhook(secret).verify(body, asSent)).toEqual(JSON.parse(body));
    }
    expect(attempts.map((headers) => headers.length)).toEqual([6, 6]);
  });

  it('show signatures to a reading key when servers no longer accept them', async () => {
    await create();
    await recordExpired(ctx, merchant);
    await settle(ctx, deliverer);
    const { id } = await ctx.db.delivery.findFirstOrThrow();
    const { apiKey } = await createApiKey(ctx, merchant.scope, { name: 'read', scopes: ['READ'] });
    const headersFor = async (by: string) => {
      const { webhookDelivery } = await ask<{ webhookDelivery: SentDelivery }>(DELIVERY, { id }, by);
      return webhookDelivery.attempts[0]?.requestHeaders?.length ?? null;
    };
    expect([await headersFor(apiKey), await headersFor(key)]).toEqual([null, 6]);
    await ctx.db.$executeRaw`
      UPDATE "DeliveryAttempt" SET "signature" = regexp_replace("signature", '^t=[0-9]+',
        't=' || (extract(epoch FROM now()) - 301)::bigint) WHERE "deliveryId" = ${id}::uuid`;
    expect(await headersFor(apiKey)).toBe(6);
  });

  it('are listed newest first, by cursor and filter', async () => {
    await create();
    for (let count = 0; count < 5; count++) {
      await recordExpired(ctx, merchant, count === 2 ? 'subscription.cancelled' : 'subscription.expired');
      await settle(ctx, deliverer);
      ctx.clock.advance(1000);
    }
    const found: number[] = [];
    let after: string | undefined;
    for (;;) {
      const { webhookDeliveries: page } = await ask<Deliveries>(DELIVERIES, { first: 2, after });
      expect(page.totalCount).toBe(5);
      found.push(...page.edges.map(({ node }) => node.event.sequence));
      if (!page.pageInfo.hasNextPage) break;
      after = page.pageInfo.endCursor;
    }
    expect(found).toEqual([5, 4, 3, 2, 1]);
    const { webhookDeliveries } = await ask<Deliveries>(DELIVERIES, { eventType: 'subscription.cancelled' });
    expect(webhookDeliveries.edges).toMatchObject([{ node: { event: { sequence: 3 } } }]);
    const stranger = await newKey(await createSubscribedMerchant(ctx));
    expect(await ask<Deliveries>(DELIVERIES, {}, stranger)).toMatchObject({
      webhookDeliveries: { totalCount: 0 },
    });
  });

  it('a test event is sent to one endpoint, of any type, and is signed', async () => {
    const { id, secret } = await create(receiver.url, { eventTypes: ['subscription.created'] });
    await create(`${receiver.url}/other`);
    await ask(TEST, { endpointId: id });
    await ask(TEST, { endpointId: id, type: 'subscription.payment_failed' });
    await vi.waitFor(() => expect(receiver.received).toHaveLength(2), SOON);
    await settle(ctx, deliverer);
    expect(receiver.received.map((request) => request.url)).toEqual(['/hook', '/hook']);
    const events = [verify(secret, 0), verify(secret, 1)].map((body) => (body as { event: string }).event);
    expect(events.toSorted()).toEqual(['endpoint.test', 'subscription.payment_failed']);
    expect(await graphqlError(ask(TEST, { endpointId: id, type: 'nothing' }))).toMatchObject({
      param: 'type',
    });
  });

  it('one is resent on request with the same id, and delays no new delivery', async () => {
    await create();
    await recordExpired(ctx, merchant);
    await settle(ctx, deliverer);
    const delivery = await ctx.db.delivery.findFirstOrThrow();
    receiver.answer = status(500);
    expect(await ask(RESEND, { deliveryId: delivery.id })).toEqual({
      resendWebhook: { id: delivery.id, status: 'PENDING', isReplay: true },
    });
    await vi.waitFor(() => expect(receiver.received).toHaveLength(2), SOON);
    await settle(ctx, deliverer);
    receiver.answer = ok;
    await recordExpired(ctx, merchant);
    await settle(ctx, deliverer);
    expect(sequences()).toEqual([1, 1, 2]);
    // The delivery waits for a retry. A resend does not wait.
    await ask(RESEND, { deliveryId: delivery.id });
    await vi.waitFor(() => expect(sequences()).toEqual([1, 1, 2, 1]), SOON);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(2);
    expect(await graphqlError(ask(RESEND, { deliveryId: 'x' }))).toMatchObject({ param: 'deliveryId' });
  });

  it('a range is counted, then replayed in order, also of disabled times', async () => {
    const { id } = await create();
    const from = ctx.clock.now();
    await recordExpired(ctx, merchant);
    await settle(ctx, deliverer);
    await ctx.db.delivery.updateMany({ data: { status: 'FAILED' } });
    await ask(UPDATE, { id, input: { status: 'DISABLED' } });
    await recordExpired(ctx, merchant);
    await recordExpired(ctx, merchant, 'subscription.cancelled');
    await settle(ctx, deliverer);
    await ask(UPDATE, { id, input: { status: 'ENABLED' } });
    await recordExpired(ctx, merchant);
    await settle(ctx, deliverer);
    ctx.clock.advance(1000);
    receiver.received.length = 0;
    const input = { endpointId: id, from, to: ctx.clock.now() };
    const countReplay = (changes: object = {}) => ask(REPLAY, { input: { ...input, ...changes } });
    expect(await countReplay()).toEqual({ replayWebhooks: { count: 3, isDryRun: true } });
    expect(await countReplay({ results: ['SUCCEEDED'] })).toMatchObject({ replayWebhooks: { count: 1 } });
    expect(await countReplay({ eventTypes: ['subscription.cancelled'] })).toMatchObject({
      replayWebhooks: { count: 1 },
    });
    expect(await countReplay({ to: from, from: '2026-01-01T00:00:00Z' })).toMatchObject({
      replayWebhooks: { count: 0 },
    });
    expect(receiver.received).toEqual([]);
    expect(await ask(REPLAY, { input, dryRun: false })).toEqual({
      replayWebhooks: { count: 3, isDryRun: false },
    });
    await vi.waitFor(() => expect(sequences()).toEqual([1, 2, 3]), SOON);
    expect(await graphqlError(ask(REPLAY, { input: { ...input, to: from } }))).toMatchObject({ param: 'to' });
  });

  it('are removed after 90 days, and a deleted endpoint with its last delivery', async () => {
    const { id } = await create();
    await recordExpired(ctx, merchant);
    await settle(ctx, deliverer);
    await ask(DELETE, { id });
    const purge = () => purgeRowsJob(ctx, {});
    ctx.clock.advance(90 * DAY);
    await purge();
    expect(await ctx.db.deliveryAttempt.count()).toBe(1);
    ctx.clock.advance(1);
    await purge();
    expect(await ctx.db.delivery.count()).toBe(0);
    expect(await ctx.db.deliveryAttempt.count()).toBe(0);
    expect(await ctx.db.webhookEndpoint.count({ where: { id } })).toBe(0);
  });
});
