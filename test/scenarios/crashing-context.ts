import type { AppContext } from '../../src/app.ts';
import { aroundCalls } from './around-calls.ts';

/** Thrown by every later call of a dead process. */
export class Dead extends Error {
  override name = 'Dead';
}

export interface Death {
  /** The number of the external call at which it dies, from 1. */
  readonly at: number;
  /** Whether that call still takes effect: it was sent, and its answer lost. */
  readonly when: 'before' | 'after';
}

/**
 * A context whose process dies at its n-th call to the database or the cluster: that call and all later ones never
 * return anything. `calls()` returns their number, so that a test can die at each in turn.
 */
export function crashingContext(ctx: AppContext, death: Death): { ctx: AppContext; calls: () => number } {
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
    Object.entries(ctx.chain).map(([environment, each]) => [
      environment,
      aroundCalls(each, (_method, send) => guarded(send)),
    ]),
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
        // A death inside rolls back; the commit itself is a call like any other.
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
