import { once } from 'node:events';
import { Client, credentials, status } from '@grpc/grpc-js';
import {
  GetLatestBlockhashRequest,
  IsBlockhashValidRequest,
  PingRequest,
  SubscribeUpdate,
} from '@triton-one/yellowstone-grpc';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { UNARY_METHODS } from '../../../localnet/geyser/unary-methods.ts';
import { type Request, startGeyser, subscribe } from './client.ts';
import { encode } from './raw-client.ts';
import { accountOf, newAddress, SOME_PROGRAM } from './transactions.ts';

const RUNS = 600;
const PING = encode({ ping: { id: 7 } });
const identity = (bytes: Buffer) => bytes;

/** Statuses with which the server may refuse random bytes. */
const REFUSALS = [status.INTERNAL, status.INVALID_ARGUMENT, status.OUT_OF_RANGE, status.UNKNOWN];

const sampleRequests: Request[] = [
  { slots: { '': {} }, blocksMeta: { meta: {} }, commitment: 1 },
  {
    accounts: {
      mine: {
        account: [SOME_PROGRAM],
        filters: [{ memcmp: { offset: '3', base58: '2vj' } }, { lamports: { gt: '1' } }, { datasize: '155' }],
      },
    },
    accountsDataSlice: [{ offset: '1', length: '9' }],
  },
  { transactions: { t: { accountInclude: [SOME_PROGRAM], failed: false } }, fromSlot: '1' },
  { blocks: { b: { includeTransactions: true } }, entry: { e: {} }, ping: { id: 1 } },
];

/** Map entries that are empty, cut short or without a value, and the maximum slot. */
const EDGE_CASE_REQUESTS = ['0a00', '0a020a7f', '1200', '12030a0161', '58ffffffffffffffffff01'];

const sampleCalls = [
  GetLatestBlockhashRequest.encode({ commitment: 1 }),
  IsBlockhashValidRequest.encode({ blockhash: SOME_PROGRAM, commitment: 2 }),
  PingRequest.encode({ count: -1 }),
].map((writer) => Buffer.from(writer.finish()));

/**
 * Random bytes, bytes with a meaning in protobuf, and requests with bytes changed, removed or
 * inserted.
 */
function bytesLike(samples: readonly Buffer[]): fc.Arbitrary<Buffer> {
  const tag = fc.nat({ max: 0x5f });
  const specialByte = fc.constantFrom(0, 1, 2, 4, 8, 10, 0x7f, 0x80, 0xff);
  const edits = fc.array(
    fc.record({
      at: fc.double({ min: 0, max: 0.999, noNaN: true }),
      remove: fc.nat({ max: 3 }),
      insert: fc.array(fc.oneof(tag, specialByte), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 4 },
  );
  return fc.oneof(
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    fc.array(fc.oneof(tag, specialByte), { maxLength: 24 }).map((bytes) => Buffer.from(bytes)),
    fc.record({ sample: fc.constantFrom(...samples), edits }).map(({ sample, edits }) =>
      edits.reduce((bytes, { at, remove, insert }) => {
        const offset = Math.floor(at * bytes.length);
        return Buffer.concat([
          bytes.subarray(0, offset),
          Buffer.from(insert),
          bytes.subarray(offset + remove),
        ]);
      }, sample),
    ),
  );
}

function grpcClient(port: number): Client {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  onTestFinished(() => client.close());
  return client;
}

/** The server's reaction to a request: 'pong' if the stream continues, or its final status. */
async function reactionTo(client: Client, bytes: Buffer): Promise<'pong' | number> {
  const stream = client.makeBidiStreamRequest('/geyser.Geyser/Subscribe', identity, identity);
  const failure = once(stream, 'error').then(([error]) => error.code as number);
  const pong = new Promise<'pong'>((resolve) => {
    stream.on('data', (update: Buffer) => {
      if (SubscribeUpdate.decode(update).pong?.id === 7) resolve('pong');
    });
  });
  stream.write(bytes);
  stream.write(PING);
  const reaction = await Promise.race([failure, pong]);
  stream.on('error', () => undefined); // the cancellation below is an error
  stream.cancel();
  return reaction;
}

test.each(['00000a020a7f', '7b7a060101 0a020a7f7c', '040a0a0a0a0a0a020a7f'])(
  'the request %s, which decoders interpret differently, sets no filter',
  async (hex) => {
    const { port } = await startGeyser();
    expect(await reactionTo(grpcClient(port), Buffer.from(hex.replace(' ', ''), 'hex'))).toBe('pong');
  },
);

test('the network and the other streams continue after any input on a stream', async () => {
  const { network, port, url } = await startGeyser();
  network.tick();
  const healthy = await subscribe(url, { accounts: { a: {} } });
  const client = grpcClient(port);
  await fc.assert(
    fc.asyncProperty(bytesLike(sampleRequests.map(encode)), async (bytes) => {
      const reaction = await reactionTo(client, bytes);
      if (reaction !== 'pong') expect(REFUSALS).toContain(reaction);
    }),
    {
      numRuns: RUNS,
      examples: EDGE_CASE_REQUESTS.map((hex): [Buffer] => [Buffer.from(hex, 'hex')]),
    },
  );
  network.setAccount(await newAddress(), accountOf({}));
  network.tick();
  expect(await healthy.settled()).toHaveLength(1);
});

test('the network continues after any call of a unary method', async () => {
  const { network, port } = await startGeyser();
  network.tick();
  const client = grpcClient(port);
  const call = (method: string, bytes: Buffer): Promise<number> =>
    new Promise((resolve) => {
      client.makeUnaryRequest(`/geyser.Geyser/${method}`, identity, identity, bytes, (error) =>
        resolve(error?.code ?? status.OK),
      );
    });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(UNARY_METHODS)),
      bytesLike(sampleCalls),
      async (method, bytes) => {
        expect([status.OK, ...REFUSALS]).toContain(await call(method, bytes));
      },
    ),
    { numRuns: RUNS },
  );
  for (const method of Object.keys(UNARY_METHODS))
    expect(await call(method, Buffer.alloc(0))).toBe(status.OK);
});
