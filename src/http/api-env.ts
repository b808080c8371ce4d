import type { HttpBindings } from '@hono/node-server';
import type { Scope } from '../domain/merchant/scope.ts';
import type { RateVerdict } from './rate-limit.ts';

/** What the layers of one request hand on to each other. */
export interface ApiEnv {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    /** Whose key came with the request. */
    scope: Scope | undefined;
    /** Whom it counts against. */
    caller: string;
    verdict: RateVerdict;
    /** Why the key was not accepted; told once the request was counted. */
    refusal: unknown;
  };
}
