import type { HttpBindings } from '@hono/node-server';
import type { Caller } from '../../domain/kernel/access/caller.ts';
import type { RateVerdict } from '../rate-limit/rate-limit.ts';

/** The context values that the middlewares of a request share. */
export interface ApiEnv {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    /** The caller identified by the key or cookie of the request. */
    caller: Caller | undefined;
    /** IP address of the caller. */
    address: string;
    /** The rate-limit key that the request counts against. */
    countsAgainst: string;
    /** The rate-limit state for the response headers. */
    verdict: RateVerdict;
    /** The error of a refused key. It is thrown after the request was counted. */
    refusal: unknown;
  };
}
