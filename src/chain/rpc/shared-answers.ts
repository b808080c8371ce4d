import type { RpcTransport } from '@solana/kit';
import { BillingError } from '../../errors.ts';

/** Maximum time that a call waits for its turn. */
const MAX_WAIT_MS = 5_000;
/** The calls that were not made in this time may be made later in one burst. */
const BURST_MS = 1_000;

type Request = Parameters<RpcTransport>[0];

/**
 * Creates a transport for callers without a key, which must not use up the budget of collection.
 * Concurrent identical calls share one answer, and all calls together stay within
 * `requestsPerSecond`. Do not conclude from these answers that a transaction can no longer land,
 * because the block height and the status may come from two nodes.
 *
 * The transport throws a BillingError, rate_limit_exceeded, if the wait would be too long.
 */
export function sharedAnswers(transport: RpcTransport, requestsPerSecond: number): RpcTransport {
  const pending = new Map<string, Promise<unknown>>();
  const waitForTurn = createTurns(1_000 / requestsPerSecond);
  return <T>({ payload }: Request): Promise<T> => {
    const key = keyOf(payload);
    const shared = pending.get(key);
    if (shared) return shared as Promise<T>;
    // The caller's signal is not passed on, because others may wait for the same answer.
    const answer = waitForTurn()
      .then(() => transport<T>({ payload }))
      .finally(() => pending.delete(key));
    pending.set(key, answer);
    return answer;
  };
}

/** The call without its id, as text. Identical calls have the same key. */
function keyOf(payload: unknown): string {
  const { id: _, ...call } = payload as { id?: unknown };
  return JSON.stringify(call, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}

/** Creates a budget of calls. Up to one second of it can be saved for a burst. */
function createTurns(callIntervalMs: number): () => Promise<void> {
  let nextAt = 0;
  return async () => {
    const now = performance.now();
    nextAt = Math.max(nextAt, now - BURST_MS);
    const at = Math.max(now, nextAt);
    if (at - now > MAX_WAIT_MS) {
      throw new BillingError(
        'rate_limit_exceeded',
        'Too many requests for the state of the network. Try again in a few seconds.',
      );
    }
    nextAt += callIntervalMs;
    if (at > now) await new Promise((resolve) => setTimeout(resolve, at - now));
  };
}
