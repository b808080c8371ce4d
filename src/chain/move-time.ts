import { isSolanaError, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR } from '@solana/kit';
import type { ClusterConfig } from '../config/cluster-config.ts';
import { readChainTime } from './accounts/read-accounts.ts';
import type { Chain } from './chain.ts';
import { httpTransport } from './rpc/http-transport.ts';

/** A cheat code of Surfpool and of the local network (docs.surfpool.run). */
const TIME_TRAVEL = 'surfnet_timeTravel';
/** JSON-RPC's code for wrong parameters of a method that exists. */
const INVALID_PARAMS = -32602;
const RESPONSE_TIMEOUT_MS = 3_000;

/** Results by cluster. They do not change, because they depend only on the cluster's software. */
const cachedResults = new WeakMap<ClusterConfig, boolean>();

/**
 * Whether the cluster has a cheat code that moves its time. The call has invalid parameters, so
 * that it does not move the time.
 */
export async function canMoveTime({ config }: Pick<Chain, 'config'>): Promise<boolean> {
  const cached = cachedResults.get(config);
  if (cached !== undefined) return cached;
  const { error } = await call(config, ['probe']);
  const canMove = error?.code === INVALID_PARAMS;
  cachedResults.set(config, canMove);
  return canMove;
}

/** Moves the cluster's time forward and returns the new time. */
export async function moveTime(
  chain: Pick<Chain, 'config' | 'rpc' | 'minSlot'>,
  seconds: number,
): Promise<Date> {
  const target = (Number(await readChainTime(chain)) + seconds) * 1000;
  const { error } = await call(chain.config, [{ absoluteTimestamp: target }]);
  if (error) throw new Error(`The cluster did not move its time: ${error.message}`);
  return new Date(target);
}

interface Answer {
  readonly error?: { readonly code: number; readonly message: string };
}

async function call({ rpcUrl }: ClusterConfig, params: readonly unknown[]): Promise<Answer> {
  try {
    return await httpTransport(rpcUrl)<Answer>({
      payload: { jsonrpc: '2.0', id: 1, method: TIME_TRAVEL, params },
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });
  } catch (cause) {
    // Some providers refuse an unknown method with an HTTP status.
    if (!isSolanaError(cause, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) throw cause;
    return { error: { code: cause.context.statusCode, message: cause.message } };
  }
}
