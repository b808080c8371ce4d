import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { notifyRelay } from '../../src/domain/messages/event/notify-relay.ts';
import { testContext } from './context.ts';

// A server that accepts connections and never answers, like a Redis behind a firewall. The other
// tested address is a closed port.
const silentServer = createServer((socket) => socket.resume());
let silentPort: number;
beforeAll(async () => {
  await new Promise<void>((resolve) => silentServer.listen(0, '127.0.0.1', resolve));
  silentPort = (silentServer.address() as { port: number }).port;
});
afterAll(() => {
  silentServer.close();
});

const DATABASE_URL = 'postgresql://nobody@127.0.0.1:1/none';
const SECRET = 'cs_a-secret-that-must-not-be-logged';

it.each([
  ['refuses', () => 1],
  ['does not answer', () => silentPort],
])('adding a job to a Redis that %s fails, and the process continues', async (_what, port) => {
  const ctx = testContext({ databaseUrl: DATABASE_URL, redisUrl: `redis://127.0.0.1:${port()}` });
  await expect(ctx.jobs.add('events.relay', {})).rejects.toThrow();
  await expect(ctx.jobs.addMany('events.relay', [{ payload: {} }])).rejects.toThrow();
  await notifyRelay(ctx);
  await ctx.jobs.close();
  await ctx.live.close();
});

it('a failed publication is logged without its channel, which holds secrets', async () => {
  const ctx = testContext({ databaseUrl: DATABASE_URL, redisUrl: 'redis://127.0.0.1:1' });
  await ctx.live.publish('checkout-session.updated', { sessionId: SECRET });
  await ctx.live.close();
  await ctx.jobs.close();
  expect(ctx.logged.join()).toMatch(/live update not published|Redis for live updates unreachable/);
  expect(ctx.logged.join()).not.toContain(SECRET);
});
