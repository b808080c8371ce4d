import { expect, it } from 'vitest';
import { isOpen, movedIdleEnd, newEnds } from '../../../src/domain/accounts/sign-in/session-lifetime.ts';

const HOUR = 3_600_000;
const START = Date.parse('2026-12-01T00:00:00Z');
const at = (ms: number) => new Date(START + ms);
const ends = newEnds(at(0));

it('a session ends after 12 hours without use, and after 7 days', () => {
  expect(ends).toEqual({ idleUntil: at(12 * HOUR), expiresAt: at(7 * 24 * HOUR) });
  expect(isOpen(ends, at(12 * HOUR - 1))).toBe(true);
  expect(isOpen(ends, at(12 * HOUR))).toBe(false);
  const used = { ...ends, idleUntil: at(8 * 24 * HOUR) };
  expect(isOpen(used, at(7 * 24 * HOUR - 1))).toBe(true);
  expect(isOpen(used, at(7 * 24 * HOUR))).toBe(false);
});

it('use extends the session, and is recorded at most once per minute', () => {
  expect(movedIdleEnd(ends, at(59_999))).toBeUndefined();
  expect(movedIdleEnd(ends, at(60_000))).toEqual(at(60_000 + 12 * HOUR));
});
