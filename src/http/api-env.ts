import type { HttpBindings } from '@hono/node-server';
import type { Caller } from '../domain/merchant/caller.ts';
import type { RateVerdict } from './rate-limit.ts';

/** What the layers of one request hand on to each other. */
export interface ApiEnv {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    /** Whose key or cookie came with the request. */
    caller: Caller | undefined;
    /** From where it comes. */
    address: string;
    /** Whom it counts against. */
    countsAgainst: string;
    /** What the answer's headers tell. */
    verdict: RateVerdict;
    /** Why the key was not accepted; told once the request was counted. */
    refusal: unknown;
  };
}
