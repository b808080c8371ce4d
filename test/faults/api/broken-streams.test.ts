import { expect, it } from 'vitest';
import type { GraphqlContext } from '../../../src/api/graphql/context.ts';
import { EventFeeds } from '../../../src/api/graphql/live/event-feeds.ts';
import { EventStream } from '../../../src/api/graphql/live/event-stream.ts';
import { LiveStream } from '../../../src/api/graphql/live/live-stream.ts';
import { StreamCounts } from '../../../src/api/graphql/live/stream-counts.ts';
import { freePort } from '../../../src/postgres/free-port.ts';
import { testContext } from '../../jobs/context.ts';

const scope = { merchantId: '0199a1b2-0000-7000-8000-000000000001', environment: 'TEST' } as const;

/** The context of a request whose database does not answer. */
async function brokenContext() {
  const app = testContext({ databaseUrl: `postgresql://nobody@127.0.0.1:${await freePort()}/nothing` });
  const openStreams = new Set<() => void>();
  const context = {
    app,
    openStreams,
    streamCounts: new StreamCounts(),
    countsAgainst: 'acme',
    eventFeeds: new EventFeeds(app),
    caller: scope,
  } as unknown as GraphqlContext;
  return { app, context, openStreams };
}

it('a stream of events whose page cannot be read fails once, and leaves nothing open', async () => {
  const { app, context, openStreams } = await brokenContext();
  const stream = new EventStream(context, { after: 0n, last: 1n }, undefined);
  expect(openStreams.size).toBe(1);
  await expect(stream.next()).rejects.toThrow();
  expect(openStreams.size).toBe(0);
  expect(await stream.next()).toEqual({ value: undefined, done: true });
  await app.close();
});

it('a live stream that cannot read a row fails once, and leaves nothing open', async () => {
  const { app, context, openStreams } = await brokenContext();
  const source = app.live.subscribe('payment.recorded', scope);
  const stream = new LiveStream(context, source, async ({ paymentId }) => {
    await app.db.payment.findFirstOrThrow({ where: { id: paymentId } });
    return paymentId;
  });
  await app.live.publish('payment.recorded', { ...scope, paymentId: scope.merchantId });
  await expect(stream.next()).rejects.toThrow();
  expect(openStreams.size).toBe(0);
  expect(await stream.next()).toEqual({ value: undefined, done: true });
  await app.close();
});
