import type { Transaction } from '@solana/kit';
import type { ClusterConfig } from '../../config/cluster-config.ts';
import type { Chain } from '../chain.ts';

/** The fee of one signature, the same on every cluster: https://solana.com/docs/core/fees */
const SIGNATURE_FEE = 5_000n;
/** Rents change rarely, and only by a vote of the network. */
const RENT_KEPT_MS = 600_000;

/** What a transaction costs in lamports. */
export interface NetworkCosts {
  readonly fee: bigint;
  /** Rent of the accounts that it creates, which its payer gets back when they are closed. */
  readonly deposits: bigint;
}

type Rpc = Pick<Chain, 'rpc' | 'config'>;

/** The costs of a transaction without a priority fee that creates accounts of these sizes. */
export async function networkCosts(
  chain: Rpc,
  { signatures }: Pick<Transaction, 'signatures'>,
  newAccounts: readonly number[],
): Promise<NetworkCosts> {
  const rents = await Promise.all(newAccounts.map((bytes) => rentOf(chain, bytes)));
  return {
    fee: SIGNATURE_FEE * BigInt(Object.keys(signatures).length),
    deposits: rents.reduce((sum, rent) => sum + rent, 0n),
  };
}

/**
 * Lamports that a wallet needs to pay for a transaction: the fee, the rent of the new accounts
 * (given by their sizes), and the wallet's own minimum balance.
 */
export async function lamportsNeeded(
  chain: Rpc,
  transaction: Pick<Transaction, 'signatures'>,
  newAccounts: readonly number[],
): Promise<bigint> {
  const { fee, deposits } = await networkCosts(chain, transaction, newAccounts);
  return fee + deposits + (await rentOf(chain, 0));
}

interface Kept {
  readonly rent: Promise<bigint>;
  readonly untilMs: number;
}

const kept = new WeakMap<ClusterConfig, Map<number, Kept>>();

/** The rent of an account, read from the cluster every ten minutes. The sizes are few. */
function rentOf({ rpc, config }: Rpc, bytes: number): Promise<bigint> {
  const ofCluster = kept.get(config) ?? new Map<number, Kept>();
  kept.set(config, ofCluster);
  const found = ofCluster.get(bytes);
  if (found && performance.now() < found.untilMs) return found.rent;
  const rent = rpc.getMinimumBalanceForRentExemption(BigInt(bytes)).send();
  ofCluster.set(bytes, { rent, untilMs: performance.now() + RENT_KEPT_MS });
  rent.catch(() => ofCluster.delete(bytes));
  return rent;
}
