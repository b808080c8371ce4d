import type { Transaction } from '@solana/kit';
import type { ClusterConfig } from '../../config/cluster-config.ts';
import type { Chain } from '../chain.ts';

/** The fee of one signature, the same on every cluster: https://solana.com/docs/core/fees */
const SIGNATURE_FEE = 5_000n;
/** How long a rent is cached. Rents change rarely, by a vote of the network. */
const RENT_CACHE_MS = 600_000;

/** The costs of a transaction in lamports. */
export interface NetworkCosts {
  readonly fee: bigint;
  /** Rent of the accounts that it creates. The payer gets it back when they are closed. */
  readonly deposits: bigint;
}

type Rpc = Pick<Chain, 'rpc' | 'config'>;

/** The costs of a transaction without a priority fee that creates accounts of these sizes. */
export async function networkCosts(
  chain: Rpc,
  { signatures }: Pick<Transaction, 'signatures'>,
  newAccounts: readonly number[],
): Promise<NetworkCosts> {
  const rents = await Promise.all(newAccounts.map((bytes) => readRent(chain, bytes)));
  return {
    fee: SIGNATURE_FEE * BigInt(Object.keys(signatures).length),
    deposits: rents.reduce((sum, rent) => sum + rent, 0n),
  };
}

/**
 * Lamports that a wallet needs to pay for a transaction: the fee, the rent of the new accounts
 * (whose sizes are passed in bytes), and the wallet's own minimum balance.
 */
export async function lamportsNeeded(
  chain: Rpc,
  transaction: Pick<Transaction, 'signatures'>,
  newAccounts: readonly number[],
): Promise<bigint> {
  const { fee, deposits } = await networkCosts(chain, transaction, newAccounts);
  return fee + deposits + (await readRent(chain, 0));
}

interface CachedRent {
  readonly rent: Promise<bigint>;
  readonly untilMs: number;
}

const rentCaches = new WeakMap<ClusterConfig, Map<number, CachedRent>>();

/** Reads the rent of an account, and caches it for ten minutes. There are only a few sizes. */
export function readRent({ rpc, config }: Rpc, bytes: number): Promise<bigint> {
  const rentBySize = rentCaches.get(config) ?? new Map<number, CachedRent>();
  rentCaches.set(config, rentBySize);
  const cached = rentBySize.get(bytes);
  if (cached && performance.now() < cached.untilMs) return cached.rent;
  const rent = rpc.getMinimumBalanceForRentExemption(BigInt(bytes)).send();
  rentBySize.set(bytes, { rent, untilMs: performance.now() + RENT_CACHE_MS });
  rent.catch(() => rentBySize.delete(bytes));
  return rent;
}
