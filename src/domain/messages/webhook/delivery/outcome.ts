import type { DeliveryStatus } from '../../../../generated/prisma/client.ts';
import type { PostResult } from '../post/post-webhook.ts';
import { retryDelayMs } from './backoff.ts';

export interface Outcome {
  readonly status: DeliveryStatus;
  readonly failureCount: number;
  /** Null if there are no more attempts. */
  readonly nextAttemptAt: Date | null;
}

/** The outcome of a delivery after its newest attempt. `jitter` is 0 to 1. */
export function outcomeOf(
  { error, retryAfterMs }: Pick<PostResult, 'error' | 'retryAfterMs'>,
  { failureCount, now, jitter }: { failureCount: number; now: Date; jitter: number },
): Outcome {
  if (error === null) return { status: 'SUCCEEDED', failureCount, nextAttemptAt: null };
  const failures = failureCount + 1;
  const delayMs = retryDelayMs({ failures, jitter, retryAfterMs });
  if (delayMs === undefined) return { status: 'FAILED', failureCount: failures, nextAttemptAt: null };
  return { status: 'PENDING', failureCount: failures, nextAttemptAt: new Date(now.getTime() + delayMs) };
}
