import { type RatePolicy, type RateVerdict, tooManyRequests } from '../rate-limit/rate-limit.ts';
import type { RateLimits } from '../rate-limit/rate-limits.ts';

interface ReportsVerdict {
  set(key: 'verdict', verdict: RateVerdict): void;
}

/**
 * Counts a request against an additional limit. A refusal replaces the rate-limit headers of the
 * response, so that the headers state when to retry.
 *
 * @throws BillingError rate_limit_exceeded
 */
export async function takeOrRefuse(
  c: ReportsVerdict,
  limits: RateLimits,
  ...counting: [policy: RatePolicy, key: string, count?: number]
): Promise<void> {
  const verdict = await limits.take(...counting);
  if (verdict.allowed) return;
  c.set('verdict', verdict);
  throw tooManyRequests();
}
