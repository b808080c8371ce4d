import { pino } from 'pino';
import { expect, it } from 'vitest';
import { EndWatch } from '../../src/http/end-watch.ts';
import { LiveSubscription } from '../../src/jobs/live-subscription.ts';

const log = pino({ level: 'silent' });

/** Updates whose connection breaks at once, as one does that is closed for good; counts how often it was tried. */
function brokenSource(findEnded: (ids: readonly string[]) => Promise<string[]>) {
  const source = {
    tries: 0,
    listen: () => {
      source.tries += 1;
      // A loop without a pause would never let the test go on: it ends here.
      if (source.tries > 100)
        return new LiveSubscription<string>(
          () => undefined,
          async () => undefined,
        );
      return new LiveSubscription<string>(
        () => undefined,
        () => Promise.reject(new Error('the connection is closed')),
      );
    },
    idOf: (told: string) => told,
    findEnded,
  };
  return source;
}

it('what cannot be told for now is looked up, and no more often than that is it asked for again', async () => {
  const ended = Promise.withResolvers<void>();
  let looks = 0;
  const source = brokenSource(async (ids) => {
    looks += 1;
    return looks === 2 ? [...ids] : [];
  });
  const watch = new EndWatch(log, source);
  watch.watch('key', () => ended.resolve());
  await ended.promise;
  await watch.close();
  expect(source.tries).toBeLessThanOrEqual(looks + 1);
});

it('goes on listening where the connection stands again', async () => {
  const ended = Promise.withResolvers<void>();
  const live: LiveSubscription<string>[] = [];
  const looked = Promise.withResolvers<void>();
  const watch = new EndWatch(log, {
    listen: () => {
      const subscription = new LiveSubscription<string>(
        () => undefined,
        async () => undefined,
      );
      live.push(subscription);
      return subscription;
    },
    idOf: (told) => told,
    findEnded: async () => {
      if (live.length === 2) looked.resolve();
      return [];
    },
  });
  watch.watch('key', () => ended.resolve());
  live[0]?.fail(new Error('the connection broke'));
  await looked.promise;
  live[1]?.push('key');
  await ended.promise;
  await watch.close();
  expect(live).toHaveLength(2);
});

it('that is closed listens no more', async () => {
  const left: number[] = [];
  const watch = new EndWatch(log, {
    listen: () =>
      new LiveSubscription<string>(
        () => left.push(1),
        async () => undefined,
      ),
    idOf: (told) => told,
    findEnded: async () => [],
  });
  await watch.close();
  expect(left).toEqual([1]);
});
