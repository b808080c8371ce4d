/**
 * The protocol of graphql-ws, frame by frame:
 * https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
 */
import { once } from 'node:events';
import { afterEach, expect, it, vi } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { startApiWorld } from '../api/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();

const opened: WebSocket[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const socket of opened.splice(0)) socket.terminate();
});

const EVENTS = { query: 'subscription { events { id } }' };

/** Opens a socket and stores its messages. */
async function connect(options: ClientOptions = {}) {
  const url = `${world.api.url.replace('http', 'ws')}/graphql`;
  const socket = new WebSocket(url, 'graphql-transport-ws', options);
  opened.push(socket);
  const frames: unknown[] = [];
  socket.on('message', (data) => frames.push(JSON.parse(String(data))));
  const closed = once(socket, 'close').then(([code, reason]) => ({ code, reason: String(reason) }));
  await once(socket, 'open');
  const send = (frame: object | string) =>
    socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  const next = async () => {
    while (frames.length === 0) await once(socket, 'message');
    return frames.shift();
  };
  return { socket, send, next, closed };
}

async function connectWithKey(
  payload: object = { authorization: `Bearer ${merchant.testKey}` },
  options: ClientOptions = {},
) {
  const connection = await connect(options);
  connection.send({ type: 'connection_init', payload });
  expect(await connection.next()).toEqual({ type: 'connection_ack' });
  return connection;
}

it.each([
  ['text that is not JSON', 'hello'],
  ['JSON that is not a message', '[]'],
  ['a message of an unknown type', '{"type":"hello"}'],
  ['a subscription without an id', '{"type":"subscribe","payload":{"query":"{ environment }"}}'],
  ['a subscription without a query', '{"type":"subscribe","id":"1","payload":{}}'],
])('%s closes with 4400', async (_, frame) => {
  const { send, closed } = await connectWithKey();
  send(frame);
  expect((await closed).code).toBe(4400);
});

it('a subscription before the acknowledgement closes with 4401', async () => {
  const { send, closed } = await connect();
  send({ type: 'subscribe', id: '1', payload: EVENTS });
  expect(await closed).toEqual({ code: 4401, reason: 'Unauthorized' });
});

it('an invalid key closes with 4403', async () => {
  const { send, closed } = await connect();
  send({ type: 'connection_init', payload: { authorization: 'Bearer sk_test_wrong' } });
  expect(await closed).toEqual({ code: 4403, reason: 'Invalid or expired API key.' });
});

it('a missing initialisation closes with 4408', async () => {
  const { closed } = await connect();
  expect(await closed).toEqual({ code: 4408, reason: 'Connection initialisation timeout' });
});

it('a second subscription with the id of a running one closes with 4409', async () => {
  const { send, closed } = await connectWithKey();
  send({ type: 'subscribe', id: 'one', payload: EVENTS });
  send({ type: 'subscribe', id: 'one', payload: EVENTS });
  expect(await closed).toEqual({ code: 4409, reason: 'Subscriber for one already exists' });
});

it('a second initialisation closes with 4429', async () => {
  const { send, closed } = await connectWithKey();
  send({ type: 'connection_init' });
  expect(await closed).toEqual({ code: 4429, reason: 'Too many initialisation requests' });
});

it('an id can be used again when its operation is over, and a ping receives a pong', async () => {
  const { send, next } = await connectWithKey();
  for (let turn = 0; turn < 2; turn++) {
    send({ type: 'subscribe', id: 'one', payload: { query: '{ environment }' } });
    expect(await next()).toEqual({ id: 'one', type: 'next', payload: { data: { environment: 'TEST' } } });
    expect(await next()).toEqual({ id: 'one', type: 'complete' });
  }
  send({ type: 'ping', payload: { at: 1 } });
  expect(await next()).toEqual({ type: 'pong', payload: { at: 1 } });
});

it('a socket that has not answered a ping is closed at the next one', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const answering = await connectWithKey();
  const silent = await connectWithKey(undefined, { autoPong: false });
  const roundTrip = async () => {
    answering.send({ type: 'ping' });
    expect(await answering.next()).toEqual({ type: 'pong' });
  };
  const pinged = [answering, silent].map(({ socket }) => once(socket, 'ping'));
  vi.advanceTimersByTime(12_000);
  await Promise.all(pinged);
  // The server has then read the answer to its own ping.
  await roundTrip();
  vi.advanceTimersByTime(12_000);
  expect((await silent.closed).code).toBe(1006);
  await roundTrip();
});

it('an invalid document is an error of its operation, and the socket stays open', async () => {
  const { send, next } = await connectWithKey();
  send({ type: 'subscribe', id: 'one', payload: { query: '{ secrets }' } });
  expect(await next()).toMatchObject({
    id: 'one',
    type: 'error',
    payload: [{ extensions: { code: 'invalid_request', param: 'query' } }],
  });
  send({ type: 'subscribe', id: 'one', payload: { query: '{ environment }' } });
  expect(await next()).toMatchObject({ id: 'one', type: 'next' });
});

it('without a key, only public operations are executed', async () => {
  const { send, next } = await connectWithKey({});
  send({ type: 'subscribe', id: 'one', payload: EVENTS });
  expect(await next()).toMatchObject({
    payload: { errors: [{ extensions: { code: 'authentication_error' } }] },
  });
});
