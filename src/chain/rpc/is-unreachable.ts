import {
  isSolanaError,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_NODE_UNHEALTHY,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
} from '@solana/kit';

/** HTTP statuses below 500 of a temporary problem. All others mean a wrong address or key. */
const TEMPORARY_STATUSES = new Set([408, 425, 429]);
/**
 * gRPC codes for a wrong token or address: INVALID_ARGUMENT, PERMISSION_DENIED, UNIMPLEMENTED,
 * UNAUTHENTICATED.
 */
const PERMANENT_GRPC_CODES = new Set([3, 7, 12, 16]);

/**
 * Whether a node is temporarily unreachable. Otherwise the configuration is wrong. The cause of the
 * error decides. An error without a cause comes from our own check of an answer.
 */
export function isUnreachable(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause === undefined) return false;
  if (isSolanaError(cause, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) {
    return isUnreachableStatus(cause.context.statusCode);
  }
  if (isSolanaError(cause)) return isSolanaError(cause, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_NODE_UNHEALTHY);
  const { code } = cause as { readonly code?: unknown };
  return typeof code !== 'number' || !PERMANENT_GRPC_CODES.has(code);
}

export function isUnreachableStatus(status: number): boolean {
  return status >= 500 || TEMPORARY_STATUSES.has(status);
}
