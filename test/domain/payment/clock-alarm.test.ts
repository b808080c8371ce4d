import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ClockAlarm } from '../../../src/domain/payment/clock-alarm.ts';
import type { Logger } from '../../../src/log.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

it('tells when clocks part, once a minute from then on, and when they agree again', () => {
  const lines: string[] = [];
  const log = { error: () => lines.push('apart'), info: () => lines.push('agree') } as unknown as Logger;
  const alarm = new ClockAlarm();
  const apart = () => alarm.apart(log, { environment: 'TEST', aheadSeconds: 4_000 });
  const agree = () => alarm.agree(log, { environment: 'TEST' });
  agree();
  expect(lines).toEqual([]);
  for (let seconds = 0; seconds < 119; seconds += 1) {
    apart();
    vi.advanceTimersByTime(1_000);
  }
  expect(lines).toEqual(['apart', 'apart']);
  agree();
  agree();
  expect(lines).toEqual(['apart', 'apart', 'agree']);
  apart();
  expect(lines).toEqual(['apart', 'apart', 'agree', 'apart']);
});
