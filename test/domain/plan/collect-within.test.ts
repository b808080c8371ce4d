import { expect, it } from 'vitest';
import { validCollectWithin } from '../../../src/domain/catalog/plan/plan-terms.ts';
import { BillingError } from '../../../src/errors.ts';

const HOUR = 3_600;

it.each([
  ['nothing', 0, HOUR, true],
  ['a tenth of an hour', 360, HOUR, true],
  ['a second more', 361, HOUR, false],
  ['an hour of ten', 3_600, 10 * HOUR, true],
  ['an hour of a year', 3_600, 8_760 * HOUR, true],
  ['a second more than an hour', 3_601, 8_760 * HOUR, false],
  ['less than nothing', -1, HOUR, false],
  ['half a second', 0.5, HOUR, false],
])('payments are spread over %s', (_, seconds, intervalSeconds, isAllowed) => {
  const choose = () => validCollectWithin(seconds, intervalSeconds);
  if (isAllowed) expect(choose()).toBe(seconds);
  else expect(choose).toThrow(BillingError);
});

it('a time that is too long is refused with both bounds', () => {
  expect(() => validCollectWithin(600, HOUR)).toThrow(
    'collectWithinSeconds is 600, and must be a whole number from 0 to 360: at most an hour, and a tenth of the interval of 3600 seconds.',
  );
});
