import { once } from 'node:events';
import { type ServiceError, status } from '@grpc/grpc-js';
import { SubscribeRequest, SubscribeUpdate } from '@triton-one/yellowstone-grpc';
import { expect, test } from 'vitest';
import { startGeyserServer } from '../../../localnet/geyser.ts';
import { Network } from '../../../localnet/network.ts';
import { PortInUse } from '../../../localnet/server.ts';
import { connect, type Request, rawCall, rawSubscribe, startGeyser, subscribe } from './client.ts';
import { accountOf, newAddress } from './transactions.ts';

type RawStream = ReturnType<typeof rawSubscribe>;

function encode(request: Request): Buffer {
  return Buffer.from(
    SubscribeRequest.encode(SubscribeRequest.fromPartial(request as SubscribeRequest)).finish(),
  );
}

/** How a raw stream ends. */
async function failureOf(stream: RawStream): Promise<{ code: number; details: string }> {
  stream.resume();
  const [{ code, details }] = (await once(stream, 'error')) as [ServiceError];
  return { code, details };
}

test('a stream without a request gets only pings, the first at once', async () => {
  const { network, port } = await startGeyser();
  const stream = rawSubscribe(port);
  const [bytes] = (await once(stream, 'data')) as [Buffer];
  expect(SubscribeUpdate.decode(bytes)).toMatchObject({ filters: [], ping: {} });
  network.tick();
  stream.write(encode({ ping: { id: 5 } }));
  const [answer] = (await once(stream, 'data')) as [Buffer];
  expect(SubscribeUpdate.decode(answer).pong).toEqual({ id: 5 });
  stream.cancel();
  await once(stream, 'error');
});

test('a new request on a live stream replaces the old one, and a ping leaves it alone', async () => {
  const { network, url } = await startGeyser();
  const [first, second] = [await newAddress(), await newAddress()];
  const writeBoth = () => {
    network.setAccount(first, accountOf({}));
    network.setAccount(second, accountOf({}));
  };
  const stream = await subscribe(url, { accounts: { first: { account: [first] } } });
  writeBoth();
  expect((await stream.news()).map(({ filters }) => filters)).toEqual([['first']]);
  stream.write({ accounts: { second: { account: [second] } } });
  await stream.settled();
  writeBoth();
  expect((await stream.news()).map(({ filters }) => filters)).toEqual([['second']]);
  stream.write({ accounts: { second: { account: [second] } }, blocksMeta: { m: {} }, commitment: 1 });
  await stream.settled();
  writeBoth();
  expect(await stream.news()).toEqual([]);
  network.tick();
  expect((await stream.news()).map(({ filters }) => filters)).toEqual([['second'], ['m']]);
});

test('a client that has nothing more to ask still gets its updates', async () => {
  const { network, port } = await startGeyser();
  const stream = rawSubscribe(port);
  stream.write(encode({ blocksMeta: { m: {} }, ping: undefined }));
  stream.end();
  await once(stream, 'data');
  // The headers of the answer may be here before the request is there, so slots go on until one is told.
  const ticking = setInterval(() => network.tick(), 5);
  const [bytes] = (await once(stream, 'data')) as [Buffer];
  clearInterval(ticking);
  expect(SubscribeUpdate.decode(bytes).blockMeta?.parentSlot).toMatch(/^\d+$/);
  stream.cancel();
  await once(stream, 'error');
});

