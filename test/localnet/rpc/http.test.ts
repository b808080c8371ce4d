import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { Network } from '../../../localnet/network.ts';
import { startRpcServer } from '../../../localnet/rpc.ts';
import { PortInUse } from '../../../localnet/server.ts';
import { startWorld } from './world.ts';

const JSON_HEADERS = { 'content-type': 'application/json' };
const HEALTH = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'getHealth' });
const post = (url: string, body: string, headers: Record<string, string> = JSON_HEADERS) =>
  fetch(url, { method: 'POST', headers, body });

describe('the HTTP server', () => {
  it('reports its health to a GET request', async () => {
    const { url } = await startWorld();
    const response = await fetch(`${url}/health`);
    expect([response.status, await response.text()]).toEqual([200, 'ok']);
  });

  it('accepts requests from web pages', async () => {
    const { url } = await startWorld();
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://shop.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,solana-client',
      },
    });
    expect(preflight.status).toBe(200);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'OPTIONS, POST',
      'access-control-allow-headers': 'content-type,solana-client',
      'access-control-max-age': '86400',
    });
    const response = await post(url, HEALTH, { ...JSON_HEADERS, origin: 'https://shop.example' });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  });

  it('refuses other methods, other media types and more than 50 KiB', async () => {
    const { url } = await startWorld();
    expect((await fetch(url)).status).toBe(405);
    expect((await fetch(url, { method: 'PUT', headers: JSON_HEADERS, body: HEALTH })).status).toBe(405);
    expect((await post(url, HEALTH, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post(url, HEALTH, { 'content-type': 'Application/JSON; charset=utf-8' })).status).toBe(200);
    const padded = (length: number) => HEALTH.padEnd(length);
    expect((await post(url, padded(50 * 1024))).status).toBe(200);
    expect((await post(url, padded(50 * 1024 + 1))).status).toBe(413);
    expect((await post(url, HEALTH)).status).toBe(200);
  });

  it('continues after a client has disconnected in the middle of its request', async () => {
    const { url, server } = await startWorld();
    const socket = connect(server.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"json',
    );
    socket.destroy();
    await once(socket, 'close');
    expect((await post(url, HEALTH)).status).toBe(200);
  });

  it('answers requests that arrive together on a connection in their order', async () => {
    const { server } = await startWorld();
    const socket = connect(server.port, '127.0.0.1').setEncoding('latin1');
    const ids = Array.from({ length: 20 }, (_, id) => id);
    const requests = ids.map((id) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'getHealth' });
      return `POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    });
    socket.write(requests.join(''));
    let received = '';
    for await (const text of socket) {
      received += text;
      if (received.split('"id":').length > ids.length) break;
    }
    expect(Array.from(received.matchAll(/"id":(\d+)/g), ([, id]) => Number(id))).toEqual(ids);
  });

  it('ends all connections when it closes, including those that wait for a response', async () => {
    const network = new Network({ slotMs: 0 });
    const server = await startRpcServer(network, { host: '127.0.0.1', port: 0 });
    network.faults.set({ methods: { getHealth: { fault: 'timeout', times: 1 } } });
    const waiting = request({ port: server.port, method: 'POST', headers: JSON_HEADERS });
    waiting.end(HEALTH);
    await once(waiting, 'finish');
    const idle = connect(server.port, '127.0.0.1');
    await once(idle, 'connect');
    const ended = Promise.all([once(waiting, 'error'), once(idle, 'close')]);
    await server.close();
    await ended;
    await expect(post(`http://127.0.0.1:${server.port}`, HEALTH)).rejects.toThrow();
  });

  it('reports that its port is in use', async () => {
    const { server } = await startWorld();
    const network = new Network({ slotMs: 0 });
    await expect(startRpcServer(network, { host: '127.0.0.1', port: server.port })).rejects.toThrow(
      PortInUse,
    );
  });
});

describe('a fault that is set for a method', () => {
  const setFault = async (fault: 'rate-limit' | 'server-error' | 'timeout' | 'disconnect', times = 1) => {
    const world = await startWorld();
    world.network.faults.set({ methods: { getHealth: { fault, times } } });
    return world;
  };

  it('can be a rate limit with the time to wait', async () => {
    const { url } = await setFault('rate-limit', 2);
    for (let call = 0; call < 2; call += 1) {
      const response = await post(url, HEALTH);
      expect(response.status).toBe(429);
      expect(response.headers.get('retry-after')).toBe('1');
      expect(await response.json()).toMatchObject({ error: { code: 429 }, id: 7 });
    }
    expect((await post(url, HEALTH)).status).toBe(200);
  });

  it('can be a server error', async () => {
    const { url } = await setFault('server-error');
    expect((await post(url, HEALTH)).status).toBe(500);
    expect((await post(url, HEALTH)).status).toBe(200);
  });

  it('can be a broken connection', async () => {
    const { url } = await setFault('disconnect');
    await expect(post(url, HEALTH)).rejects.toThrow();
    expect((await post(url, HEALTH)).status).toBe(200);
  });

  it('can be a missing response', async () => {
    const { url } = await setFault('timeout');
    const signal = AbortSignal.timeout(200);
    const unanswered = fetch(url, { method: 'POST', headers: JSON_HEADERS, body: HEALTH, signal });
    await expect(unanswered).rejects.toThrow(/timeout/);
    expect((await post(url, HEALTH)).status).toBe(200);
  });

  it('affects a whole batch, and no other methods', async () => {
    const { url, ask } = await setFault('rate-limit');
    expect(await ask('getGenesisHash')).toEqual(expect.any(String));
    const genesis = JSON.stringify({ jsonrpc: '2.0', id: 8, method: 'getGenesisHash' });
    expect((await post(url, `[${genesis},${HEALTH}]`)).status).toBe(429);
    expect((await post(url, `[${genesis},${HEALTH}]`)).status).toBe(200);
  });
});
