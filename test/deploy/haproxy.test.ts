import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { get as getByTls } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { findHaproxy, HAPROXY_CONFIG, startHaproxy } from '../../tools/haproxy.ts';
import { temporaryFolder } from '../../tools/temporary-folder.ts';
import { startApiWorld } from '../api/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { SOON } from '../support/soon.ts';
import { newCertificate } from '../webhooks/post/certificates.ts';

const binary = findHaproxy() as string;
if (!binary) console.warn('SKIPPED: dues behind HAProxy: no haproxy on this machine');

/** Limits that a test reaches at once. */
const LOW = {
  connections: 20,
  requests: 100,
  seconds: 1,
};

const edit = (config: string) =>
  config
    .replace('sc0_conn_cur gt 500', `sc0_conn_cur gt ${LOW.connections}`)
    .replace('sc0_http_req_rate gt 2000', `sc0_http_req_rate gt ${LOW.requests}`)
    .replace('timeout http-request 10s', `timeout http-request ${LOW.seconds}s`)
    .replace('timeout client 30s', `timeout client ${LOW.seconds}s`);

async function startFront() {
  const closing = new AsyncDisposableStack();
  const world = await startApiWorld({ trustedProxies: ['127.0.0.1'] });
  closing.defer(() => world.close());
  const shipped = await startHaproxy(closing, binary, { apiPort: world.api.port });
  const low = await startHaproxy(closing, binary, { apiPort: world.api.port, edit });
  return { world, shipped, low, close: () => closing.disposeAsync() };
}

