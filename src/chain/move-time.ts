import { isSolanaError, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR } from '@solana/kit';
import type { ClusterConfig } from '../config/cluster-config.ts';
import { readChainTime } from './accounts/read-accounts.ts';
import type { Chain } from './chain.ts';
import { httpTransport } from './rpc/http-transport.ts';

/** A cheat code of Surfpool and of the local network (docs.surfpool.run). */
const TIME_TRAVEL = 'surfnet_timeTravel';
/** JSON-RPC's code for wrong parameters of a method that exists. */
const INVALID_PARAMS = -32602;
const ANSWER_WITHIN_MS = 3_000;

/** Results by cluster; what its software can does not change. */
const known = new WeakMap<ClusterConfig, boolean>();

/**
 * Whether the cluster has a cheat code that moves its time. It is asked with parameters that no
 * cluster accepts, so that the question moves nothing.
 */
export async function canMoveTime({ config }: Pick<Chain, 'config'>): Promise<boolean> {
  const before = known.get(config);
  if (before !== undefined) return before;
  const { error } = await call(config, ['probe']);
  const can = error?.code === INVALID_PARAMS;
  known.set(config, can);
  return can;
}

/** Moves the cluster's time forward and returns the new one. */
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
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
  } catch (cause) {
    // Providers refuse unknown methods by an HTTP status too.
    if (!isSolanaError(cause, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) throw cause;
    return { error: { code: cause.context.statusCode, message: cause.message } };
  }
}
