import type { RpcTransport } from '@solana/kit';
import { BillingError } from '../../errors.ts';

/** Maximum wait for the budget. */
const MAX_WAIT_MS = 5_000;
/** Unused budget of this time may be used at once. */
const SAVED_MS = 1_000;

type Request = Parameters<RpcTransport>[0];

/**
 * For callers without a key, whose calls must not use up the budget of collection. Concurrent
 * callers with the same question share one answer, and all questions together stay within
 * `requestsPerSecond`. Do not conclude from these answers that a transaction can no longer land,
 * because the height and the status may come from two nodes.
 *
 * The transport throws a BillingError, rate_limit_exceeded, if the wait would be too long.
 */
export function sharedAnswers(transport: RpcTransport, requestsPerSecond: number): RpcTransport {
  const awaited = new Map<string, Promise<unknown>>();
  const turn = turns(1_000 / requestsPerSecond);
  return <T>({ payload }: Request): Promise<T> => {
    const question = questionOf(payload);
    const shared = awaited.get(question);
    if (shared) return shared as Promise<T>;
    // Without the signal of this caller, because others may wait for the same answer.
    const answer = turn()
      .then(() => transport<T>({ payload }))
      .finally(() => awaited.delete(question));
    awaited.set(question, answer);
    return answer;
  };
}

/** The call without its id. */
function questionOf(payload: unknown): string {
  const { id: _, ...question } = payload as { id?: unknown };
  return JSON.stringify(question, (_key, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
}

/** A budget of calls, of which one second can be saved up. */
function turns(everyMs: number): () => Promise<void> {
  let nextAt = 0;
  return async () => {
    const now = performance.now();
    nextAt = Math.max(nextAt, now - SAVED_MS);
    const at = Math.max(now, nextAt);
    if (at - now > MAX_WAIT_MS) {
      throw new BillingError(
        'rate_limit_exceeded',
        'Too many ask for the state of the network just now: try again in a moment.',
      );
    }
    nextAt += everyMs;
    if (at > now) await new Promise((resolve) => setTimeout(resolve, at - now));
  };
}
