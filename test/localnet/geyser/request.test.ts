import { expect, test } from 'vitest';
import { decodeRequest } from '../../../localnet/geyser/request.ts';

const EMPTY_ENTRY = '12030a0161';
const ENTRY_BY_COMMITMENT = '12070a016112020801';

function slotsOf(...fields: string[]) {
  return decodeRequest(Buffer.from(fields.join(''), 'hex')).slots;
}

test('a map entry without a filter is a filter without fields', () => {
  expect(slotsOf(EMPTY_ENTRY)).toMatchObject({ a: {} });
});

test('of two filters with the same name the last one counts, even if it is empty', () => {
  expect(slotsOf(EMPTY_ENTRY, ENTRY_BY_COMMITMENT)).toMatchObject({ a: { filterByCommitment: true } });
  expect(slotsOf(ENTRY_BY_COMMITMENT, EMPTY_ENTRY).a?.filterByCommitment).toBeUndefined();
});

test('bytes after the end that the decoder sees are ignored', () => {
  expect(slotsOf('00', EMPTY_ENTRY)).toEqual({});
  expect(slotsOf('0c', EMPTY_ENTRY)).toEqual({});
});

test('unknown fields are skipped, groups with their contents', () => {
  expect(slotsOf('7b', EMPTY_ENTRY, '7c')).toEqual({});
  expect(slotsOf('78ff01', '7a0161', '7d00000000', EMPTY_ENTRY)).toMatchObject({ a: {} });
});
