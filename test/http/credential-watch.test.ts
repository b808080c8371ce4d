import { pino } from 'pino';
import { expect, it } from 'vitest';
import { CredentialWatch } from '../../src/api/access/credential-watch.ts';
import { LiveSubscription } from '../../src/live/live-subscription.ts';

const log = pino({ level: 'silent' });

/** Creates a source whose connection always breaks at once, and counts the attempts. */
function createBrokenSource(findEnded: (ids: readonly string[]) => Promise<string[]>) {
  const source = {
    attempts: 0,
    listen: () => {
      source.attempts += 1;
      // Stop a loop without a pause, which would block the test.
      if (source.attempts > 100)
        return new LiveSubscription<string>(
          () => undefined,
          async () => undefined,
        );
      return new LiveSubscription<string>(
        () => undefined,
        () => Promise.reject(new Error('the connection is closed')),
      );
    },
    idOf: (id: string) => id,
    findEnded,
  };
  return source;
}

it('an unknown state is looked up, at a limited rate', async () => {
  const ended = Promise.withResolvers<void>();
  let lookups = 0;
  const source = createBrokenSource(async (ids) => {
    lookups += 1;
    return lookups === 2 ? [...ids] : [];
  });
  const watch = new CredentialWatch(log, source);
  watch.watch('key', () => ended.resolve());
  await ended.promise;
  await watch.close();
  expect(source.attempts).toBeLessThanOrEqual(lookups + 1);
});

it('continues to listen after the connection is restored', async () => {
  const ended = Promise.withResolvers<void>();
  const live: LiveSubscription<string>[] = [];
  const lookedUp = Promise.withResolvers<void>();
  const watch = new CredentialWatch(log, {
    listen: () => {
      const subscription = new LiveSubscription<string>(
        () => undefined,
        async () => undefined,
      );
      live.push(subscription);
      return subscription;
    },
    idOf: (id) => id,
    findEnded: async () => {
      if (live.length === 2) lookedUp.resolve();
      return [];
    },
  });
  watch.watch('key', () => ended.resolve());
  live[0]?.fail(new Error('the connection broke'));
  await lookedUp.promise;
  live[1]?.push('key');
  await ended.promise;
  await watch.close();
  expect(live).toHaveLength(2);
});

it('does not listen after it is closed', async () => {
  const unsubscribed: number[] = [];
  const watch = new CredentialWatch(log, {
    listen: () =>
      new LiveSubscription<string>(
        () => unsubscribed.push(1),
        async () => undefined,
      ),
    idOf: (id) => id,
    findEnded: async () => [],
  });
  await watch.close();
  expect(unsubscribed).toEqual([1]);
});
