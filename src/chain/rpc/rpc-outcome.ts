// The outcome of a call to a node: whether the node answered, is busy, broken or behind.
import {
  getSolanaErrorFromJsonRpcError,
  isSolanaError,
  type RpcTransport,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_MIN_CONTEXT_SLOT_NOT_REACHED,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SolanaError,
} from '@solana/kit';

/** The outcome of a call. `fine` is any answer of the method, including an error. */
export type Outcome =
  | { readonly kind: 'fine'; readonly answer: unknown }
  /** The request is wrong or was aborted: another node would not help. */
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'busy' | 'broken' | 'behind'; readonly error: unknown; readonly pauseMs?: number };

/** Longer than the maximum wait within a call. */
const WRONG_CONFIGURATION_PAUSE_MS = 30_000;

type Request = Parameters<RpcTransport>[0];

interface Result {
  readonly context?: { readonly slot?: number | bigint };
  /** The slot in an answer of getEpochInfo. */
  readonly absoluteSlot?: number | bigint;
}

interface Answer {
  readonly error?: { readonly code?: unknown } | null;
  readonly result?: number | bigint | Result | null;
}

const MIN_CONTEXT_SLOT_NOT_REACHED = -32_016;
/**
 * 429 as in HTTP, its JSON-RPC equivalent, and "limit exceeded", which unhealthy nodes also send.
 */
const BUSY_CODES: ReadonlySet<number> = new Set([429, -32_429, -32_005]);

/** Calls a node once, with a timeout. */
export async function askNode(ask: RpcTransport, request: Request, timeoutMs: number): Promise<Outcome> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
  try {
    return judgeAnswer(request, await ask<Answer>({ ...request, signal }));
  } catch (error) {
    return request.signal?.aborted ? { kind: 'failed', error } : judgeError(error);
  }
}

function judgeAnswer(request: Request, answer: Answer): Outcome {
  const code = Number(answer?.error?.code);
  if (BUSY_CODES.has(code)) return { kind: 'busy', error: getSolanaErrorFromJsonRpcError(answer.error) };
  if (code === MIN_CONTEXT_SLOT_NOT_REACHED) {
    return { kind: 'behind', error: getSolanaErrorFromJsonRpcError(answer.error) };
  }
  const slot = slotOf(request, answer);
  const min = requestedMinSlot(request);
  if (min === undefined || slot === undefined || BigInt(slot) >= min) return { kind: 'fine', answer };
  // The answer is older than requested: a proxy has dropped `minContextSlot`.
  const error = new SolanaError(SOLANA_ERROR__JSON_RPC__SERVER_ERROR_MIN_CONTEXT_SLOT_NOT_REACHED, {
    contextSlot: BigInt(slot),
  });
  return { kind: 'behind', error };
}

/** The slot of an answer, if it has one. `getSlot` returns the slot alone. */
function slotOf({ payload }: Request, answer: Answer): bigint | number | undefined {
  const { result } = answer ?? {};
  if (typeof result === 'bigint' || typeof result === 'number') {
    return (payload as { method?: unknown }).method === 'getSlot' ? result : undefined;
  }
  return result?.context?.slot ?? result?.absoluteSlot;
}

/**
 * The slot of a node that is behind the requested slot, from its error; 0 if the error does not
 * have it. `undefined` for other errors.
 */
export function slotWhenBehind(error: unknown): bigint | undefined {
  if (!isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_MIN_CONTEXT_SLOT_NOT_REACHED)) {
    return undefined;
  }
  return BigInt(error.context.contextSlot ?? 0);
}

function requestedMinSlot({ payload }: Request): bigint | undefined {
  const { params } = payload as { params?: unknown };
  const config = Array.isArray(params)
    ? (params.at(-1) as { minContextSlot?: number | bigint } | null)
    : null;
  const slot = config?.minContextSlot;
  return slot === undefined ? undefined : BigInt(slot);
}

function judgeError(error: unknown): Outcome {
  if (!isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) {
    // A network error, our timeout, or a response that is not JSON.
    const hasNoAnswer =
      error instanceof TypeError || error instanceof SyntaxError || (error as Error).name === 'TimeoutError';
    return { kind: hasNoAnswer ? 'broken' : 'failed', error };
  }
  const { statusCode, headers } = error.context;
  // A wrong address or key stays wrong until a person changes it.
  if (statusCode !== 429 && statusCode < 500)
    return { kind: 'broken', error, pauseMs: WRONG_CONFIGURATION_PAUSE_MS };
  const retryAfterMs = Number(headers.get('retry-after') ?? 0) * 1_000;
  const kind = statusCode === 429 ? 'busy' : 'broken';
  return { kind, error, ...(retryAfterMs > 0 && { pauseMs: retryAfterMs }) };
}
