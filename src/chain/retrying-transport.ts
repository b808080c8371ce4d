import { setTimeout as sleep } from 'node:timers/promises';
import { isSolanaError, type RpcTransport, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR } from '@solana/kit';

const ATTEMPTS = 4;
const FIRST_DELAY_MS = 200;
/** A node that asks for a longer pause than this gets its error passed on: the caller's own schedule is better then. */
const MAX_DELAY_MS = 5_000;
const ANSWER_TIMEOUT_MS = 15_000;

/**
 * Tries a call again where the node was busy (429), broken (5xx), unreachable or silent. All methods that dues calls
 * may be repeated: reads change nothing, and a transaction sent twice is the same bytes under the same signature,
 * which lands once. What the node *answers*, errors too, is never asked again. kit has no retry of its own.
 */
export function retryingTransport(transport: RpcTransport): RpcTransport {
  // A node that is busy is busy for all of our calls: one that is told to wait makes the others wait, too.
  let quietUntil = 0;
  return async <TResponse>(request: Parameters<RpcTransport>[0]): Promise<TResponse> => {
    for (let attempt = 1; ; attempt += 1) {
      const quietMs = quietUntil - performance.now();
      if (quietMs > 0) await sleep(quietMs, undefined, { signal: request.signal });
      const timeout = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
      const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
      try {
        return (await transport({ ...request, signal })) as TResponse;
      } catch (error) {
        const delayMs = request.signal?.aborted ? undefined : retryDelayMs(error, attempt);
        if (delayMs === undefined || attempt === ATTEMPTS) throw error;
        if (isBusy(error)) quietUntil = Math.max(quietUntil, performance.now() + delayMs);
        await sleep(delayMs, undefined, { signal: request.signal });
      }
    }
  };
}

/** How long to wait before asking again; `undefined` where asking again is no use. */
function retryDelayMs(error: unknown, attempt: number): number | undefined {
  // Half of it is random, so that workers that failed together do not come back together.
  const backoffMs = FIRST_DELAY_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
  if (!isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) {
    // fetch has one error for everything below HTTP, and our own timeout another.
    const noAnswer = error instanceof TypeError || (error as Error).name === 'TimeoutError';
    return noAnswer ? backoffMs : undefined;
  }
  const { statusCode, headers } = error.context;
  if (statusCode !== 429 && statusCode < 500) return undefined;
  const retryAfterMs = Number(headers.get('retry-after') ?? 0) * 1_000;
  if (!(retryAfterMs > 0)) return backoffMs;
  return retryAfterMs <= MAX_DELAY_MS ? retryAfterMs : undefined;
}

function isBusy(error: unknown): boolean {
  return isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR) && error.context.statusCode === 429;
}
