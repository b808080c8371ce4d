import { describe, expect, it } from 'vitest';
import {
  DEFAULT_RETRY_SETTINGS,
  retriesOf,
} from '../../../../src/domain/accounts/merchant/retry-settings.ts';
import { afterFailure } from '../../../../src/domain/billing/schedule/after-failure.ts';

const HOUR = 3_600;
const QUICK = retriesOf('QUICK', DEFAULT_RETRY_SETTINGS);

describe('after a failed payment', () => {
  it.each([
    [1, { kind: 'retry', delaySeconds: 60 }],
    [2, { kind: 'retry', delaySeconds: 300 }],
    [3, { kind: 'expire' }],
  ])('failure %i by default: %j', (failureCount, outcome) => {
    expect(afterFailure(QUICK, failureCount)).toEqual(outcome);
  });

  it.each([
    [3, { kind: 'retry', delaySeconds: 1800 }],
    [4, { kind: 'retry', delaySeconds: 1800 }],
    [5, { kind: 'expire' }],
  ])('failure %i if five are allowed: %j, and the last delay repeats', (failureCount, outcome) => {
    expect(afterFailure({ ...QUICK, maxFailures: 5 }, failureCount)).toEqual(outcome);
  });

  it.each([
    [1, { kind: 'retry', delaySeconds: HOUR }],
    [2, { kind: 'retry', delaySeconds: 6 * HOUR }],
    [3, { kind: 'retry', delaySeconds: 24 * HOUR }],
    [4, { kind: 'retry', delaySeconds: 72 * HOUR }],
    [5, { kind: 'retry', delaySeconds: 120 * HOUR }],
    [6, { kind: 'expire' }],
  ])('failure %i with DAYS: %j, whatever the environment says', (failureCount, outcome) => {
    const environment = { ...DEFAULT_RETRY_SETTINGS, maxFailures: 2, retryDelaysSeconds: [7] };
    expect(afterFailure(retriesOf('DAYS', environment), failureCount)).toEqual(outcome);
  });

  it.each([
    [1, { kind: 'retry', delaySeconds: 60 }],
    [2, { kind: 'retry', delaySeconds: 300 }],
    [3, { kind: 'wait' }],
    [4, { kind: 'wait' }],
  ])('failure %i with UNTIL_PAID: %j, as the environment says', (failureCount, outcome) => {
    const retries = retriesOf('UNTIL_PAID', DEFAULT_RETRY_SETTINGS);
    expect(afterFailure(retries, failureCount)).toEqual(outcome);
  });

  it('expires at once if one failure is allowed', () => {
    expect(afterFailure({ ...QUICK, maxFailures: 1 }, 1)).toEqual({ kind: 'expire' });
  });
});
