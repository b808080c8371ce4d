import type { AppContext } from '../../src/app.ts';
import type { Chain } from '../../src/chain/chain.ts';

/** Thrown by everything that a dead process would have done. */
export class Dead extends Error {
  override name = 'Dead';
}

export interface Death {
  /** Which call to the outside it dies at, from 1. */
  readonly at: number;
  /** Whether that call still takes effect: it was made, and its answer never heard. */
  readonly when: 'before' | 'after';
}

/**
 * A context whose process dies at its n-th call to the database or the cluster: that call and all later ones never
 * return anything. `calls()` tells how many were made, so that every one can be died at in turn.
 */
export function mortal(ctx: AppContext, death: Death): { ctx: AppContext; calls: () => number } {
  let calls = 0;
  const guarded = <T>(call: () => Promise<T>): Promise<T> => {
    calls += 1;
    if (calls > death.at || (calls === death.at && death.when === 'before'))
      return Promise.reject(new Dead());
    if (calls < death.at) return call();
    return call().then(() => {
      throw new Dead();
    });
  };
  const chain = Object.fromEntries(
    Object.entries(ctx.chain).map(([environment, each]) => [environment, guardChain(each, guarded)]),
  );
  return { ctx: { ...ctx, db: guardDb(ctx.db, guarded), chain }, calls: () => calls };
}

type Transact = (work: (tx: object) => Promise<unknown>, options?: object) => Promise<unknown>;
type Guard = <T>(call: () => Promise<T>) => Promise<T>;

function guardDb<D extends object>(db: D, guarded: Guard): D {
  return new Proxy(db, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (name === '$transaction') {
        // Dying inside rolls back; the commit itself is a call like any other.
        return (work: (tx: object) => Promise<unknown>, options?: object) =>
          guarded(() =>
            (value as Transact).call(target, (tx: object) => work(guardDb(tx, guarded)), options),
          );
      }
      if (typeof value === 'function') {
        const isQuery = typeof name === 'string' && /^\$(query|execute)Raw/.test(name);
        const bound = value.bind(target) as (...args: unknown[]) => Promise<unknown>;
        return isQuery ? (...args: unknown[]) => guarded(() => bound(...args)) : bound;
      }
      if (typeof value === 'object' && value !== null && typeof name === 'string' && !name.startsWith('_')) {
        return guardModel(value, guarded);
      }
      return value;
    },
  });
}

function guardModel<M extends object>(model: M, guarded: Guard): M {
  return new Proxy(model, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => guarded(() => Reflect.apply(value, target, args) as Promise<unknown>);
    },
  });
}

function guardChain(chain: Chain, guarded: Guard): Chain {
  const rpc = new Proxy(chain.rpc, {
    get(target, name) {
      const method = Reflect.get(target, name) as (...args: unknown[]) => { send(): Promise<unknown> };
      return (...args: unknown[]) => {
        const request = Reflect.apply(method, target, args);
        return { send: () => guarded(() => request.send()) };
      };
    },
  });
  return { ...chain, rpc };
}
