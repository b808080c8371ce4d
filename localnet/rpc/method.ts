import type { Network } from '../network.ts';

/**
 * One JSON-RPC method. `params` is what the caller sent, unchecked; the result is sent as JSON, in which a bigint
 * becomes a plain number of full precision. Throws RpcError to answer with an error.
 */
export type RpcMethod = (network: Network, params: readonly unknown[]) => unknown;
export type RpcMethods = Readonly<Record<string, RpcMethod>>;

/** An error in the words and codes of a cluster's RPC. */
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

export const INVALID_PARAMS = -32602;
