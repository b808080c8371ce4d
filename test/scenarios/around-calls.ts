import type { Chain } from '../../src/chain/chain.ts';

type Send = () => Promise<unknown>;
type Method = (...args: unknown[]) => { send: Send };

/** The same chain; `around` is called with each RPC method and a function that makes the call. */
export function aroundCalls(chain: Chain, around: (method: string, send: Send) => Promise<unknown>): Chain {
  const wrapped = <R extends object>(rpc: R): R =>
    new Proxy(rpc, {
      get(target, name) {
        const method = Reflect.get(target, name) as Method;
        if (typeof name !== 'string') return method;
        return (...args: unknown[]) => {
          const request = Reflect.apply(method, target, args);
          return { send: () => around(name, () => request.send()) };
        };
      },
    });
  return {
    ...chain,
    rpc: wrapped(chain.rpc),
    sendRpc: wrapped(chain.sendRpc),
    onOneNode: (work) => chain.onOneNode((rpc) => work(wrapped(rpc))),
  };
}
