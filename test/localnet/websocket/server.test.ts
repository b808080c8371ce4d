import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { PortInUse } from '../../../localnet/server.ts';
import { startWebSocketServer } from '../../../localnet/websocket.ts';
import { writeAccount } from '../../../tools/world/wallet.ts';
import { SOON } from '../../support/soon.ts';
import { newAddress } from '../rpc/world.ts';
import { startWorld, type World } from './world.ts';

const EVENTS = ['account', 'transaction', 'block', 'slot'] as const;

const listeners = ({ network }: World) => EVENTS.map((event) => network.listenerCount(event));

describe('the WebSocket server', () => {
  it('answers plain HTTP with its protocol', async () => {
    const { server } = await startWorld();
    const response = await fetch(`http://127.0.0.1:${server.port}/`, { method: 'POST', body: '{}' });
    expect([response.status, response.headers.get('upgrade')]).toEqual([426, 'websocket']);
    expect(await response.text()).toContain('WebSocket');
  });

  it('refuses an invalid handshake', async () => {
    const { server } = await startWorld();
    const socket = connectTcp(server.port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    const [head] = await once(socket, 'data');
    expect(String(head)).toMatch(/^HTTP\/1\.1 400/);
    await once(socket, 'close');
  });

  it('names the port that is in use, and leaves no listener on the network', async () => {
    const world = await startWorld();
    const before = listeners(world);
    const { port } = world.server;
    const second = startWebSocketServer(world.network, { host: '127.0.0.1', port });
    await expect(second).rejects.toThrow(PortInUse);
    expect(listeners(world)).toEqual(before);
  });

  it('closes every connection and stops listening to the network', async () => {
    const world = await startWorld();
    const clients = [await world.connect(), await world.connect()];
    for (const client of clients) await client.subscribe('slotSubscribe');
    const tcp = connectTcp(world.server.port, '127.0.0.1');
    await once(tcp, 'connect');
    const closed = [...clients.map(({ socket }) => socket), tcp].map((socket) => once(socket, 'close'));
    await world.server.close();
    await Promise.all(closed);
    expect(listeners(world)).toEqual([0, 0, 0, 0]);
    await expect(world.connect()).rejects.toThrow('ECONNREFUSED');
    await expect(world.server.close()).resolves.toBeUndefined();
  });

  it('removes the subscriptions of a client that disconnected', async () => {
    const { network, connect } = await startWorld();
    const [leaving, staying] = [await connect(), await connect()];
    const address = await newAddress();
    const first = await leaving.subscribe('accountSubscribe', address, { commitment: 'processed' });
    leaving.socket.terminate();
    // While a connection is subscribed, the same request is the same subscription. Afterwards it is
    // a new one.
    await vi.waitFor(async () => {
      const id = await staying.subscribe('accountSubscribe', address, { commitment: 'processed' });
      if (id === first) await staying.call('accountUnsubscribe', [id]);
      expect(id).not.toBe(first);
    }, SOON);
    writeAccount(network, address);
    await staying.untilCaughtUp();
    expect(staying.notifications).toHaveLength(1);
  });

  it('disconnects a client that does not read, and keeps the others', async () => {
    const { network, connect } = await startWorld({ maxBufferedBytes: 64 * 1024 });
    const [slow, quick] = [await connect(), await connect()];
    const address = await newAddress();
    const settings = { commitment: 'processed', encoding: 'base64' };
    await slow.subscribe('accountSubscribe', address, settings);
    const id = await quick.subscribe('accountSubscribe', address, settings);
    slow.socket.pause();
    const writes = 60;
    for (let i = 1; i <= writes; i++) {
      writeAccount(network, address, { lamports: BigInt(i), data: new Uint8Array(512 * 1024) });
      await quick.untilCaughtUp();
    }
    const closed = once(slow.socket, 'close');
    slow.socket.resume();
    await closed;
    expect(slow.notifications.length).toBeLessThan(writes);
    const lamports = quick
      .notificationsOf(id)
      .map((result) => (result as { value: { lamports: number } }).value.lamports);
    expect(lamports).toEqual(Array.from({ length: writes }, (_, i) => i + 1));
  });
});
