// biome-ignore-all lint/performance/noBarrelFile: what the package exports as dues/client
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { GraphQLClient, type Variables } from 'graphql-request';
import { CREATE_CHECKOUT_SESSION, EVENTS_CURSOR } from './documents.ts';
import { DuesError, toDuesError } from './dues-error.ts';
import type { CreateCheckoutSessionInput, CreateCheckoutSessionMutation } from './generated/graphql.ts';
import { type LiveEvent, type LiveEventsOptions, liveEvents } from './live-events.ts';

export { DuesError, type DuesErrorCode } from './dues-error.ts';
export type { CreateCheckoutSessionInput } from './generated/graphql.ts';
export type { EventData, EventType } from './generated/webhook-events.ts';
export type { LiveEvent, LiveEventsOptions } from './live-events.ts';
export {
  type CustomerState,
  createStateCache,
  type StateCache,
  type StateCacheOptions,
} from './state-cache.ts';
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  WebhookSignatureError,
} from './verify-webhook.ts';

export type CheckoutSession = CreateCheckoutSessionMutation['createCheckoutSession'];

export interface DuesClientOptions {
  /** URL of dues: `https://dues.example`. */
  readonly url: string;
  /** `sk_test_...` or `sk_live_...`. Never use it in a browser. */
  readonly apiKey: string;
}

/** The calls of a merchant's backend. Every call rejects only with a DuesError. */
export interface DuesClient {
  /**
   * Creates a checkout session that is open for 30 minutes. Send the customer to its `url`. A
   * repeated request with the same `idempotencyKey` returns the same session, so it may be repeated
   * after a `connection_error`.
   */
  createCheckoutSession(input: CreateCheckoutSessionInput): Promise<CheckoutSession>;
  /**
   * Yields every event when it happens, without an end. Lost connections are reopened without
   * losing an event. With the last processed `cursor` as `after`, no event is missed while the
   * program is stopped.
   */
  events(options?: LiveEventsOptions): AsyncGenerator<LiveEvent, void, undefined>;
  /** Runs any other operation of the GraphQL API. */
  request<Result, V extends Variables>(document: TypedDocumentNode<Result, V>, variables: V): Promise<Result>;
}

export function createDuesClient({ url, apiKey }: DuesClientOptions): DuesClient {
  const endpoint = new URL('/graphql', url).href;
  const headers = { authorization: `Bearer ${apiKey}` };
  const graphql = new GraphQLClient(endpoint, { headers });
  async function request<Result, V extends Variables>(
    document: TypedDocumentNode<Result, V>,
    variables: V,
    signal?: AbortSignal,
  ): Promise<Result> {
    const data = await graphql
      .request<Result | undefined>({ document, variables, signal })
      .catch((cause: unknown) => {
        throw toDuesError(cause);
      });
    // Another server may answer any POST with JSON.
    if (!data) throw new DuesError('connection_error', 'The response is not from dues.');
    return data;
  }
  return {
    request,
    createCheckoutSession: async (input) =>
      (await request(CREATE_CHECKOUT_SESSION, { input })).createCheckoutSession,
    events: (options = {}) => {
      const readCursor = async (signal?: AbortSignal) =>
        (await request(EVENTS_CURSOR, {}, signal)).eventsCursor;
      return liveEvents({ endpoint, headers, readCursor }, options);
    },
  };
}
