import { types } from 'pg';

const readAny = types.getTypeParser(types.builtins.TIMESTAMPTZ, 'text');

/**
 * A moment in PostgreSQL's words, to the millisecond. `pg` reads any of them; nearly all are like `2026-01-02 03:04:05.678+00`,
 * and a page of rows is full of them.
 */
export function readMoment(text: string): Date {
  // `Date.UTC` takes the first hundred years for those of the last century.
  const isUsual = text.length >= 22 && text.charCodeAt(4) === DASH && text.endsWith('+00');
  if (!isUsual || text.startsWith('00')) return readAny(text) as Date;
  const millisecond = text.charCodeAt(19) === POINT ? Number(text.slice(19, -3)) * 1000 : 0;
  return new Date(
    Date.UTC(
      digits(text, 0, 4),
      digits(text, 5, 2) - 1,
      digits(text, 8, 2),
      digits(text, 11, 2),
      digits(text, 14, 2),
      digits(text, 17, 2),
      millisecond,
    ),
  );
}

const DASH = 45;
const POINT = 46;
const ZERO = 48;

function digits(text: string, at: number, count: number): number {
  let value = 0;
  for (let index = at; index < at + count; index++) value = value * 10 + text.charCodeAt(index) - ZERO;
  return value;
}
