import { connect, type Socket } from 'node:net';
import { afterAll, expect, inject, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { DuesProcess } from '../../tools/world/dues-process.ts';
import { startNetwork } from '../../tools/world/network.ts';
import { roleVariables } from '../../tools/world/role-variables.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

/** Requests that one connection sends ahead; with more than 100 it would be closed. */
const AHEAD = 50;
const REQUEST = 'GET /api/checkout/cs_nobody HTTP/1.1\r\nHost: x\r\n\r\n';
/** Maximum requests of one connection. */
const REQUESTS = 200_000;

const closing: (() => void)[] = [];

const database = await sharedByFile(cloneDatabase(inject('templateDatabaseUrl')));
const network = await sharedByFile(startNetwork({ slotMs: 100 }));
const api = new DuesProcess(['api'], roleVariables(database.url, network));
await api.printed(/"msg":"started"/);
afterAll(async () => {
  for (const close of closing) close();
  await api.ended('SIGKILL');
});

/** Has `AHEAD` requests without an answer at all times, and reads the answers. */
function pipeline(port: number): { readonly answers: () => number } {
  let sent = 0;
  let answers = 0;
  const socket: Socket = connect(port, '127.0.0.1').setEncoding('latin1');
  closing.push(() => socket.destroy());
  const write = () => {
    const count = Math.min(AHEAD - (sent - answers), REQUESTS - sent);
    sent += count;
    socket.write(REQUEST.repeat(count));
  };
  socket.on('connect', write);
  socket.on('data', (text: string) => {
    answers += text.match(/HTTP\/1\.1 /g)?.length ?? 0;
    write();
  });
  socket.on('error', () => undefined);
  return { answers: () => answers };
}

/** Writes requests as fast as they are accepted, and reads nothing. */
function floodSocket(port: number): void {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws');
  closing.push(() => socket.terminate());
  socket.on('error', () => undefined);
  socket.once('open', () => socket.send('{"type":"connection_init"}'));
  socket.once('message', () => {
    socket.pause();
    for (let id = 0; id < 2_000; id++) {
      socket.send(
        JSON.stringify({ id: String(id), type: 'subscribe', payload: { query: '{ environment }' } }),
      );
    }
  });
}

it('the API stops in time while it is flooded', async () => {
  const [, port] = await api.printed(/"port":(\d+)/);
  const floods = Array.from({ length: 4 }, () => pipeline(Number(port)));
  for (let count = 0; count < 4; count++) floodSocket(Number(port));
  await vi.waitFor(() => expect(floods.every(({ answers }) => answers() > 10)).toBe(true), 20_000);
  const ended = await api.ended('SIGTERM');
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(ended.tookMs).toBeLessThan(10_000);
});
