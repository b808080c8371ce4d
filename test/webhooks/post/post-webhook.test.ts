import { once } from 'node:events';
import { createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Connections } from '../../../src/domain/messages/webhook/post/connections.ts';
import { postWebhook } from '../../../src/domain/messages/webhook/post/post-webhook.ts';
import { ok, type Receiver, startReceiver, status } from '../../../tools/world/webhook-receiver.ts';

let receiver: Receiver;
let connections: Connections;

beforeEach(async () => {
  receiver = await startReceiver();
  connections = new Connections();
});
afterEach(async () => {
  connections.close();
  await receiver.close();
});

const post = (changes: { url?: string; hostsAllowed?: string[]; timeoutMs?: number } = {}) =>
  postWebhook(connections, {
    url: receiver.url,
    environment: 'TEST',
    headers: { 'content-type': 'application/json', 'x-test': 'yes' },
    body: '{"name":"Zoë"}',
    hostsAllowed: ['127.0.0.1'],
    timeoutMs: 5000,
    ...changes,
  });

describe('a posted webhook', () => {
  it('arrives unchanged with its headers, and succeeds with a 2xx status', async () => {
    expect(await post()).toMatchObject({ statusCode: 200, error: null, responseBody: '{"received":true}' });
    receiver.answer = status(204);
    expect(await post()).toMatchObject({ statusCode: 204, error: null });
    expect(receiver.received[0]).toMatchObject({
      body: '{"name":"Zoë"}',
      headers: { 'x-test': 'yes', 'content-length': '15' },
    });
  });

  it.each([400, 401, 404, 410, 500, 503])('fails with status %i', async (statusCode) => {
    receiver.answer = status(statusCode);
    expect(await post()).toMatchObject({ statusCode, error: `answered ${statusCode}`, responseBody: 'no' });
  });

  it.each([301, 302, 307, 308])('does not follow a redirect with status %i', async (statusCode) => {
    receiver.answer = (response) => response.writeHead(statusCode, { location: receiver.url }).end();
    expect(await post()).toMatchObject({
      statusCode,
      error: `answered ${statusCode}: redirects are not followed`,
    });
    expect(receiver.received).toHaveLength(1);
  });

  it('waits for an answer only until its timeout', async () => {
    receiver.answer = () => undefined;
    expect(await post({ timeoutMs: 200 })).toMatchObject({
      statusCode: null,
      error: 'no answer within 0.2 s',
      responseBody: null,
      isTimedOut: true,
    });
  });

  it('keeps the first 4 kB of a long answer', async () => {
    receiver.answer = (response) => response.end('x'.repeat(100_000));
    expect(await post()).toMatchObject({ statusCode: 200, error: null, responseBody: 'x'.repeat(4096) });
  });

  it('fails with an endless answer, and does not read all of it', async () => {
    let written = 0;
    receiver.answer = (response) => {
      const writeAll = () => {
        while (!response.destroyed && response.write('x'.repeat(1000))) written += 1000;
      };
      response.on('drain', writeAll);
      writeAll();
    };
    expect(await post()).toMatchObject({
      statusCode: 200,
      error: 'answered 200, but with more than 1 MB',
      responseBody: 'x'.repeat(4096),
    });
    expect(written).toBeLessThan(20_000_000);
  });

  it('fails with an answer that does not end in time', async () => {
    receiver.answer = (response) => response.write('so far');
    expect(await post({ timeoutMs: 200 })).toMatchObject({
      statusCode: 200,
      error: 'answered 200, but did not end within 0.2 s',
      responseBody: 'so far',
      isTimedOut: true,
    });
  });

  it('fails at the same timeout if the headers of the answer arrive slowly', async () => {
    const slowServer = createServer((socket) => {
      const timer = setInterval(() => socket.write('H'), 20);
      socket.on('close', () => clearInterval(timer)).on('error', () => undefined);
      socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
    }).listen(0, '127.0.0.1');
    await once(slowServer, 'listening');
    const { port } = slowServer.address() as { port: number };
    expect(await post({ url: `http://127.0.0.1:${port}/`, timeoutMs: 300 })).toMatchObject({
      statusCode: null,
      error: 'no answer within 0.3 s',
    });
    await new Promise((resolve) => slowServer.close(resolve));
  });

  it.each([
    ['an answer that is not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', /^the answer is not HTTP/],
    ['headers without end', `HTTP/1.1 200 OK\r\nx-long: ${'x'.repeat(200_000)}`, /^the answer is not HTTP/],
  ])('fails with %s', async (_, bytes, expectedError) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined).on('data', () => socket.write(bytes));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const { statusCode, error } = await post({ url: `http://127.0.0.1:${port}/` });
    expect(statusCode).toBeNull();
    expect(error).toMatch(expectedError);
    await new Promise((resolve) => server.close(resolve));
  });

  it('fails with a message about TLS if the receiver has no TLS or no certificate', async () => {
    const plain = receiver.url.replace('http:', 'https:');
    expect((await post({ url: plain })).error).toMatch(/^TLS: no secure connection/);
    const serverWithoutCertificate = createTlsServer({}).listen(0, '127.0.0.1');
    serverWithoutCertificate.on('tlsClientError', () => undefined);
    await once(serverWithoutCertificate, 'listening');
    const { port } = serverWithoutCertificate.address() as { port: number };
    expect((await post({ url: `https://127.0.0.1:${port}/` })).error).toMatch(/^TLS: no secure connection/);
    await new Promise((resolve) => serverWithoutCertificate.close(resolve));
  });

  it('reports a name that does not resolve', async () => {
    const { statusCode, error } = await post({ url: 'https://nowhere.invalid/' });
    expect([statusCode, error]).toEqual([
      null,
      expect.stringMatching(/^the host name (does not|could not be) resolve/),
    ]);
  });

  it('reads Retry-After', async () => {
    receiver.answer = (response) => response.writeHead(503, { 'retry-after': '120' }).end();
    expect(await post()).toMatchObject({ statusCode: 503, retryAfterMs: 120_000 });
  });

  it('reuses a connection, and opens another one if the receiver closed it', async () => {
    const ports = new Set<number | undefined>();
    receiver.answer = (response) => {
      ports.add(response.socket?.remotePort);
      ok(response);
    };
    await post();
    await post();
    expect(ports.size).toBe(1);
    // The receiver closes the connection when the third request arrives.
    receiver.answer = (response) => {
      receiver.answer = ok;
      response.destroy();
    };
    expect(await post()).toMatchObject({ statusCode: 200, error: null });
  });

  it('stores answers that are not text in a form that the database accepts', async () => {
    receiver.answer = (response) => response.end(Buffer.of(0, 0xff, 0x41));
    expect((await post()).responseBody).toBe('\u{fffd}\u{fffd}A');
  });

  it('fails if the connection breaks, without details of dues’ network', async () => {
    receiver.answer = (response) => response.destroy();
    expect(await post()).toMatchObject({ statusCode: null, error: 'the connection was lost' });
    const closedServer = createServer().listen(0, '127.0.0.1');
    const { port } = await new Promise<{ port: number }>((resolve) =>
      closedServer.on('listening', () => resolve(closedServer.address() as { port: number })),
    );
    await new Promise((resolve) => closedServer.close(resolve));
    expect(await post({ url: `http://127.0.0.1:${port}/` })).toMatchObject({
      statusCode: null,
      error: 'the connection was refused',
    });
  });

  it.each(['127.0.0.1', 'localhost', 'localhost.', '[::ffff:127.0.0.1]', '2130706433'])(
    'does not connect to the private host %s unless it is allowed',
    async (host) => {
      const url = new URL(receiver.url);
      url.hostname = host;
      const { statusCode, error } = await post({ url: url.href, hostsAllowed: [] });
      expect(statusCode).toBeNull();
      expect(error).toBe('the URL must be on the public internet');
      expect(receiver.received).toEqual([]);
    },
  );
});
