/** The stream of events, served by two APIs on one database. They stand for two processes. */
import { randomBytes } from 'node:crypto';
import { getAddressDecoder } from '@solana/kit';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { type Api, startApi } from '../../src/api/server/server.ts';
import type { DbTransaction } from '../../src/db/db.ts';
import { createApiKey } from '../../src/domain/accounts/api-key/create-api-key.ts';
import { createMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import type { Scope } from '../../src/domain/kernel/access/scope.ts';
import { recordEvent } from '../../src/domain/messages/event/record-event.ts';
import type { EventType } from '../../src/domain/messages/event/types.ts';
import { relayEvents } from '../../src/domain/messages/relay/relay-events.ts';
import { type TestContext, testContext } from '../jobs/context.ts';
import type { OpenStore } from '../jobs/stores.ts';
import { seedSubscriptions } from './seed.ts';

export interface LiveEvent {
  readonly cursor: string;
  readonly id: string;
  readonly type: string;
  readonly sequence: number | null;
  readonly data: { subscriptionId: string };
}

interface EventsFilter {
  readonly after?: string | undefined;
  readonly types?: readonly string[];
}

export interface Process {
  readonly ctx: TestContext;
  readonly api: Api;
}

export interface LiveMerchant {
  readonly scope: Scope;
  readonly key: string;
  readonly subscriptionIds: readonly string[];
}

export const EVENTS = `subscription Events($after: String, $types: [String!]) {
  events(after: $after, types: $types) { cursor id type createdAt sequence data }
}`;

export type LiveWorld = Awaited<ReturnType<typeof startLiveWorld>>;

export async function startLiveWorld(store: OpenStore) {
  const started: Process[] = [];
  const start = async (): Promise<Process> => {
    const ctx = testContext(store);
    const process = { ctx, api: await startApi(ctx) };
    started.push(process);
    return process;
  };
  const processes = [await start(), await start()] as const;
  const [{ ctx }] = processes;

  return {
    processes,
    start,
    db: ctx.db,
    async newMerchant(subscriptions = 3): Promise<LiveMerchant> {
      const walletAddress = getAddressDecoder().decode(randomBytes(32));
      const { merchant } = await createMerchant(ctx, { companyName: 'Acme', walletAddress });
      const { id: merchantId } = merchant;
      const scope: Scope = { merchantId, environment: 'TEST' };
      const { apiKey: key } = await createApiKey(ctx, scope, { name: 'live' });
      await seedSubscriptions(ctx.db, scope, subscriptions, merchantId);
      const rows = await ctx.db.subscription.findMany({ where: scope, select: { id: true } });
      return { scope, key, subscriptionIds: rows.map(({ id }) => id) };
    },
    /** Records an event and commits, without notifying the relay. */
    record: (merchant: LiveMerchant, type?: EventType, subscription = 0, padding = '') =>
      ctx.db.$transaction((tx) => recordIn(tx, merchant, type, subscription, padding)),
    recordIn,
    relay: (process: Process = processes[0]) => relayEvents(process.ctx),
    /** Ids of all events of the stream in the database. */
    async eventIds({ scope }: LiveMerchant): Promise<string[]> {
      const where = { ...scope, position: { not: null } };
      const events = await ctx.db.event.findMany({
        where,
        orderBy: { position: 'asc' },
        select: { id: true },
      });
      return events.map(({ id }) => id);
    },
    async close() {
      await Promise.all(started.map(({ api }) => api.close()));
      await Promise.all(started.map((process) => process.ctx.close()));
    },
  };

  async function recordIn(
    tx: DbTransaction,
    { scope, subscriptionIds }: LiveMerchant,
    type: EventType = 'subscription.expired',
    subscription = 0,
    padding = '',
  ) {
    const subscriptionId = subscriptionIds[subscription];
    if (subscriptionId === undefined) throw new Error('No such subscription');
    const customer = { email: 'ada@example.com', customerId: null, walletAddress: 'wallet' };
    const data = { subscriptionId, customer, failureCount: 3, metadata: { padding } };
    const at = ctx.clock.now();
    // Tests do not read the data, so events of all types have the data of this one.
    return recordEvent(tx, { ...scope, type: type as 'subscription.expired', subscriptionId, data, at });
  }
}

/** Sends one query to one process. */
export async function ask({ api }: Process, key: string, query: string, variables = {}) {
  const response = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  return response.json();
}

/** Follows the stream by graphql-ws on its own socket, which closes when the loop ends. */
export async function* follow(
  { api }: Process,
  key: string,
  variables: EventsFilter,
): AsyncGenerator<LiveEvent> {
  const client = createClient({
    url: `${api.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: { authorization: `Bearer ${key}` },
  });
  const subscription = { query: EVENTS, variables: { ...variables } };
  try {
    for await (const { data, errors } of client.iterate<{ events: LiveEvent }>(subscription)) {
      if (!data) throw errors;
      yield data.events;
    }
  } finally {
    await client.dispose();
  }
}

/** Reads the next `count` events, and closes the stream. */
export async function take(stream: AsyncGenerator<LiveEvent>, count: number): Promise<LiveEvent[]> {
  const events: LiveEvent[] = [];
  if (count > 0) {
    for await (const event of stream) {
      events.push(event);
      if (events.length === count) break;
    }
  }
  await stream.return(undefined);
  return events;
}

/** Reads the cursor of the newest event. */
export async function readNewestCursor(process: Process, { key }: LiveMerchant): Promise<string> {
  return (await ask(process, key, '{ eventsCursor }')).data.eventsCursor;
}
