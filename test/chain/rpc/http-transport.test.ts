import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { httpTransport, ResponseTooLong, readJson } from '../../../src/chain/rpc/http-transport.ts';

const MAX_BYTES = 4 * 1024 * 1024;

/** Calls `getAccountInfo` of a node that responds with `respond`. */
async function call(respond: (response: ServerResponse) => void): Promise<unknown> {
  const server = createServer((_, response) => respond(response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return httpTransport(url)({ payload: { jsonrpc: '2.0', id: 1, method: 'getAccountInfo' } });
}

test('a response of the maximum length is read', async () => {
  const text = 'x'.repeat(MAX_BYTES - 2);
  expect(await call((response) => response.end(JSON.stringify(text)))).toBe(text);
});

test('a response that is longer is refused while it is sent, and its connection closed', async () => {
  const closed = Promise.withResolvers<void>();
  const endless = call((response) => {
    response.on('close', closed.resolve);
    const write = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, ' ')));
    };
    response.on('drain', write);
    write();
  });
  await expect(endless).rejects.toThrow(ResponseTooLong);
  await closed.promise;
});

describe('the numbers of a response', () => {
  test.each<[string, string, unknown]>([
    ['that are small stay numbers', '{"slot":5,"err":null,"f":1.5}', { slot: 5, err: null, f: 1.5 }],
    ['that are unsafe become bigints', '{"a":18446744073709551614}', { a: 18446744073709551614n }],
    [
      'in lists become bigints',
      '[9007199254740993,-9007199254740993]',
      [9007199254740993n, -9007199254740993n],
    ],
    ['that are the largest safe ones stay numbers', '{"a":9007199254740991}', { a: 9007199254740991 }],
    ['after spaces become bigints', '{"a": 9007199254740993}', { a: 9007199254740993n }],
    ['in text are text', '{"a":"x,12345678901234567890"}', { a: 'x,12345678901234567890' }],
    ['that are never read are 0', '{"rentEpoch":18446744073709551615}', { rentEpoch: 0 }],
    [
      'with a fraction or an exponent stay numbers',
      '{"a":1e30,"b":1234567890123456.5}',
      { a: 1e30, b: 1234567890123456.5 },
    ],
  ])('%s', (_, text, value) => {
    expect(readJson(text)).toEqual(value);
  });
});
