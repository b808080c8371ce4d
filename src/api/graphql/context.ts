import type { Socket } from 'node:net';
import type { AppContext } from '../../app.ts';
import { type Caller, noKey } from '../../domain/kernel/access/caller.ts';
import type { Scope } from '../../domain/kernel/access/scope.ts';
import type { RequestOrigin } from '../../domain/kernel/audit-log/actor.ts';
import type { ReadServiceHealth } from '../../domain/maintenance/service-health/service-health.ts';
import type { ApiKeyScope } from '../../generated/prisma/client.ts';
import type { KeyUse } from '../access/key-use.ts';
import type { KeyWatch } from '../access/key-watch.ts';
import type { Admission } from '../admission/admission.ts';
import type { RateVerdict } from '../rate-limit/rate-limit.ts';
import type { RateLimits } from '../rate-limit/rate-limits.ts';
import type { EventFeeds } from './live/event-feeds.ts';
import type { SlowReaders } from './live/slow-readers.ts';
import type { StreamCounts } from './live/stream-counts.ts';
import type { SetCookie } from './transport/set-cookie.ts';

/** Services that all requests to one server share. */
export interface GraphqlServer {
  readonly app: AppContext;
  readonly limits: RateLimits;
  readonly admission: Admission;
  /** Records when keys are used. */
  readonly keyUse: KeyUse;
  /** Ends a caller's open streams when its API key or member session ends. */
  readonly keyWatch: KeyWatch;
  /** Functions that end the open live streams when the server closes. */
  readonly openStreams: Set<() => void>;
  readonly streamCounts: StreamCounts;
  readonly eventFeeds: EventFeeds;
  readonly slowReaders: SlowReaders;
  readonly readHealth: ReadServiceHealth;
  readonly stopping: Stopping;
}

/** Whether the server has begun to stop: it is not ready, and an answer ends its connection. */
export interface Stopping {
  hasBegun: boolean;
}

/** The caller of a request, its limits, and what the transport can do for its response. */
export interface GraphqlCaller {
  /**
   * The caller that the key or cookie of the request identifies. If undefined, only fields without
   * a required scope can be read.
   */
  readonly caller: Caller | undefined;
  /** The rate-limit key that the request counts against. */
  readonly countsAgainst: string;
  /** Receives the rate-limit state for the response headers. */
  readonly onCounted?: (verdict: RateVerdict) => void;
  /** Receives the state of a limit that refused a part of the answer. */
  readonly onPartRefused?: (verdict: RateVerdict) => void;
  /** Called if the operation failed temporarily and changed nothing: it can be repeated. */
  readonly onTemporaryFailure?: () => void;
  readonly requestId: string;
  /** Facts about the request that the audit log stores. */
  readonly requestOrigin: RequestOrigin;
  /** Sets the cookie of the response; missing if the transport cannot set one. */
  readonly setCookie?: SetCookie;
  /** The connection, if it carries only this response. */
  readonly connection?: Socket;
}

/** The context that resolvers of one request receive. */
export interface GraphqlContext extends GraphqlServer, GraphqlCaller {}

/**
 * The caller's merchant and environment: every read of a merchant's rows starts with this `where`.
 */
export function scopeOf({ caller }: Pick<GraphqlContext, 'caller'>): Scope {
  if (!caller) throw noKey();
  const { merchantId, environment } = caller;
  return { merchantId, environment };
}

/** Whether the row belongs to the caller's merchant and environment. */
export function isOwner({ caller }: Pick<GraphqlContext, 'caller'>, row: Scope): boolean {
  return caller?.merchantId === row.merchantId && caller.environment === row.environment;
}

/** The caller's scopes. A key that the caller creates cannot have any others. */
export function scopesOf({ caller }: Pick<GraphqlContext, 'caller'>): readonly ApiKeyScope[] {
  if (!caller) throw noKey();
  return caller.scopes;
}
