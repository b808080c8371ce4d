import { isSolanaError, SOLANA_ERROR__JSON_RPC__INVALID_PARAMS } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import type { Chain } from './chain.ts';
import { type MessageVersion, wireOf } from './compile-message.ts';
import { messageOf } from './pull-message.ts';
import { type BlockhashLifetime, latestBlockhash, simulateWire } from './send.ts';

/** An upgraded cluster takes a newer version from some day on: asked again after this. */
const KNOWN_FOR_MS = 600_000;
const PROBE_COMPUTE_UNITS = 10_000;

interface Known {
  readonly version: MessageVersion;
  readonly until: number;
}
const known = new WeakMap<Chain['collector'], Known>();

/**
 * The newest kind of message that the cluster takes, found out by letting it simulate one. Remembered until
 * `forgetVersion`, or for ten minutes.
 */
export async function acceptedVersion(chain: Chain): Promise<MessageVersion> {
  const before = known.get(chain.collector);
  if (before && before.until > performance.now()) return before.version;
  const blockhash = await latestBlockhash(chain);
  const version = await newestTaken(chain, blockhash);
  known.set(chain.collector, { version, until: performance.now() + KNOWN_FOR_MS });
  return version;
}

/** The cluster has refused a message of the version that it took before. */
export function forgetVersion({ collector }: Chain): void {
  known.delete(collector);
}

/** Whether an error says that the node cannot read, or does not take, messages of this version. */
export function refusesVersion(error: unknown): boolean {
  // A node that does not know the version cannot decode the transaction, which is its caller's mistake then.
  return isSolanaError(error, SOLANA_ERROR__JSON_RPC__INVALID_PARAMS);
}

/** The name of the transaction error of a node that knows the version while the cluster does not take it yet. */
export const VERSION_REFUSED = 'UnsupportedVersion';

async function newestTaken(chain: Chain, blockhash: BlockhashLifetime): Promise<MessageVersion> {
  for (const version of [1, 0] as const) if (await takes(chain, version, blockhash)) return version;
  return 'legacy';
}

/** Simulates a transfer of nothing from the collector to itself. */
async function takes(chain: Chain, version: 0 | 1, blockhash: BlockhashLifetime): Promise<boolean> {
  const { collector } = chain;
  const nothing = getTransferSolInstruction({
    source: collector,
    destination: collector.address,
    amount: 0n,
  });
  const terms = { version, blockhash, computeUnits: PROBE_COMPUTE_UNITS, price: 0n };
  const message = messageOf(collector.address, [nothing], terms);
  try {
    const { err } = await simulateWire(chain, wireOf(version, message));
    return err?.name !== VERSION_REFUSED;
  } catch (error) {
    if (refusesVersion(error)) return false;
    throw error;
  }
}
