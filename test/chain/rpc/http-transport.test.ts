import { describe, expect, test } from 'vitest';
import { readJson } from '../../../src/chain/rpc/http-transport.ts';

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
