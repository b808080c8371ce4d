import type { BlockList, Socket } from 'node:net';
import type { AppContext } from '../app.ts';
import type { RequestOrigin } from '../domain/audit/actor.ts';
import { type Caller, noKey } from '../domain/merchant/caller.ts';
import type { Scope } from '../domain/merchant/scope.ts';
import type { ApiKeyScope } from '../generated/prisma/client.ts';
import type { KeyUse } from '../http/key-use.ts';
import type { KeyWatch } from '../http/key-watch.ts';
import type { RateVerdict } from '../http/rate-limit.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import type { EventFeeds } from './live/event-feeds.ts';
import type { SlowReaders } from './live/slow-readers.ts';
import type { StreamCounts } from './live/stream-counts.ts';
import type { SetCookie } from './session-cookie.ts';

/** What all requests to one server share. */
export interface GraphqlServer {
  readonly app: AppContext;
  readonly limits: RateLimits;
  /** Our own proxies, whose word is taken for where a request comes from. */
  readonly proxies: BlockList;
  /** Notes which keys are used. */
  readonly keyUse: KeyUse;
  /** Says when a key that opened something is revoked or expires. */
  readonly keyWatch: KeyWatch;
  /** What breaks off the live streams that somebody is reading, when the server closes. */
  readonly openStreams: Set<() => void>;
  readonly streamCounts: StreamCounts;
  readonly eventFeeds: EventFeeds;
  readonly slowReaders: SlowReaders;
}

/** Who asks. */
export interface GraphqlCaller {
  /** Whose key or cookie came with the request; without one only what a capability opens is open. */
  readonly caller: Caller | undefined;
  /** Whom the request counts against. */
  readonly countsAgainst: string;
  /** Takes the count that the answer's headers are to tell of. */
  readonly counted?: (verdict: RateVerdict) => void;
  readonly requestId: string;
  /** What the audit log remembers of the request. */
  readonly requestOrigin: RequestOrigin;
  /** Sets the cookie of the answer, where that can carry one. */
  readonly setCookie?: SetCookie;
  /** What the answer is written to, where it has it to itself. */
  readonly connection?: Socket;
}

/** What a resolver knows of the request that it answers. */
export interface GraphqlContext extends GraphqlServer, GraphqlCaller {}

/** The merchant and environment of the key: the `where` that every read of a merchant's rows starts with. */
export function scopeOf({ caller }: Pick<GraphqlContext, 'caller'>): Scope {
  if (!caller) throw noKey();
  const { merchantId, environment } = caller;
  return { merchantId, environment };
}

/** Whether the caller is the owner of that row, however it was reached. */
export function isOwner({ caller }: Pick<GraphqlContext, 'caller'>, row: Scope): boolean {
  return caller?.merchantId === row.merchantId && caller.environment === row.environment;
}

/** What the caller may do: what a key that it makes may do at most. */
export function scopesOf({ caller }: Pick<GraphqlContext, 'caller'>): readonly ApiKeyScope[] {
  if (!caller) throw noKey();
  return caller.scopes;
}
