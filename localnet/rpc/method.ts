import type { Network } from '../network.ts';

/**
 * A JSON-RPC method. `params` is unchecked input. A bigint in the result becomes a plain JSON
 * number of full precision. The method throws RpcError for an error response.
 */
export type RpcMethod = (network: Network, params: readonly unknown[]) => unknown;
export type RpcMethods = Readonly<Record<string, RpcMethod>>;

/** An error with the message and code of a cluster's RPC. */
export class RpcError extends Error {
  override name = 'RpcError';
  readonly code: number;
  readonly data: unknown;
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;

/** A cluster's own codes (Agave's rpc-client-api, custom_error.rs). */
export const BLOCK_CLEANED_UP = -32001;
export const PREFLIGHT_FAILURE = -32002;
export const BLOCK_NOT_AVAILABLE = -32004;
export const SLOT_SKIPPED = -32007;
export const UNSUPPORTED_TRANSACTION_VERSION = -32015;
export const MIN_CONTEXT_SLOT_NOT_REACHED = -32016;
