import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi } from '../../src/http/server.ts';
import { type ApiWorld, startApiWorld } from './world.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await startApiWorld();
});
afterAll(() => world.close());

/** What the server says to bytes that no client library would send. */
async function raw(request: string): Promise<string> {
  const socket = connect(world.api.port, '127.0.0.1');
  socket.write(request.replaceAll('\n', '\r\n'));
  return text(socket);
}

const UPGRADE = 'Host: x\nConnection: Upgrade\nUpgrade: websocket\n\n';

it.each([
  ['an upgrade elsewhere', `GET /elsewhere HTTP/1.1\n${UPGRADE}`, '404'],
  ['an upgrade to no URL at all', `GET // HTTP/1.1\n${UPGRADE}`, '404'],
  ['an upgrade without a handshake', `GET /graphql HTTP/1.1\n${UPGRADE}`, '400'],
  ['a host that is none', 'GET /health HTTP/1.1\nHost: a b\nConnection: close\n\n', '400'],
  ['what is not HTTP', 'nonsense\n\n', '400'],
])('%s is refused, and the server lives on', async (_, request, status) => {
  expect(await raw(request)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect((await world.request('GET', '/health')).status).toBe(200);
});

it('a port that is taken says so', async () => {
  const ctx = { ...world.ctx, config: { ...world.ctx.config, port: world.api.port } };
  await expect(startApi(ctx)).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
