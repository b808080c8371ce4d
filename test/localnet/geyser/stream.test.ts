import { once } from 'node:events';
import { type ServiceError, status } from '@grpc/grpc-js';
import { SubscribeUpdate } from '@triton-one/yellowstone-grpc';
import { expect, test } from 'vitest';
import { startGeyserServer } from '../../../localnet/geyser.ts';
import { Network } from '../../../localnet/network.ts';
import { PortInUse } from '../../../localnet/server.ts';
import { connect, startGeyser, subscribe } from './client.ts';
import { encode, failureOf, rawCall, rawSubscribe, settled } from './raw-client.ts';
import { accountOf, newAddress } from './transactions.ts';

test('a stream without a request gets only pings, the first one at once', async () => {
  const { network, port } = await startGeyser();
  const stream = rawSubscribe(port);
  const [bytes] = (await once(stream, 'data')) as [Buffer];
  expect(SubscribeUpdate.decode(bytes)).toMatchObject({ filters: [], ping: {} });
  network.tick();
  stream.write(encode({ ping: { id: 5 } }));
  const [pong] = (await once(stream, 'data')) as [Buffer];
  expect(SubscribeUpdate.decode(pong).pong).toEqual({ id: 5 });
  stream.cancel();
  await once(stream, 'error');
});

test('a new request on a live stream replaces the old one, and a ping does not', async () => {
  const { network, url } = await startGeyser();
  const [first, second] = [await newAddress(), await newAddress()];
  const writeBoth = () => {
    network.setAccount(first, accountOf({}));
    network.setAccount(second, accountOf({}));
  };
  const stream = await subscribe(url, { accounts: { first: { account: [first] } } });
  writeBoth();
  expect((await stream.takeUpdates()).map(({ filters }) => filters)).toEqual([['first']]);
  stream.write({ accounts: { second: { account: [second] } } });
  await stream.settled();
  writeBoth();
  expect((await stream.takeUpdates()).map(({ filters }) => filters)).toEqual([['second']]);
  stream.write({ accounts: { second: { account: [second] } }, blocksMeta: { m: {} }, commitment: 1 });
  await stream.settled();
  writeBoth();
  expect(await stream.takeUpdates()).toEqual([]);
  network.tick();
  expect((await stream.takeUpdates()).map(({ filters }) => filters)).toEqual([['second'], ['m']]);
});

test('a client that has closed its sending side still gets updates', async () => {
  const { network, port } = await startGeyser();
  const stream = rawSubscribe(port);
  stream.write(encode({ blocksMeta: { m: {} }, ping: undefined }));
  stream.end();
  await once(stream, 'data');
  // The headers of the response may arrive before the server reads the request, so the test
  // produces slots until one is sent.
  const ticking = setInterval(() => network.tick(), 5);
  const [bytes] = (await once(stream, 'data')) as [Buffer];
  clearInterval(ticking);
  expect(SubscribeUpdate.decode(bytes).blockMeta?.parentSlot).toMatch(/^\d+$/);
  stream.cancel();
  await once(stream, 'error');
});

test('every call must contain the token if one is set', async () => {
  const { network, port, url } = await startGeyser({ xToken: 'sesame' });
  expect(await failureOf(rawSubscribe(port))).toEqual({
    code: status.UNAUTHENTICATED,
    details: 'No valid auth token',
  });
  expect(await failureOf(rawSubscribe(port, { 'x-token': 'simsim' }))).toMatchObject({
    code: status.UNAUTHENTICATED,
  });
  await expect(rawCall(port, 'GetSlot', Buffer.alloc(0))).rejects.toMatchObject({
    code: status.UNAUTHENTICATED,
  });
  const client = await connect(url, 'sesame');
  expect(await client.getSlot()).toEqual({ slot: String(network.slot('confirmed')) });
  const allowed = rawSubscribe(port, { 'x-token': 'sesame' });
  await once(allowed, 'data');
  allowed.cancel();
  await once(allowed, 'error');
});

test('a reader that falls too far behind is disconnected, and others are not affected', async () => {
  const { network, port, url } = await startGeyser({ maxBufferedUpdates: 50 });
  const fast = await subscribe(url, { accounts: { a: {} } });
  const slow = rawSubscribe(port);
  slow.write(encode({ accounts: { a: {} } }));
  await settled(slow);
  slow.pause();

  const account = await newAddress();
  const data = new Uint8Array(50_000);
  const sent = 400;
  for (let n = 1; n <= sent; n += 1) {
    network.setAccount(account, accountOf({ lamports: BigInt(n), data }));
    await fast.settled();
  }
  expect(fast.updates.map(({ account }) => account?.account?.lamports)).toEqual(
    Array.from({ length: sent }, (_, index) => String(index + 1)),
  );

  const received: (string | undefined)[] = [];
  slow.on('data', (bytes: Buffer) => received.push(SubscribeUpdate.decode(bytes).account?.account?.lamports));
  expect(await failureOf(slow)).toEqual({ code: status.INTERNAL, details: 'lagged to send an update' });
  // The slow reader received the first updates without a gap.
  expect(received.length).toBeLessThan(sent);
  expect(received).toEqual(received.map((_, index) => String(index + 1)));
});

test('a client that limits frames receives very many small updates at once', async () => {
  const { network, url } = await startGeyser({ network: { maxBlocks: 10 } });
  const stream = await subscribe(url, { slots: { s: { interslotUpdates: true } } });
  for (let n = 0; n < 3_000; n += 1) network.tick();
  expect(await stream.settled()).toHaveLength(3_000 * 6 - 31);
});

test('close ends streams with a message and frees the port', async () => {
  const network = new Network();
  const server = await startGeyserServer(network, { host: '127.0.0.1', port: 0 });
  const stream = rawSubscribe(server.port);
  await once(stream, 'data');
  const failure = failureOf(stream);
  await server.close();
  expect(await failure).toEqual({
    code: status.UNAVAILABLE,
    details: 'server is shutting down try again later',
  });
  const again = await startGeyserServer(network, { host: '127.0.0.1', port: server.port });
  expect(again.port).toBe(server.port);
  await again.close();
  expect(network.eventNames()).toEqual([]);
});

test('close does not wait for a client that does not read', async () => {
  const network = new Network();
  const server = await startGeyserServer(network, { host: '127.0.0.1', port: 0 });
  const stream = rawSubscribe(server.port);
  stream.write(encode({ accounts: { a: {} } }));
  await settled(stream);
  stream.pause();
  const failure = once(stream, 'error');
  const data = new Uint8Array(100_000);
  const account = await newAddress();
  for (let n = 0; n < 50; n += 1) network.setAccount(account, accountOf({ data }));
  await server.close();
  const again = await startGeyserServer(network, { host: '127.0.0.1', port: server.port });
  await again.close();
  stream.resume();
  const [{ code }] = (await failure) as [ServiceError];
  expect(code).not.toBe(status.OK);
});

test('the error names a port that is in use', async () => {
  const { network, port } = await startGeyser();
  const second = startGeyserServer(network, { host: '127.0.0.1', port });
  await expect(second).rejects.toThrow(PortInUse);
  await expect(second).rejects.toThrow(`port ${port} is in use`);
});
