import { type Address, address } from '@solana/kit';
import { z } from 'zod';
import type { Environment } from '../generated/prisma/client.ts';
import {
  COLLECTOR,
  type CollectorSource,
  collectorFrom,
  collectorMissing,
  collectorVariables,
  PREVIOUS_COLLECTOR,
} from './collector-variables.ts';
import { problemsOf } from './config-error.ts';
import { mint, url, wholeNumber } from './variable-kinds.ts';
import type { Variables } from './variables-set.ts';

export const DEVNET_USDC = address('4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU');
export const MAINNET_USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');

/** One environment's way to its cluster. */
export interface ClusterConfig {
  readonly rpcUrl: string;
  /** Yellowstone gRPC endpoint; without one the indexer polls the RPC. */
  readonly yellowstoneUrl: string | undefined;
  readonly yellowstoneToken: string | undefined;
  /** The asset that plans are priced in where they name none. */
  readonly defaultMint: Address;
  /** Named by new plans, and pulls wherever a plan names it. */
  readonly collectorKey: CollectorSource;
  /** The one before: pulls from plans that name it and not the new one. */
  readonly previousCollectorKey?: CollectorSource;
  /** As many payments share a transaction at most. */
  readonly maxPullsPerTransaction: number;
  /** What a place in a block may cost on top of the base fee, in micro-lamports a compute unit. */
  readonly maxPriorityFee: bigint;
  /** So many token accounts may a filter of the stream name: what the provider of it allows. */
  readonly maxWatchedAccounts: number;
}

/** How a cluster is collected on where nothing else is wanted. */
export const COLLECTING_DEFAULTS = {
  /** More of one plan fit in no transaction. */
  maxPullsPerTransaction: 19,
  /** A transaction of 19 takes some 200,000 compute units: 10,000 lamports, twice its base fee. */
  maxPriorityFee: 50_000n,
  /** What is past due beyond these is read in turn instead. */
  maxWatchedAccounts: 1_000,
} as const;

const clusterVariables = {
  RPC_URL: url('https://api.devnet.solana.com', 'http', 'https'),
  YELLOWSTONE_URL: url('https://yellowstone.example.com:443', 'http', 'https').optional(),
  YELLOWSTONE_TOKEN: z.string().optional(),
  ...collectorVariables,
  MAX_PULLS_PER_TRANSACTION: wholeNumber(1, 19)
    .transform(Number)
    .default(COLLECTING_DEFAULTS.maxPullsPerTransaction),
  MAX_PRIORITY_FEE: wholeNumber(0, 1_000_000_000)
    .transform(BigInt)
    .default(COLLECTING_DEFAULTS.maxPriorityFee),
  MAX_WATCHED_ACCOUNTS: wholeNumber(0, 1_000_000)
    .transform(Number)
    .default(COLLECTING_DEFAULTS.maxWatchedAccounts),
};

/** The environments, and the asset of each one's cluster that plans are priced in. */
const ENVIRONMENTS = [
  ['TEST', DEVNET_USDC],
  ['LIVE', MAINNET_USDC],
] as const;

/** The environments that variables are set of. */
export function environmentsOn(set: Variables): Environment[] {
  return ENVIRONMENTS.flatMap(([environment]) => (isOn(environment, set) ? [environment] : []));
}

/** Only our own names count: other programs have variables that begin alike. */
function isOn(environment: Environment, set: Variables): boolean {
  return Object.keys({ ...clusterVariables, USDC_MINT: mint }).some(
    (name) => `${environment}_${name}` in set,
  );
}

/** The clusters that variables are set of. What is wrong with them goes to `problems`. */
export function clustersFrom(
  set: Variables,
  problems: string[],
): Partial<Record<Environment, ClusterConfig>> {
  const clusters: Partial<Record<Environment, ClusterConfig>> = {};
  for (const [environment, defaultMint] of ENVIRONMENTS) {
    if (!isOn(environment, set)) continue;
    const names = Object.entries({ ...clusterVariables, USDC_MINT: mint.default(defaultMint) });
    const shape = Object.fromEntries(names.map(([name, schema]) => [`${environment}_${name}`, schema]));
    const missing = collectorMissing(`${environment}_${COLLECTOR}`, (variable) => variable in set);
    if (missing) problems.push(missing);
    const parsed = z.object(shape).safeParse(set);
    if (!parsed.success) {
      problems.push(...problemsOf(parsed.error, set));
      continue;
    }
    const value = (name: string) => (parsed.data as Record<string, unknown>)[`${environment}_${name}`];
    const collectorOf = (name: string) =>
      collectorFrom(
        `${environment}_${name}`,
        (variable) => parsed.data[variable],
        (problem) => problems.push(problem),
      );
    const collectorKey = collectorOf(COLLECTOR);
    const previousCollectorKey = collectorOf(PREVIOUS_COLLECTOR);
    if (!collectorKey) continue;
    clusters[environment] = {
      rpcUrl: value('RPC_URL') as string,
      yellowstoneUrl: value('YELLOWSTONE_URL') as string | undefined,
      yellowstoneToken: value('YELLOWSTONE_TOKEN') as string | undefined,
      defaultMint: value('USDC_MINT') as Address,
      collectorKey,
      ...(previousCollectorKey && { previousCollectorKey }),
      maxPullsPerTransaction: value('MAX_PULLS_PER_TRANSACTION') as number,
      maxPriorityFee: value('MAX_PRIORITY_FEE') as bigint,
      maxWatchedAccounts: value('MAX_WATCHED_ACCOUNTS') as number,
    };
  }
  return clusters;
}
