import { types } from 'pg';

const parseAnyFormat = types.getTypeParser(types.builtins.TIMESTAMPTZ, 'text');

/**
 * Parses a timestamp of PostgreSQL, to the millisecond. It is faster than the parser of `pg` for
 * the usual format `2026-01-02 03:04:05.678+00`, and uses that parser for other formats.
 */
export function parseTimestamp(text: string): Date {
  // `Date.UTC` maps the years 0 to 99 to the 20th century.
  const isUsualFormat = text.length >= 22 && text.charCodeAt(4) === DASH && text.endsWith('+00');
  if (!isUsualFormat || text.startsWith('00')) return parseAnyFormat(text) as Date;
  const millisecond = text.charCodeAt(19) === POINT ? Number(text.slice(19, -3)) * 1000 : 0;
  return new Date(
    Date.UTC(
      readDigits(text, 0, 4),
      readDigits(text, 5, 2) - 1,
      readDigits(text, 8, 2),
      readDigits(text, 11, 2),
      readDigits(text, 14, 2),
      readDigits(text, 17, 2),
      millisecond,
    ),
  );
}

const DASH = 45;
const POINT = 46;
const ZERO = 48;

function readDigits(text: string, at: number, count: number): number {
  let value = 0;
  for (let index = at; index < at + count; index++) value = value * 10 + text.charCodeAt(index) - ZERO;
  return value;
}
