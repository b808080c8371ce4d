import { pino } from 'pino';
import { expect, it } from 'vitest';
import { CredentialWatch } from '../../src/api/access/credential-watch.ts';
import { LiveSubscription } from '../../src/jobs/live-subscription.ts';

const log = pino({ level: 'silent' });

/** Updates whose connection breaks at once, as if closed for good; counts the attempts. */
function brokenSource(findEnded: (ids: readonly string[]) => Promise<string[]>) {
  const source = {
    tries: 0,
    listen: () => {
      source.tries += 1;
      // Ends a loop without a pause, which would block the test.
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
    idOf: (id: string) => id,
    findEnded,
  };
  return source;
}

it('an unknown state is looked up, at a limited rate', async () => {
  const ended = Promise.withResolvers<void>();
  let looks = 0;
  const source = brokenSource(async (ids) => {
    looks += 1;
    return looks === 2 ? [...ids] : [];
  });
  const watch = new CredentialWatch(log, source);
  watch.watch('key', () => ended.resolve());
  await ended.promise;
  await watch.close();
  expect(source.tries).toBeLessThanOrEqual(looks + 1);
});

it('continues to listen once the connection is back', async () => {
  const ended = Promise.withResolvers<void>();
  const live: LiveSubscription<string>[] = [];
  const looked = Promise.withResolvers<void>();
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

it('does not listen once it is closed', async () => {
  const left: number[] = [];
  const watch = new CredentialWatch(log, {
    listen: () =>
      new LiveSubscription<string>(
        () => left.push(1),
        async () => undefined,
      ),
    idOf: (id) => id,
    findEnded: async () => [],
  });
  await watch.close();
  expect(left).toEqual([1]);
});
