import {
  isSolanaError,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_NODE_UNHEALTHY,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
} from '@solana/kit';

/** HTTP statuses that mean "later"; all others below 500 mean a wrong address or key. */
const LATER = new Set([408, 425, 429]);
/**
 * gRPC codes for a wrong token or address: INVALID_ARGUMENT, PERMISSION_DENIED, UNIMPLEMENTED,
 * UNAUTHENTICATED.
 */
const WRONG_BY_GRPC = new Set([3, 7, 12, 16]);

/**
 * Whether a node is unreachable for now, as opposed to a wrong configuration. The innermost cause
 * decides. An error without a cause is our own judgement of an answer.
 */
export function isUnreachable(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause === undefined) return false;
  if (isSolanaError(cause, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) {
    return isUnreachableStatus(cause.context.statusCode);
  }
  if (isSolanaError(cause)) return isSolanaError(cause, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_NODE_UNHEALTHY);
  const { code } = cause as { readonly code?: unknown };
  return typeof code !== 'number' || !WRONG_BY_GRPC.has(code);
}

export function isUnreachableStatus(status: number): boolean {
  return status >= 500 || LATER.has(status);
}
