import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it, vi } from 'vitest';
import { Listeners, type ListenersOptions } from '../../src/api/server/listeners.ts';
import { SOON } from '../support/soon.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

async function startListeners(options: Partial<ListenersOptions> = {}) {
  const server = createServer((_, outgoing) => outgoing.end('here'));
  const listeners = new Listeners(server, options);
  const { port } = await listeners.listen({ host: '127.0.0.1', port: 0 });
  closing.push(() => {
    const closed = listeners.close();
    server.closeAllConnections();
    return closed;
  });
  const open = (localAddress = '127.0.0.1'): Socket => {
    const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined);
    closing.push(() => socket.destroy());
    return socket;
  };
  return { server, listeners, port, open };
}

it('closes connections beyond the limit, until an open one has closed', async () => {
  const { listeners, open } = await startListeners({ maxConnections: 5 });
  const first = Array.from({ length: 5 }, () => open());
  await vi.waitFor(() => expect(listeners.connections).toBe(5), SOON);
  const beyond = Array.from({ length: 20 }, () => open());
  for (const socket of beyond) expect(await text(socket).catch(() => '')).toBe('');
  expect(listeners.connections).toBe(5);
  for (const socket of first) {
    socket.write(GET);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toContain('200 OK');
  }
  first[0]?.destroy();
  await vi.waitFor(() => expect(listeners.connections).toBe(4), SOON);
  const next = open();
  next.write(GET);
  const [answer] = await once(next, 'data');
  expect(String(answer)).toContain('200 OK');
});

// Other systems have one loopback address.
it.runIf(process.platform === 'linux')(
  'closes connections of the address that has the most, to admit another address',
  async () => {
    const { listeners, open } = await startListeners({ maxConnections: 5 });
    const flooder = Array.from({ length: 5 }, () => open('127.0.0.2'));
    await vi.waitFor(() => expect(listeners.connections).toBe(5), SOON);
    const others = [open('127.0.0.3'), open('127.0.0.3')];
    for (const socket of others) {
      socket.write(GET);
      expect(String(await once(socket, 'data'))).toContain('200 OK');
    }
    expect(listeners.connections).toBe(5);
    await vi.waitFor(() => expect(flooder.filter(({ closed }) => closed)).toHaveLength(2), SOON);
    const third = open('127.0.0.3');
    expect(await text(third).catch(() => '')).toBe('');
    expect(others.some(({ closed }) => closed)).toBe(false);
  },
);

// Other systems do not spread connections over listeners.
it.runIf(process.platform === 'linux')(
  'accepts several connections in a turn of the event loop',
  async () => {
    const { server, open } = await startListeners();
    let turn = 0;
    const count = () => {
      turn += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    closing.push(() => clearImmediate(counting));
    const turns = new Set<number>();
    let accepted = 0;
    server.on('connection', () => {
      turns.add(turn);
      accepted += 1;
    });
    for (let count = 0; count < 64; count++) open();
    await vi.waitFor(() => expect(accepted).toBe(64), SOON);
    // The system spreads connections over the listeners by hash, so unevenly. An average of three
    // connections per turn is enough.
    expect(turns.size).toBeLessThanOrEqual(64 / 3);
  },
);

it('does not share a port that another process could listen to', async () => {
  const { port } = await startListeners();
  const other = new Listeners(createServer());
  await expect(other.listen({ host: '127.0.0.1', port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
