import type { AppContext } from '../../src/app.ts';
import { aroundCalls } from './around-calls.ts';

/** Thrown by the call at which a process crashes, and by every later one. */
export class Crashed extends Error {
  override name = 'Crashed';
}

export interface Crash {
  /** The number of the external call at which the process crashes, from 1. */
  readonly at: number;
  /** `after`: that call still takes effect, and its answer is lost. */
  readonly when: 'before' | 'after';
}

/**
 * A context whose process crashes at one of its calls to the database or the cluster: that call and
 * all later ones fail. `calls()` counts the calls, so that a test can crash at each in turn.
 */
export function crashingContext(ctx: AppContext, crash: Crash): { ctx: AppContext; calls: () => number } {
  let calls = 0;
  const guard = <T>(call: () => Promise<T>): Promise<T> => {
    calls += 1;
    if (calls > crash.at || (calls === crash.at && crash.when === 'before'))
      return Promise.reject(new Crashed());
    if (calls < crash.at) return call();
    return call().then(() => {
      throw new Crashed();
    });
  };
  const chains = Object.fromEntries(
    Object.entries(ctx.chain).map(([environment, chain]) => [
      environment,
      aroundCalls(chain, (_method, send) => guard(send)),
    ]),
  );
  return { ctx: { ...ctx, db: guardDb(ctx.db, guard), chain: chains }, calls: () => calls };
}

type Transact = (work: (tx: object) => Promise<unknown>, options?: object) => Promise<unknown>;
type GuardCall = <T>(call: () => Promise<T>) => Promise<T>;

function guardDb<D extends object>(db: D, guard: GuardCall): D {
  return new Proxy(db, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (name === '$transaction') {
        // A crash inside rolls the transaction back. The commit is a call of its own.
        return (work: (tx: object) => Promise<unknown>, options?: object) =>
          guard(() => (value as Transact).call(target, (tx: object) => work(guardDb(tx, guard)), options));
      }
      if (typeof value === 'function') {
        const isQuery = typeof name === 'string' && /^\$(query|execute)Raw/.test(name);
        const bound = value.bind(target) as (...args: unknown[]) => Promise<unknown>;
        return isQuery ? (...args: unknown[]) => guard(() => bound(...args)) : bound;
      }
      if (typeof value === 'object' && value !== null && typeof name === 'string' && !name.startsWith('_')) {
        return guardModel(value, guard);
      }
      return value;
    },
  });
}

function guardModel<M extends object>(model: M, guard: GuardCall): M {
  return new Proxy(model, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => guard(() => Reflect.apply(value, target, args) as Promise<unknown>);
    },
  });
}
