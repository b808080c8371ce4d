import { describe, expect, it } from 'vitest';
import { DEFAULT_RETRY_SETTINGS } from '../../../../src/domain/accounts/merchant/retry-settings.ts';
import { afterFailure } from '../../../../src/domain/billing/schedule/after-failure.ts';

describe('after a failed payment', () => {
  it.each([
    [1, { kind: 'retry', delaySeconds: 60 }],
    [2, { kind: 'retry', delaySeconds: 300 }],
    [3, { kind: 'expire' }],
  ])('failure %i by default: %j', (failureCount, outcome) => {
    expect(afterFailure(DEFAULT_RETRY_SETTINGS, failureCount)).toEqual(outcome);
  });

  it.each([
    [3, { kind: 'retry', delaySeconds: 1800 }],
    [4, { kind: 'retry', delaySeconds: 1800 }],
    [5, { kind: 'expire' }],
  ])('failure %i if five are allowed: %j, and the last delay repeats', (failureCount, outcome) => {
    expect(afterFailure({ ...DEFAULT_RETRY_SETTINGS, maxFailures: 5 }, failureCount)).toEqual(outcome);
  });

  it('expires at once if one failure is allowed', () => {
    expect(afterFailure({ maxFailures: 1, graceSeconds: 0, retryDelaysSeconds: [60] }, 1)).toEqual({
      kind: 'expire',
    });
  });
});
