import { describe, expect, it } from 'vitest';
import { afterFailure, DEFAULT_RETRY_SETTINGS } from '../../src/domain/payment/retry.ts';

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
  ])('failure %i where five are allowed: %j, the last delay repeating', (failureCount, outcome) => {
    expect(afterFailure({ ...DEFAULT_RETRY_SETTINGS, maxFailures: 5 }, failureCount)).toEqual(outcome);
  });

  it('expires at once where one failure is allowed', () => {
    expect(afterFailure({ maxFailures: 1, retryDelaysSeconds: [60] }, 1)).toEqual({ kind: 'expire' });
  });
});
