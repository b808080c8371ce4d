import type { AppContext } from '../../src/app.ts';
import type { Chain } from '../../src/chain/chain.ts';
import { aroundCalls } from './around-calls.ts';

export interface Suspended {
  readonly ctx: AppContext;
  /**
   * Resolves when the process waits before that call.
   *
   * @throws if its work ends without that call
   */
  reached(work: Promise<unknown>): Promise<void>;
  /** Lets the process continue. */
  release(): void;
}

/**
 * A context whose process waits before its first call of an RPC method, as on a suspended machine.
 */
export function suspendAt(ctx: AppContext, method: string): Suspended {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const chain = ctx.chain.TEST as Chain;
  const suspended = aroundCalls(chain, async (called, send) => {
    if (called === method) {
      reached.resolve();
      await released.promise;
    }
    return send();
  });
  return {
    ctx: { ...ctx, chain: { TEST: suspended } },
    async reached(work) {
      const end = work.then(() => {
        throw new Error(`the work ended without a call of ${method}`);
      });
      await Promise.race([reached.promise, end]);
    },
    release: () => released.resolve(),
  };
}
