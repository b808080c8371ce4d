import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { startApi } from '../../src/api/server/server.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { startApiWorld } from './world.ts';

const world = await sharedByFile(startApiWorld());

/** Sends bytes that no client library would send, and reads the answer. */
async function sendRaw(request: string) {
  const socket = connect(world.api.port, '127.0.0.1');
  socket.write(request.replaceAll('\n', '\r\n'));
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  const [line = '', ...lines] = head.split('\r\n');
  const headers = new Headers(lines.map((header) => header.split(': ', 2) as [string, string]));
  return { status: Number(line.split(' ')[1]), headers, body };
}

const UPGRADE = 'Host: x\nConnection: Upgrade, close\nUpgrade: websocket\n';

it.each([
  ['a malformed host', 'GET /health HTTP/1.1\nHost: a b\nConnection: close\n\n'],
  ['no host', 'GET /health HTTP/1.1\nConnection: close\n\n'],
  ['two hosts', 'GET /health HTTP/1.1\nHost: x\nHost: y\nConnection: close\n\n'],
  ['text that is not HTTP', 'nonsense\n\n'],
  ['a header without an end', `GET /health HTTP/1.1\nHost: x\nLong: ${'x'.repeat(20_000)}\n\n`],
])('%s is refused with an ordinary error, and the server continues', async (_, request) => {
  const answer = await sendRaw(request);
  expect(answer.status).toBe(400);
  expect(JSON.parse(answer.body)).toEqual({
    error: { code: 'invalid_request', message: expect.any(String), param: 'request' },
  });
  expect(answer.headers.get('x-ratelimit-limit')).toBe('1000');
  expect(answer.headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
  expect(answer.headers.get('x-ratelimit-reset')).toMatch(/^\d{10}$/);
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect((await world.request('GET', '/health')).status).toBe(200);
});

it('refuses an unknown Expect header with a message', async () => {
  const answer = await sendRaw('GET /nowhere HTTP/1.1\nHost: x\nExpect: wonders\nConnection: close\n\n');
  expect(answer.status).toBe(400);
  expect(JSON.parse(answer.body).error).toMatchObject({ code: 'invalid_request', param: 'Expect' });
  expect(answer.headers.get('x-ratelimit-limit')).toBe('1000');
});

it.each([
  ['at another path', 'GET /elsewhere HTTP/1.1', 404],
  ['to an invalid URL', 'GET // HTTP/1.1', 404],
  ['without a handshake', 'GET /graphql HTTP/1.1', 400],
  ['by another method', 'POST /graphql HTTP/1.1', 400],
])(
  'an upgrade %s is refused like any other request, and counts against its caller',
  async (_, line, status) => {
    const { testKey } = await world.newKeyedMerchant();
    const refuse = () => sendRaw(`${line}\n${UPGRADE}Authorization: Bearer ${testKey}\n\n`);
    const first = await refuse();
    expect(first.status).toBe(status);
    const { error, errors } = JSON.parse(first.body);
    expect((error ?? errors[0].extensions).code).toBe(status === 404 ? 'not_found' : 'invalid_request');
    expect(first.headers.get('x-ratelimit-remaining')).toBe('999');
    expect((await refuse()).headers.get('x-ratelimit-remaining')).toBe('998');
  },
);

it('the server closes a connection whose upgrade it refused', async () => {
  const socket = connect({ port: world.api.port, host: '127.0.0.1', allowHalfOpen: true });
  socket.write(`GET /graphql HTTP/1.1\n${UPGRADE}\n`.replaceAll('\n', '\r\n'));
  await text(socket);
  const refused = once(socket, 'error');
  const writing = setInterval(() => socket.write('still here'), 10);
  const [error] = await refused;
  clearInterval(writing);
  expect(['ECONNRESET', 'EPIPE']).toContain(error.code);
});

it('answers a request that offers HTTP/2 over HTTP/1.1', async () => {
  const { testKey } = await world.newKeyedMerchant();
  const body = JSON.stringify({ query: '{ environment }' });
  const answer = await sendRaw(
    `POST /graphql HTTP/1.1\nHost: x\nConnection: Upgrade, HTTP2-Settings, close\nUpgrade: h2c\nHTTP2-Settings: AAMAAABk\nAuthorization: Bearer ${testKey}\nContent-Type: application/json\nContent-Length: ${body.length}\n\n${body}`,
  );
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.body)).toEqual({ data: { environment: 'TEST' } });
});

it('unreadable input after a request ends its answer, and adds nothing to it', async () => {
  const { testKey } = await world.newKeyedMerchant();
  const body = JSON.stringify({ query: 'subscription { paymentRecorded { id } }' });
  const socket = connect(world.api.port, '127.0.0.1').setEncoding('utf8');
  socket.write(
    `POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${testKey}\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  const [head] = await once(socket, 'data');
  expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n.*event-stream/s);
  const rest = text(socket);
  socket.write('nonsense\r\n\r\n');
  expect(await rest).not.toContain('400');
  expect((await world.request('GET', '/health')).status).toBe(200);
});

it('a server that stops is not ready at once, and closes its port later', async () => {
  const { port, close } = await startApi({
    ...world.ctx,
    config: { ...world.ctx.config, stopDelaySeconds: 1 },
  });
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const ask = async (path: string) => {
    const request = get({ host: '127.0.0.1', port, path, agent });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    answer.resume();
    await once(answer, 'end');
    return { status: answer.statusCode, connection: answer.headers.connection };
  };
  expect(await ask('/health/ready')).toEqual({ status: 200, connection: 'keep-alive' });
  const closed = close();
  // A balancer that has not looked yet.
  expect(await ask('/health')).toEqual({ status: 200, connection: 'close' });
  expect(await ask('/health')).toEqual({ status: 200, connection: 'close' });
  expect(await ask('/health/ready')).toEqual({ status: 503, connection: 'close' });
  await closed;
  await expect(ask('/health')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

it('a port that is in use is an EADDRINUSE error', async () => {
  const ctx = { ...world.ctx, config: { ...world.ctx.config, port: world.api.port } };
  await expect(startApi(ctx)).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
