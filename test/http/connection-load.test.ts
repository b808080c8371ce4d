import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { ConnectionLoad, MAX_UNANSWERED } from '../../src/api/admission/connection-load.ts';
import { Intake } from '../../src/api/admission/intake.ts';
import { SOON } from '../support/soon.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

interface StartedRequest {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** Starts a server whose answers the test sends. */
async function startHeldServer() {
  const loads = new WeakMap<object, ConnectionLoad>();
  const read: string[] = [];
  const started: StartedRequest[] = [];
  const ended: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const load = loads.get(incoming.socket) ?? new ConnectionLoad(incoming.socket);
    loads.set(incoming.socket, load);
    const url = incoming.url ?? '';
    read.push(url);
    load.add(incoming, outgoing, {
      begin: () => void started.push({ incoming, outgoing }),
      end: () => void ended.push(url),
    });
  });
  server.on('connection', (socket) => Intake.of(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('latin1');
  closing.push(() => {
    socket.destroy();
    server.close();
    // A connection that is not read does not notice that the client has closed it.
    server.closeAllConnections();
  });
  return { socket, read, started, ended };
}

const get = (path: string) => `GET /${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

it('a bounded number of requests of a connection is read at a time', async () => {
  const { socket, read, started } = await startHeldServer();
  socket.write(Array.from({ length: 1_000 }, (_, index) => get(String(index))).join(''));
  await vi.waitFor(() => expect(read).toHaveLength(MAX_UNANSWERED), SOON);
  for (let answered = 1; answered <= 20; answered++) {
    // Only one request starts at a time.
    expect(started).toHaveLength(answered);
    expect(read).toHaveLength(MAX_UNANSWERED + answered - 1);
    started[answered - 1]?.outgoing.end('done');
    await vi.waitFor(() => expect(read).toHaveLength(MAX_UNANSWERED + answered), SOON);
  }
  for (let idle = 0; idle < 100; idle++) await turn();
  expect(read).toHaveLength(MAX_UNANSWERED + 20);
});

it('all requests are answered in order, even with bodies that contain blank lines', async () => {
  const { socket, started } = await startHeldServer();
  const body = `${'x'.repeat(20_000)}\r\n\r\n${'y'.repeat(30_000)}\r\n\r\n`;
  const requests = Array.from({ length: 30 }, (_, index) =>
    index % 3 > 0
      ? get(String(index))
      : `POST /${index} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  let received = '';
  socket.on('data', (text) => {
    received += text;
  });
  socket.write(requests.join(''));
  for (let index = 0; index < requests.length; index++) {
    await vi.waitFor(() => expect(started.length).toBe(index + 1), SOON);
    const { incoming, outgoing } = started[index] as StartedRequest;
    let length = 0;
    for await (const chunk of incoming) length += (chunk as Buffer).length;
    expect(length).toBe(index % 3 > 0 ? 0 : body.length);
    outgoing.end(`<${incoming.url}>`);
  }
  const answers = () => received.match(/<\/\d+>/g)?.length;
  await vi.waitFor(() => expect(answers()).toBe(requests.length), SOON);
  expect(received.match(/<\/\d+>/g)).toEqual(requests.map((_, index) => `</${index}>`));
});

it('the open requests of a connection end with it', async () => {
  const { socket, read, started, ended } = await startHeldServer();
  socket.write(Array.from({ length: 100 }, (_, index) => get(String(index))).join(''));
  await vi.waitFor(() => expect(read).toHaveLength(MAX_UNANSWERED), SOON);
  socket.destroy();
  // Only a write detects the lost connection, because the server does not read it.
  await vi.waitFor(() => {
    for (const { outgoing } of started) if (!outgoing.writableEnded) outgoing.end('done');
    expect(ended).toEqual(read);
  }, SOON);
});
