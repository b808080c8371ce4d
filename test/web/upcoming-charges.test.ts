import { expect, it } from 'vitest';
import { dueWithin, SPANS } from '../../web/dashboard/pages/overview/upcoming-charges.ts';

it('the forecasts are of seven days and of thirty, with the next payment of a monthly plan paid now', () => {
  const now = new Date('2026-12-01T09:00:00Z');
  const parts = ['2026-12-01', '2026-12-08', '2026-12-09', '2026-12-31'].map((day) => ({ day }));
  expect(SPANS.map((days) => dueWithin(parts, days, now).length)).toEqual([2, 4]);
});
