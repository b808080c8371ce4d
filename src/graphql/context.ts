import type { AppContext } from '../app.ts';
import type { Scope } from '../domain/merchant/scope.ts';
import { noKey } from '../http/authenticate.ts';
import type { RateLimits } from '../http/rate-limit.ts';

/** What all requests to one server share. */
export interface GraphqlServer {
  readonly app: AppContext;
  readonly limits: RateLimits;
  /** Live streams that somebody is reading: they end when the server closes. */
  readonly openStreams: Set<AsyncIterator<unknown>>;
}

/** Who asks. */
export interface GraphqlCaller {
  /** Whose key came with the request; without a key only what a capability opens is open. */
  readonly scope: Scope | undefined;
  /** Whom the request counts against. */
  readonly caller: string;
  readonly requestId: string;
}

/** What a resolver knows of the request that it answers. */
export interface GraphqlContext extends GraphqlServer, GraphqlCaller {}

/** The merchant and environment of the key: the `where` that every read of a merchant's rows starts with. */
export function scopeOf({ scope }: GraphqlContext): Scope {
  if (!scope) throw noKey();
  return scope;
}

/** Whether the key opens that row, however it was reached. */
export function isOwner({ scope }: GraphqlContext, row: Scope): boolean {
  return scope?.merchantId === row.merchantId && scope.environment === row.environment;
}