describe.runIf(binary)('dues behind HAProxy', async () => {
  if (!binary) return;
  const { world, shipped, low } = await sharedByFile(startFront());
  const { testKey: key } = await world.newKeyedMerchant();

  const ask = (url: string, headers: Record<string, string> = {}) =>
    fetch(`${url}/api/subscriptions`, { headers: { authorization: `Bearer ${key}`, ...headers } });
  /** Opens a connection from an address of this machine. */
  const open = (port: number, localAddress: string) =>
    connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined);

  it('HAProxy accepts the shipped configuration, with and without a certificate', async () => {
    await using closing = new AsyncDisposableStack();
    const check = (env: Record<string, string>) =>
      execFileSync(binary, ['-c', '-f', HAPROXY_CONFIG], {
        encoding: 'utf8',
        env: { DUES_API: '127.0.0.1:3000', ...env },
      });
    expect(check({})).toMatch(/^Configuration file is valid\s*$/);
    const file = join(await temporaryFolder(closing, 'dues-certificate-'), 'pay.pem');
    const { cert, key } = newCertificate({ host: 'localhost' });
    await writeFile(file, cert + key);
    expect(check({ DUES_CERTIFICATE: file })).toMatch(/^Configuration file is valid\s*$/);
  });

  it('HAProxy accepts the configuration for PostgreSQL, alone and after the other one', () => {
    const check = (...files: string[]) =>
      execFileSync(binary, ['-c', ...files.flatMap((file) => ['-f', file])], {
        encoding: 'utf8',
        env: { DUES_API: '127.0.0.1:3000' },
      });
    const postgresql = HAPROXY_CONFIG.replace('haproxy.cfg', 'postgresql.cfg');
    expect(check(postgresql)).toMatch(/^Configuration file is valid\s*$/);
    expect(check(HAPROXY_CONFIG, postgresql)).toMatch(/^Configuration file is valid\s*$/);
  });

  it('redirects to https when it has a certificate, and answers there', async () => {
    await using closing = new AsyncDisposableStack();
    const certificate = join(await temporaryFolder(closing, 'dues-certificate-'), 'pay.pem');
    const issued = newCertificate({ host: 'localhost' });
    await writeFile(certificate, issued.cert + issued.key);
    const { url, tlsPort } = await startHaproxy(closing, binary, { apiPort: world.api.port, certificate });
    const plain = await fetch(`${url}/health`, { redirect: 'manual' });
    expect([plain.status, plain.headers.get('location')]).toEqual([
      308,
      `${url.replace('http', 'https')}/health`,
    ]);
    const asked = getByTls({
      port: tlsPort,
      host: 'localhost',
      path: '/health',
      ca: issued.cert,
      agent: false,
    });
    const [answer] = await once(asked, 'response');
    expect([answer.statusCode, JSON.parse(await text(answer)).status]).toEqual([200, 'ok']);
  });

  it('callers without a key count by their own address, whatever they claim', async () => {
    const remainingFrom = async (localAddress: string, claimed = '') => {
      const socket = open(shipped.port, localAddress);
      socket.end(`GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${claimed}\r\n`);
      return Number(/x-ratelimit-remaining: (\d+)/i.exec(await text(socket))?.[1]);
    };
    expect(await remainingFrom('127.0.3.1')).toBe(999);
    expect(await remainingFrom('127.0.3.1', 'X-Forwarded-For: 203.0.113.9\r\n')).toBe(998);
    expect(await remainingFrom('127.0.3.2', 'X-Forwarded-For: 127.0.3.1\r\n')).toBe(999);
  });

  it('passes the limits of dues on, with their headers', async () => {
    const answer = await ask(shipped.url);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-ratelimit-limit')).toBe('1000');
    expect(answer.headers.get('retry-after')).toBeNull();
  });

  it('passes WebSockets', async () => {
    const socket = new WebSocket(`${shipped.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    const received: { type: string; payload?: unknown }[] = [];
    socket.on('message', (message) => received.push(JSON.parse(String(message))));
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${key}` } }));
    await vi.waitFor(() => expect(received).toEqual([{ type: 'connection_ack' }]), SOON);
    socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: '{ environment }' } }));
    await vi.waitFor(
      () => expect(received[1]).toMatchObject({ payload: { data: { environment: 'TEST' } } }),
      SOON,
    );
    socket.terminate();
  });

  it('passes server-sent events as they come', async () => {
    const stop = new AbortController();
    const answer = await fetch(`${shipped.url}/graphql`, {
      method: 'POST',
      signal: stop.signal,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body: JSON.stringify({ query: 'subscription { events { id } }' }),
    });
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    const reader = answer.body?.getReader();
    // The stream does not end.
    expect(new TextDecoder().decode((await reader?.read())?.value)).toMatch(/^(:|event:)/);
    stop.abort();
  });

  it('cuts off a client that sends its request slowly, before dues sees it', async () => {
    const before = world.logged.length;
    const socket = open(low.port, '127.0.4.1');
    socket.write(
      'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    );
    expect(await text(socket)).toBe('');
    expect(world.logged.slice(before).filter((line) => line.includes('/graphql'))).toEqual([]);
  });

  it('cuts off a client that does not read', async () => {
    const socket = open(low.port, '127.0.4.2').pause();
    const request = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n';
    // More than the buffers of the network, of HAProxy and of dues hold.
    socket.write(request.repeat(LOW.requests));
    // A socket that does not read notices the end only when it writes.
    const isCutOff = () => {
      if (!socket.destroyed) socket.write(request);
      expect(socket.destroyed).toBe(true);
    };
    await vi.waitFor(isCutOff, 20_000);
  });

  it('a flood from one address does not stop a merchant', async () => {
    const flooder = Array.from({ length: 3 * LOW.connections }, () => open(low.port, '127.0.4.3'));
    for (const socket of flooder) socket.resume().write('GET /health HTTP/1.1\r\nHost: x\r\n');
    await vi.waitFor(
      () => expect(flooder.filter(({ closed }) => closed)).toHaveLength(2 * LOW.connections),
      SOON,
    );
    expect((await ask(low.url)).status).toBe(200);
    for (const socket of flooder) socket.destroy();

    const socket = open(low.port, '127.0.4.4').setEncoding('utf8');
    let received = '';
    socket.on('data', (text: string) => {
      received += text;
    });
    // The client does not close its side: a proxy may drop the requests of one that does.
    socket.write('GET /api/checkout/cs_nobody HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2 * LOW.requests));
    const answers = () => received.split(/(?=HTTP\/1\.1 )/);
    await vi.waitFor(() => expect(answers()).toHaveLength(2 * LOW.requests), SOON);
    const refused = answers().filter((answer) => answer.startsWith('HTTP/1.1 429'));
    expect(refused).toHaveLength(LOW.requests);
    expect(refused[0]).toMatch(/retry-after: 10\r\n/i);
    expect(refused[0]).toMatch(/x-ratelimit-remaining: 0\r\n/i);
    expect(refused[0]).toContain('"code":"rate_limit_exceeded"');
    expect((await ask(low.url)).status).toBe(200);
  });
});
