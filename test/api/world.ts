/** An API on a real database and a local network, with merchants that have API keys. */

import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';
import { ClientError, GraphQLClient, type Variables } from 'graphql-request';
import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { type Api, startApi } from '../../src/api/server/server.ts';
import type { AppContext } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import { connectDb } from '../../src/db/db.ts';
import { createApiKey } from '../../src/domain/accounts/api-key/create-api-key.ts';
import type { Environment } from '../../src/generated/prisma/client.ts';
import type { Live, LiveTopic } from '../../src/live/live.ts';
import { createLog } from '../../src/observability/log.ts';
import { tellLogged } from '../../tools/world/story.ts';
import { startWorld, type TestMerchant } from '../domain/world.ts';

export type ApiWorld = Awaited<ReturnType<typeof startApiWorld>>;

export interface KeyedMerchant extends TestMerchant {
  readonly testKey: string;
  readonly liveKey: string;
}

interface RequestOptions {
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function startApiWorld(settings: Partial<Config> = {}) {
  const world = await startWorld();
  const logged: string[] = [];
  const log = createLog('debug', {
    write(line) {
      logged.push(line);
      tellLogged(line);
    },
  });
  const watched = watchSubscriptions(world.ctx.live);
  const config = { ...world.ctx.config, ...settings };
  const ctx: AppContext = { ...world.ctx, config, log, live: watched.live };
  const api = await startApi(ctx);
  const sockets: Client[] = [];

  async function newKey({ merchant }: TestMerchant, environment: Environment): Promise<string> {
    const { apiKey } = await createApiKey(ctx, { merchantId: merchant.id, environment }, { name: 'test' });
    return apiKey;
  }

  return {
    ...world,
    ctx,
    api,
    logged,
    newKey,
    /** Resolves at the next subscription to a topic. */
    untilSubscribed: watched.untilSubscribed,
    /** Resolves at the next end of a subscription. */
    untilUnsubscribed: watched.untilUnsubscribed,
    async newKeyedMerchant(): Promise<KeyedMerchant> {
      const merchant = await world.newMerchant();
      return {
        ...merchant,
        testKey: await newKey(merchant, 'TEST'),
        liveKey: await newKey(merchant, 'LIVE'),
      };
    },
    /** Sends a request as a merchant's backend. A `body` that is not text is sent as JSON. */
    async request(method: string, path: string, { key, body, headers }: RequestOptions = {}) {
      const response = await fetch(`${api.url}${path}`, {
        method,
        headers: {
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json');
      return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
    },
    /** Starts the same API on a database that does not exist. */
    async startWithoutDatabase(): Promise<Api> {
      const databaseUrl = Object.assign(new URL(config.databaseUrl), { pathname: '/none' }).href;
      const db = connectDb(databaseUrl);
      // Callers without a key are served by a separate database client.
      const broken = await startApi({ ...ctx, config: { ...config, databaseUrl }, db });
      return {
        ...broken,
        async close() {
          await broken.close();
          await db.$disconnect();
        },
      };
    },
    query: queryAt(api.url),
    /** Creates the same client for another API. */
    queryAt,
    /** Creates a graphql-ws client. Each of its connections adds its close event to `closes`. */
    socket(
      key: string | undefined,
      closes: { code: number }[] = [],
      headers: Readonly<Record<string, string>> = {},
      connectionParams: Readonly<Record<string, string>> = {},
    ): Client {
      const client = createClient({
        url: `${api.url.replace('http', 'ws')}/graphql`,
        webSocketImpl: class extends WebSocket {
          constructor(url: string, protocols: string[]) {
            super(url, protocols, { headers });
          }
        },
        retryAttempts: 0,
        lazyCloseTimeout: 0,
        connectionParams: { ...connectionParams, ...(key && { authorization: `Bearer ${key}` }) },
        on: { closed: (event) => closes.push(event as { code: number }) },
      });
      sockets.push(client);
      return client;
    },
    /** Yields the results of a live operation that is sent as Server-Sent Events. */
    async *events<Result, V extends Variables>(
      key: string | undefined,
      document: TypedDocumentNode<Result, V>,
      variables: V,
      signal: AbortSignal,
    ): AsyncGenerator<{ data?: Result; errors?: { extensions: { code: string } }[] }> {
      const response = await fetch(`${api.url}/graphql`, {
        method: 'POST',
        signal,
        headers: {
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          'content-type': 'application/json',
          accept: 'text/event-stream',
        },
        body: JSON.stringify({ query: print(document), variables }),
      });
      let text = '';
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += chunk;
        const messages = text.split('\n\n');
        text = messages.pop() ?? '';
        for (const message of messages) {
          const data = /^data: (.*)$/m.exec(message)?.[1];
          if (message.includes('event: next') && data) yield JSON.parse(data);
        }
      }
    },
    close: async () => {
      await Promise.all(sockets.map((client) => client.dispose()));
      await api.close();
      await world.close();
    },
  };
}

function queryAt(url: string) {
  return <Result, V extends Variables>(
    key: string | undefined,
    document: TypedDocumentNode<Result, V>,
    variables: V,
  ) => {
    const client = new GraphQLClient(`${url}/graphql`, {
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    });
    return client.request<Result>(document, variables);
  };
}

/** Returns the first GraphQL error of a refused call. */
export async function graphqlError(call: Promise<unknown>) {
  const error = await call.then(
    () => new Error('The call was not refused'),
    (cause: unknown) => cause,
  );
  if (!(error instanceof ClientError)) throw error;
  const [first] = error.response.errors ?? [];
  const { code, param } = (first?.extensions ?? {}) as { code?: string; param?: string };
  return { status: error.response.status, message: first?.message, code, param };
}

/** Wraps `live` to report the start and end of subscriptions, which a client cannot see. */
function watchSubscriptions(live: Live) {
  const waiting = new Map<string, () => void>();
  const watchedLive: Live = {
    ...live,
    subscribe: (topic, scope) => {
      const subscription = live.subscribe(topic, scope);
      const unsubscribe = subscription.return.bind(subscription);
      subscription.return = () => {
        waiting.get(`unsubscribed ${topic}`)?.();
        return unsubscribe();
      };
      waiting.get(`subscribed ${topic}`)?.();
      return subscription;
    },
  };
  const until = (change: string) => new Promise<void>((resolve) => void waiting.set(change, resolve));
  return {
    live: watchedLive,
    untilSubscribed: (topic: LiveTopic) => until(`subscribed ${topic}`),
    untilUnsubscribed: (topic: LiveTopic) => until(`unsubscribed ${topic}`),
  };
}
