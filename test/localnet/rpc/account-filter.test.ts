import { getBase58Decoder } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { matches, parseFilters } from '../../../localnet/rpc/account-filter.ts';
import { RpcError } from '../../../localnet/rpc/method.ts';

const base58 = (bytes: readonly number[]) => getBase58Decoder().decode(Uint8Array.from(bytes));
const TOKEN_ACCOUNT = Object.assign(new Uint8Array(165), { 108: 1 });

describe('an account filter', () => {
  it.each([
    ['a size', { dataSize: 3 }, [1, 2, 3], true],
    ['another size', { dataSize: 4 }, [1, 2, 3], false],
    ['bytes at the start', { memcmp: { offset: 0, bytes: base58([1, 2]) } }, [1, 2, 3], true],
    ['bytes after the start', { memcmp: { offset: 1, bytes: base58([2, 3]) } }, [1, 2, 3], true],
    ['other bytes', { memcmp: { offset: 0, bytes: base58([2]) } }, [1, 2, 3], false],
    ['bytes across the end', { memcmp: { offset: 2, bytes: base58([3, 4]) } }, [1, 2, 3], false],
    ['an offset beyond the end', { memcmp: { offset: 9, bytes: base58([3]) } }, [1, 2, 3], false],
    ['no bytes at the end', { memcmp: { offset: 3, bytes: '' } }, [1, 2, 3], true],
    ['bytes in base64', { memcmp: { offset: 0, bytes: 'AQI=', encoding: 'base64' } }, [1, 2, 3], true],
    ['bytes in base58 by name', { memcmp: { offset: 0, bytes: base58([1]), encoding: 'base58' } }, [1], true],
    ['bytes as numbers', { memcmp: { offset: 1, bytes: [2, 3] } }, [1, 2, 3], true],
    ['a token account', { tokenAccountState: {} }, TOKEN_ACCOUNT, true],
    ['a token account, by name alone', 'tokenAccountState', TOKEN_ACCOUNT, true],
    ['a token account that is not initialized', 'tokenAccountState', new Uint8Array(165), false],
  ] as const)('matches %s as expected', (_, filter, data, expected) => {
    expect(matches(parseFilters([filter]), { data: Uint8Array.from(data) })).toBe(expected);
  });

  it('passes all data without filters, and only what passes all of them', () => {
    const data = Uint8Array.of(1, 2, 3);
    expect(matches(parseFilters(undefined), { data })).toBe(true);
    expect(matches(parseFilters([{ dataSize: 3 }, { dataSize: 4 }]), { data })).toBe(false);
  });

  it.each([
    [
      'with five filters',
      Array.from({ length: 5 }, () => ({ dataSize: 1 })),
      'Too many filters provided; max 4',
    ],
    [
      'with 129 bytes',
      [{ memcmp: { offset: 0, bytes: base58(Array.from({ length: 129 }, () => 255)) } }],
      'Invalid param: DataTooLarge',
    ],
    [
      'with 129 numbers',
      [{ memcmp: { offset: 0, bytes: Array.from({ length: 129 }, () => 0) } }],
      'Invalid param: DataTooLarge',
    ],
    [
      'with invalid base58',
      [{ memcmp: { offset: 0, bytes: 'III' } }],
      "Invalid param: Base58DecodeError(InvalidCharacter { character: 'I', index: 0 })",
    ],
    [
      'with invalid base64',
      [{ memcmp: { offset: 0, bytes: 'AQ!=', encoding: 'base64' } }],
      'Invalid param: Base64DecodeError(InvalidByte(2, 33))',
    ],
    ['of an unknown kind', [{ size: 1 }], /^Invalid params: unknown variant `size`/],
    [
      'with an unknown encoding',
      [{ memcmp: { offset: 0, bytes: '1', encoding: 'hex' } }],
      /^Invalid params: unknown variant `hex`/,
    ],
    [
      'with a size that is not a number',
      [{ dataSize: '3' }],
      /^Invalid params: invalid type: string "3", expected u64/,
    ],
    [
      'with a negative offset',
      [{ memcmp: { offset: -1, bytes: '1' } }],
      /^Invalid params: invalid value: integer `-1`/,
    ],
    ['with a byte above 255', [{ memcmp: { offset: 0, bytes: [256] } }], /expected u8/],
    ['of two kinds', [{ dataSize: 1, memcmp: {} }], /single key/],
    ['that is a number', [5], /^Invalid params: invalid type/],
    ['outside a list', { dataSize: 1 }, /^Invalid params: invalid type: map, expected a sequence/],
  ])('is refused %s', (_, filters, message) => {
    expect(() => parseFilters(filters)).toThrowError(expect.objectContaining({ code: -32602 }));
    expect(() => parseFilters(filters)).toThrowError(RpcError);
    expect(() => parseFilters(filters)).toThrowError(message);
  });
});
