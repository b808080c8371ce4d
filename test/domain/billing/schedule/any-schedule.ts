import fc from 'fast-check';
import type { Schedule } from '../../../../src/domain/billing/schedule/period.ts';

const HOUR = 3_600n;
const hours = (min: bigint, max: bigint) => fc.bigInt(min, max).map((count) => count * HOUR);

/** Schedules with any offset, and an interval of any seconds that is not shorter than the chain's period. */
export const anySchedule: fc.Arbitrary<Schedule> = fc
  .record({
    startedAt: fc.bigInt(1n, 2_000_000_000n),
    periodSeconds: hours(1n, 8_760n),
    longerSeconds: fc.oneof(fc.constant(0n), fc.bigInt(0n, 3_000_000n)),
    anchorOffsetSeconds: fc.bigInt(0n, 400n * 86_400n),
  })
  .map(({ longerSeconds, ...rest }) => ({ ...rest, intervalSeconds: rest.periodSeconds + longerSeconds }));

/** Schedules of plans that can be created today: the interval is the chain's period, and the trial whole hours. */
export const scheduleOfToday: fc.Arbitrary<Schedule> = fc
  .record({
    startedAt: fc.bigInt(1n, 2_000_000_000n),
    periodSeconds: hours(1n, 8_760n),
    anchorOffsetSeconds: hours(0n, 17_520n),
  })
  .map((rest) => ({ ...rest, intervalSeconds: rest.periodSeconds }));
