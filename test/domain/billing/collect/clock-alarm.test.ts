import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ClockAlarm } from '../../../../src/domain/chain-state/clock/clock-alarm.ts';
import type { Logger } from '../../../../src/observability/log.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

it('logs when the clocks differ, then once per minute, and when they agree again', () => {
  const lines: string[] = [];
  const log = { error: () => lines.push('raised'), info: () => lines.push('cleared') } as unknown as Logger;
  const alarm = new ClockAlarm();
  const raise = () => alarm.raise(log, { environment: 'TEST', aheadSeconds: 4_000 });
  const clear = () => alarm.clear(log, { environment: 'TEST' });
  clear();
  expect(lines).toEqual([]);
  for (let seconds = 0; seconds < 119; seconds += 1) {
    raise();
    vi.advanceTimersByTime(1_000);
  }
  expect(lines).toEqual(['raised', 'raised']);
  clear();
  clear();
  expect(lines).toEqual(['raised', 'raised', 'cleared']);
  raise();
  expect(lines).toEqual(['raised', 'raised', 'cleared', 'raised']);
});