test.each<[string, Request, string]>([
  ['an account of the wrong size', { accounts: { a: { account: ['abc'] } } }, 'String is the wrong size'],
  ['an account with wrong letters', { accounts: { a: { owner: ['0OIl'] } } }, 'Invalid Base58 string'],
  [
    'a signature of the wrong size',
    { transactions: { t: { signature: 'abc' } } },
    'string decoded to wrong size for signature',
  ],
  [
    'a name that is too long',
    { slots: { ['x'.repeat(129)]: {} } },
    'oversized filter name (max allowed size 128), found 129',
  ],
  [
    'too many filters of an account',
    { accounts: { a: { filters: Array(5).fill({ lamports: { gt: '1' } }) } } },
    'Too many filters provided; max 4',
  ],
  [
    'two sizes',
    { accounts: { a: { filters: [{ datasize: '1' }, { datasize: '2' }] } } },
    'datasize used more than once',
  ],
  ['an empty filter of an account', { accounts: { a: { filters: [{}] } } }, 'filter should be defined'],
  [
    'memcmp with nothing to compare',
    { accounts: { a: { filters: [{ memcmp: { offset: '1' } }] } } },
    'data for memcmp should be defined',
  ],
  [
    'memcmp with wrong base64',
    { accounts: { a: { filters: [{ memcmp: { base64: '*' } }] } } },
    'invalid base64',
  ],
  [
    'memcmp with too much',
    { accounts: { a: { filters: [{ memcmp: { bytes: new Uint8Array(129) } }] } } },
    'data too large',
  ],
  [
    'lamports without a comparison',
    { accounts: { a: { filters: [{ lamports: {} }] } } },
    'cmp for lamports should be defined',
  ],
  [
    'a token account state of false',
    { accounts: { a: { filters: [{ tokenAccountState: false }] } } },
    'token_account_state only allowed to be true',
  ],
  ['an unknown commitment', { commitment: 7 as never }, 'failed to create CommitmentLevel from 7'],
  [
    'an unknown mode of token accounts',
    { transactions: { t: { tokenAccounts: 9 as never } } },
    'invalid token_accounts mode value 9; expected ALL (0) or BALANCE_CHANGED (1)',
  ],
  [
    'slices out of order',
    {
      accountsDataSlice: [
        { offset: '5', length: '1' },
        { offset: '1', length: '1' },
      ],
    },
    'failed to create filter: data slices out of order',
  ],
  [
    'slices that overlap',
    {
      accountsDataSlice: [
        { offset: '1', length: '5' },
        { offset: '3', length: '9' },
      ],
    },
    'failed to create filter: data slices overlapped',
  ],
  [
    'a cuckoo filter',
    { accounts: { a: { cuckooAccountsFilter: { bucketCount: 1 } } } },
    'cuckoo filters are not supported by the local network',
  ],
])('%s is an invalid argument', async (_what, request, reason) => {
  const { port } = await startGeyser();
  const stream = rawSubscribe(port);
  stream.write(encode(request));
  expect(await failureOf(stream)).toEqual({
    code: status.INVALID_ARGUMENT,
    details: `failed to create filter: ${reason}`,
  });
});

test('bytes that are no request end that stream alone', async () => {
  const { network, port, url } = await startGeyser();
  const healthy = await subscribe(url, { accounts: { a: {} } });
  for (const bytes of [Buffer.of(0xff), Buffer.of(0x0a, 0x50, 0x01), Buffer.from('not protobuf at all')]) {
    const stream = rawSubscribe(port);
    stream.write(bytes);
    const { code, details } = await failureOf(stream);
    expect(code).toBe(status.INTERNAL);
    expect(details).toContain('failed to decode Protobuf message');
  }
  await expect(rawCall(port, 'GetSlot', Buffer.of(0xff))).rejects.toMatchObject({ code: status.INTERNAL });
  network.setAccount(await newAddress(), accountOf({}));
  expect(await healthy.settled()).toHaveLength(1);
});

test('a method that is not there is unimplemented', async () => {
  const { port } = await startGeyser();
  await expect(rawCall(port, 'SubscribeDeshred', Buffer.alloc(0))).rejects.toMatchObject({
    code: status.UNIMPLEMENTED,
  });
});

test('with a token set, every call must carry it', async () => {
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

test('a reader that falls too far behind is cut off, and others do not notice', async () => {
  const { network, port, url } = await startGeyser({ maxBufferedUpdates: 50 });
  const fast = await subscribe(url, { accounts: { a: {} } });
  const slow = rawSubscribe(port);
  slow.write(encode({ accounts: { a: {} } }));
  slow.write(encode({ ping: { id: 1 } }));
  let pong: SubscribeUpdate['pong'];
  while (!pong) {
    const [bytes] = (await once(slow, 'data')) as [Buffer];
    pong = SubscribeUpdate.decode(bytes).pong;
  }
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
  // What it got is the beginning, without a hole.
  expect(received.length).toBeLessThan(sent);
  expect(received).toEqual(received.map((_, index) => String(index + 1)));
});

test('very many small updates at once reach a client that counts frames', async () => {
  const { network, url } = await startGeyser({ network: { maxBlocks: 10 } });
  const stream = await subscribe(url, { slots: { s: { interslotUpdates: true } } });
  for (let n = 0; n < 3_000; n += 1) network.tick();
  expect(await stream.settled()).toHaveLength(3_000 * 6 - 31);
});

test('close ends streams with a word and frees the port', async () => {
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

test('a port in use is named', async () => {
  const { network, port } = await startGeyser();
  const second = startGeyserServer(network, { host: '127.0.0.1', port });
  await expect(second).rejects.toThrow(PortInUse);
  await expect(second).rejects.toThrow(`port ${port} is in use`);
});
