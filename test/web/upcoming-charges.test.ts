import { expect, it } from 'vitest';
import { dueWithin, SPANS } from '../../web/dashboard/pages/overview/upcoming-charges.ts';

it('the forecasts are of seven and thirty days, with a monthly plan’s next one', () => {
  const now = new Date('2026-12-01T09:00:00Z');
  const parts = ['2026-12-01', '2026-12-08', '2026-12-09', '2026-12-31'].map((day) => ({ day }));
  expect(SPANS.map((days) => dueWithin(parts, days, now).length)).toEqual([2, 4]);
});
