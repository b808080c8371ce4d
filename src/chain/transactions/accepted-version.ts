import {
  isSolanaError,
  SOLANA_ERROR__JSON_RPC__INVALID_PARAMS,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import type { Chain } from '../chain.ts';
import { type BlockhashLifetime, latestBlockhash, simulateWire } from '../rpc/send.ts';
import type { TransactionFailure } from '../rpc/transaction-failure.ts';
import { type MessageVersion, noSignatures, wireOf } from './compile-message.ts';
import { messageOf } from './pull-message.ts';

/**
 * Lifetime of a certain result. It expires because the cluster may accept a newer version after an
 * upgrade.
 */
const CERTAIN_CACHE_MS = 600_000;
/** Lifetime of an inconclusive result. */
const UNCERTAIN_CACHE_MS = 30_000;
const PROBE_COMPUTE_UNITS = 10_000;

interface CachedVersion {
  readonly version: MessageVersion;
  readonly until: number;
}
const cachedVersions = new WeakMap<Chain['collector'], CachedVersion>();

/**
 * The newest message version that the cluster accepts, from the configuration or from a simulation.
 * It is cached for ten minutes or until `forgetVersion`. After an inconclusive simulation, version
 * 0 is used for 30 seconds, because practically every cluster accepts it.
 */
export async function acceptedVersion(chain: Chain): Promise<MessageVersion> {
  const { transactionVersion } = chain.config;
  if (transactionVersion !== undefined) return transactionVersion;
  const cached = cachedVersions.get(chain.collector);
  if (cached && cached.until > performance.now()) return cached.version;
  const blockhash = await latestBlockhash(chain);
  const { version, isCertain } = await findNewestVersion(chain, blockhash);
  const cacheMs = isCertain ? CERTAIN_CACHE_MS : UNCERTAIN_CACHE_MS;
  cachedVersions.set(chain.collector, { version, until: performance.now() + cacheMs });
  return version;
}

/**
 * Clears the cached version. Call it when the cluster refuses a version that it accepted before.
 */
export function forgetVersion({ collector }: Chain): void {
  cachedVersions.delete(collector);
}

/** Whether an error means that the node cannot decode or does not accept the message version. */
export function refusesVersion(error: unknown): boolean {
  // A node that does not know the version cannot decode the transaction and reports invalid params.
  return (
    isSolanaError(error, SOLANA_ERROR__JSON_RPC__INVALID_PARAMS) ||
    isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION)
  );
}

/**
 * The transaction error of a node that can decode a version that the cluster does not accept yet.
 */
export const VERSION_REFUSED = 'UnsupportedVersion';

type ProbeResult = 'accepted' | 'refused' | 'unknown';

async function findNewestVersion(
  chain: Chain,
  blockhash: BlockhashLifetime,
): Promise<{ readonly version: MessageVersion; readonly isCertain: boolean }> {
  for (const version of [1, 0] as const) {
    const result = await probeVersion(chain, version, blockhash);
    if (result === 'accepted') return { version, isCertain: true };
    if (result === 'unknown') return { version: 0, isCertain: false };
  }
  return { version: 'legacy', isCertain: true };
}

/** Tests a version by simulating a transfer of zero lamports from the collector to itself. */
async function probeVersion(
  chain: Chain,
  version: 0 | 1,
  blockhash: BlockhashLifetime,
): Promise<ProbeResult> {
  const { collector } = chain;
  const transferNothing = getTransferSolInstruction({
    source: collector,
    destination: collector.address,
    amount: 0n,
  });
  const terms = { version, blockhash, computeUnits: PROBE_COMPUTE_UNITS, price: 0n };
  const message = messageOf(collector.address, [transferNothing], terms);
  try {
    return readSimulationError((await simulateWire(chain, wireOf(version, message, noSignatures(1)))).err);
  } catch (error) {
    if (refusesVersion(error)) return 'refused';
    // The node responded with another error. Errors without a response are thrown.
    if (isSolanaError(error) && error.context.__code <= LAST_JSON_RPC_CODE) return 'unknown';
    throw error;
  }
}

/** kit uses codes up to this one for the JSON-RPC errors in a response. */
const LAST_JSON_RPC_CODE = -32_000;

/** Errors that a cluster reports only for a transaction whose version it accepts. */
const ERRORS_AFTER_VERSION_CHECK: ReadonlySet<string> = new Set([
  'AccountNotFound',
  'InsufficientFundsForFee',
  'InsufficientFundsForRent',
]);

function readSimulationError(err: TransactionFailure | null): ProbeResult {
  if (err === null || err.instruction !== null || ERRORS_AFTER_VERSION_CHECK.has(err.name)) return 'accepted';
  return err.name === VERSION_REFUSED ? 'refused' : 'unknown';
}
