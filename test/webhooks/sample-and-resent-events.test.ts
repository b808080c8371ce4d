/** Sample events and resent events through GraphQL. */

import { GraphQLClient } from 'graphql-request';
import { createClient } from 'graphql-ws';
import { beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startApi } from '../../src/api/server/server.ts';
import { dateOf } from '../../src/chain/chain-time.ts';
import { createApiKey } from '../../src/domain/accounts/api-key/create-api-key.ts';
import { relayEvents } from '../../src/domain/messages/relay/relay-events.ts';
import { sampleTypes } from '../../src/domain/messages/webhook/sample-events.ts';
import type { Environment } from '../../src/generated/prisma/client.ts';
import { graphqlError } from '../api/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import {
  addEndpoint,
  createSubscribedMerchant,
  recordExpired,
  type SubscribedMerchant,
  startWorld,
} from './world.ts';

let merchant: SubscribedMerchant;
let key: string;

const world = await sharedByFile(startWorld());
const ctx = world.ctx;
const api = await sharedByFile(startApi(ctx));
beforeEach(async () => {
  merchant = await createSubscribedMerchant(ctx);
  key = await newKey('TEST');
});

async function newKey(environment: Environment): Promise<string> {
  const { merchantId } = merchant.scope;
  return (await createApiKey(ctx, { merchantId, environment }, { name: environment })).apiKey;
}

function ask<T>(document: string, variables: object, apiKey = key): Promise<T> {
  const headers = { authorization: `Bearer ${apiKey}` };
  return new GraphQLClient(`${api.url}/graphql`, { headers }).request<T>(document, variables);
}

interface EventResult {
  readonly event: { readonly id: string; readonly sequence: number | null; readonly data: object };
}
const TRIGGER = `mutation ($type: String!, $subscriptionId: ID) {
  event: triggerEvent(type: $type, subscriptionId: $subscriptionId) { id sequence data } }`;
const RESEND = 'mutation ($eventId: ID!) { event: resendEvent(eventId: $eventId) { id sequence data } }';

describe('a sample event', () => {
  const typesOfSubscriptions = sampleTypes.filter((type) => type !== 'customer.state_changed');
  it.each(typesOfSubscriptions)(
    'of type %s names the subscription and its next sequence number',
    async (type) => {
      await recordExpired(ctx, merchant);
      const { subscription } = merchant;
      await ctx.db.subscription.update({ where: { id: subscription.id }, data: { metadata: { team: 7 } } });
      const { event } = await ask<EventResult>(TRIGGER, { type, subscriptionId: subscription.address });
      expect(event).toMatchObject({
        sequence: 2,
        data: {
          subscriptionId: subscription.address,
          startedAt: dateOf(subscription.chainCreatedAt).toISOString(),
          customer: { email: 'a@example.com', customerId: null, walletAddress: 'wallet' },
          metadata: { team: 7, sample: true },
        },
      });
      expect(JSON.stringify(event.data)).not.toMatch(/"planId":"sample"|customer@example\.com/);
    },
  );

  it('of a state names the customer of the subscription, and has no sequence', async () => {
    const { address, customerId } = merchant.subscription;
    const type = 'customer.state_changed';
    const { event } = await ask<EventResult>(TRIGGER, { type, subscriptionId: address });
    expect(event).toMatchObject({ sequence: null, data: { customerId, version: 2, hasAccess: true } });
  });

  it('is sent to the endpoints that accept it, and changes no subscription', async () => {
    const accepting = await addEndpoint(ctx, merchant, 'https://a.example/', ['subscription.expired']);
    await addEndpoint(ctx, merchant, 'https://b.example/', ['subscription.created']);
    const before = await ctx.db.subscription.findMany();
    const { event } = await ask<EventResult>(TRIGGER, { type: 'subscription.expired' });
    await relayEvents(ctx);
    expect(await ctx.db.delivery.findMany({ where: merchant.scope })).toMatchObject([
      { eventId: event.id, endpointId: accepting.endpoint.id },
    ]);
    expect(await ctx.db.subscription.findMany()).toEqual(before);
    const where = { action: 'event.triggered', targetId: event.id };
    expect(await ctx.db.auditEntry.findFirstOrThrow({ where })).toMatchObject({
      changes: { type: { to: 'subscription.expired' } },
    });
  });

  it.each([
    ['a type without a sample', { type: 'endpoint.disabled' }, 'TEST', 'type'],
    ['LIVE, where merchants grant access by events', { type: 'subscription.created' }, 'LIVE', 'type'],
    [
      'an unknown subscription',
      { type: 'subscription.created', subscriptionId: 'x' },
      'TEST',
      'subscriptionId',
    ],
  ] as const)('is not created for %s', async (_, variables, environment, param) => {
    expect(await graphqlError(ask(TRIGGER, variables, await newKey(environment)))).toMatchObject({ param });
    expect(await ctx.db.event.count({ where: { merchantId: merchant.scope.merchantId } })).toBe(0);
  });
});

describe('a resent event', () => {
  it('is published in its environment each time it is sent', async () => {
    const client = createClient({
      url: `${api.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: { authorization: `Bearer ${key}` },
    });
    const query = 'subscription { eventsResent { id } }';
    const resentEvents = client.iterate<{ eventsResent: { id: string } }>({ query });
    const first = resentEvents.next();
    const event = await recordExpired(ctx, merchant);
    // Only its first message shows that a live subscription has started.
    let isPublished = false;
    void first.then(() => {
      isPublished = true;
    });
    while (!isPublished) await ask(RESEND, { eventId: event.id });
    expect((await first).value?.data?.eventsResent).toEqual({ id: event.id });
    const other = await recordExpired(ctx, merchant);
    await ask(RESEND, { eventId: other.id });
    let id: string | undefined;
    while (id !== other.id) id = (await resentEvents.next()).value?.data?.eventsResent.id;
    await client.dispose();
    expect(await graphqlError(ask(RESEND, { eventId: event.id }, await newKey('LIVE')))).toMatchObject({
      param: 'eventId',
    });
  });
});
