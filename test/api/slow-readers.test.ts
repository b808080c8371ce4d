import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { SlowReaders } from '../../src/api/graphql/live/slow-readers.ts';
import { createLog } from '../../src/observability/log.ts';

const server = createServer().listen(0, '127.0.0.1');
await once(server, 'listening');

afterEach(() => {
  vi.useRealTimers();
  server.close();
});

it('a socket is watched until it closes, and not at all if it has closed already', async () => {
  const { port } = server.address() as AddressInfo;
  const [[socket], client] = await Promise.all([once(server, 'connection'), connect(port, '127.0.0.1')]);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const readers = new SlowReaders(createLog('silent'));
  const unused = () => expect.unreachable();
  readers.watch(socket, unused);
  // The check of all watched sockets.
  expect(vi.getTimerCount()).toBe(1);
  const closed = once(socket, 'close');
  socket.resume();
  client.destroy();
  await closed;
  expect(vi.getTimerCount()).toBe(0);
  readers.watch(socket, unused);
  expect(vi.getTimerCount()).toBe(0);
});
