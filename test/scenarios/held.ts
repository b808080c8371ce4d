import type { AppContext } from '../../src/app.ts';
import type { Chain } from '../../src/chain/chain.ts';

export interface Held {
  readonly ctx: AppContext;
  /** It stands before that call. */
  readonly reached: Promise<void>;
  /** Lets it go on. */
  release(): void;
}

/** A context whose process stands still before its first call of an RPC method: a slow node, a machine that sleeps. */
export function held(ctx: AppContext, method: string): Held {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const chain = ctx.chain.TEST as Chain;
  const rpc = new Proxy(chain.rpc, {
    get(target, name) {
      const call = Reflect.get(target, name) as (...args: unknown[]) => { send(): Promise<unknown> };
      if (name !== method) return call;
      return (...args: unknown[]) => {
        const request = Reflect.apply(call, target, args);
        return {
          send: async () => {
            reached.resolve();
            await released.promise;
            return request.send();
          },
        };
      };
    },
  });
  return {
    ctx: { ...ctx, chain: { TEST: { ...chain, rpc } } },
    reached: reached.promise,
    release: () => released.resolve(),
  };
}
