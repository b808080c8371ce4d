import { expect, test } from 'vitest';
import { decodeRequest } from '../../../localnet/geyser/request.ts';

const EMPTY_ENTRY = '12030a0161';
const ENTRY_BY_COMMITMENT = '12070a016112020801';

function decodeSlots(...fields: string[]) {
  return decodeRequest(Buffer.from(fields.join(''), 'hex')).slots;
}

test('a map entry without a filter is decoded as one with an empty filter', () => {
  expect(decodeSlots(EMPTY_ENTRY)).toMatchObject({ a: {} });
});

test('the last of two filters with the same name counts, even if it is empty', () => {
  expect(decodeSlots(EMPTY_ENTRY, ENTRY_BY_COMMITMENT)).toMatchObject({ a: { filterByCommitment: true } });
  expect(decodeSlots(ENTRY_BY_COMMITMENT, EMPTY_ENTRY).a?.filterByCommitment).toBeUndefined();
});

test('bytes after an end marker are ignored', () => {
  expect(decodeSlots('00', EMPTY_ENTRY)).toEqual({});
  expect(decodeSlots('0c', EMPTY_ENTRY)).toEqual({});
});

test('unknown fields are skipped, groups with their contents', () => {
  expect(decodeSlots('7b', EMPTY_ENTRY, '7c')).toEqual({});
  expect(decodeSlots('78ff01', '7a0161', '7d00000000', EMPTY_ENTRY)).toMatchObject({ a: {} });
});
