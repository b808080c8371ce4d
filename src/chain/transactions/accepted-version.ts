import {
  isSolanaError,
  SOLANA_ERROR__JSON_RPC__INVALID_PARAMS,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import type { Chain } from '../chain.ts';
import { type BlockhashLifetime, latestBlockhash, simulateWire } from '../rpc/send.ts';
import type { TransactionFailure } from '../rpc/transaction-failure.ts';
import { type MessageVersion, wireOf } from './compile-message.ts';
import { messageOf } from './pull-message.ts';

/**
 * A cluster may accept a newer version after an upgrade, so the version is checked again after this
 * time.
 */
const KNOWN_FOR_MS = 600_000;
/** The same after an inconclusive result. */
const DOUBTED_FOR_MS = 30_000;
const PROBE_COMPUTE_UNITS = 10_000;

interface Known {
  readonly version: MessageVersion;
  readonly until: number;
}
const known = new WeakMap<Chain['collector'], Known>();

/**
 * The newest message version that the cluster accepts, from the configuration or from a simulation.
 * It is cached for ten minutes or until `forgetVersion`. After an inconclusive simulation version 0
 * is used, which every cluster accepts, and the cluster is asked again soon.
 */
export async function acceptedVersion(chain: Chain): Promise<MessageVersion> {
  const { transactionVersion } = chain.config;
  if (transactionVersion !== undefined) return transactionVersion;
  const before = known.get(chain.collector);
  if (before && before.until > performance.now()) return before.version;
  const blockhash = await latestBlockhash(chain);
  const { version, isCertain } = await newestTaken(chain, blockhash);
  const forMs = isCertain ? KNOWN_FOR_MS : DOUBTED_FOR_MS;
  known.set(chain.collector, { version, until: performance.now() + forMs });
  return version;
}

/** Called when the cluster refuses a version that it accepted before. */
export function forgetVersion({ collector }: Chain): void {
  known.delete(collector);
}

/** Whether an error means that the node cannot read messages of this version or refuses them. */
export function refusesVersion(error: unknown): boolean {
  // A node that does not know the version cannot decode the transaction and reports invalid params.
  return (
    isSolanaError(error, SOLANA_ERROR__JSON_RPC__INVALID_PARAMS) ||
    isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION)
  );
}

/** Transaction error of a node that supports the version before the cluster accepts it. */
export const VERSION_REFUSED = 'UnsupportedVersion';

type Answer = 'taken' | 'refused' | 'unknown';

async function newestTaken(
  chain: Chain,
  blockhash: BlockhashLifetime,
): Promise<{ readonly version: MessageVersion; readonly isCertain: boolean }> {
  for (const version of [1, 0] as const) {
    const answer = await takes(chain, version, blockhash);
    if (answer === 'taken') return { version, isCertain: true };
    if (answer === 'unknown') return { version: 0, isCertain: false };
  }
  return { version: 'legacy', isCertain: true };
}

/** Simulates a transfer of zero lamports from the collector to itself. */
async function takes(chain: Chain, version: 0 | 1, blockhash: BlockhashLifetime): Promise<Answer> {
  const { collector } = chain;
  const nothing = getTransferSolInstruction({
    source: collector,
    destination: collector.address,
    amount: 0n,
  });
  const terms = { version, blockhash, computeUnits: PROBE_COMPUTE_UNITS, price: 0n };
  const message = messageOf(collector.address, [nothing], terms);
  try {
    return answerIn((await simulateWire(chain, wireOf(version, message))).err);
  } catch (error) {
    if (refusesVersion(error)) return 'refused';
    // The node responded with an unknown error. Errors without a response are thrown.
    if (isSolanaError(error) && error.context.__code <= LAST_JSON_RPC_CODE) return 'unknown';
    throw error;
  }
}

/** Lower codes are JSON-RPC's and the server's own. */
const LAST_JSON_RPC_CODE = -32_000;

/** Errors that prove that the cluster could read the transaction and accepts its version. */
const BEHIND_THE_VERSION: ReadonlySet<string> = new Set([
  'AccountNotFound',
  'InsufficientFundsForFee',
  'InsufficientFundsForRent',
]);

function answerIn(err: TransactionFailure | null): Answer {
  if (err === null || err.instruction !== null || BEHIND_THE_VERSION.has(err.name)) return 'taken';
  return err.name === VERSION_REFUSED ? 'refused' : 'unknown';
}
