import { types } from 'pg';
import { expect, it } from 'vitest';
import { parseTimestamp } from '../../src/db/parse-timestamp.ts';

const readAny = types.getTypeParser(types.builtins.TIMESTAMPTZ, 'text');

it.each([
  '2026-01-02 03:04:05+00',
  '2026-12-31 23:59:59.9+00',
  '2026-12-31 23:59:59.78+00',
  '2024-02-29 00:00:00.001+00',
  '0001-01-01 00:00:00+00',
  '0099-06-01 00:00:00+00',
  '9999-12-31 23:59:59.999+00',
  '10000-01-01 00:00:00+00',
  '2026-01-02 03:04:05+02',
  '2026-01-02 03:04:05.5+05:30',
  '0044-03-15 12:00:00+00 BC',
])('%s is read as pg reads it', (text) => {
  expect(parseTimestamp(text)).toEqual(readAny(text));
});
