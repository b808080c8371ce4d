import { type Address, address } from '@solana/kit';
import { z } from 'zod';
import type { Environment } from '../generated/prisma/client.ts';
import {
  COLLECTOR,
  type CollectorSource,
  collectorVariables,
  missingCollectorProblem,
  PREVIOUS_COLLECTOR,
  readCollectorSource,
} from './collector-variables.ts';
import { problemsOf } from './config-error.ts';
import { type ConfiguredAsset, configuredAssets } from './configured-assets.ts';
import { explorerUrl, httpUrls, mint, oneOf, url, wholeNumber } from './variable-kinds.ts';
import type { Variables } from './variables.ts';

export const DEVNET_USDC = address('4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU');
export const MAINNET_USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');

/** Configuration of one environment's cluster. */
export interface ClusterConfig {
  /** The preferred node. */
  readonly rpcUrl: string;
  /** Further nodes, used in this order while the previous ones are busy, behind or unreachable. */
  readonly moreRpcUrls?: readonly string[];
  /** Maximum requests per second for each node; unlimited if not set. */
  readonly requestsPerSecond?: number;
  /** Nodes that also receive transactions. */
  readonly sendRpcUrls?: readonly string[];
  /** Nodes that are preferred for callers without a key. */
  readonly publicRpcUrls?: readonly string[];
  /** Maximum requests per second for all callers without a key together. */
  readonly publicRequestsPerSecond?: number;
  /** URL of the Yellowstone node; without it the indexer polls the RPC node. */
  readonly yellowstoneUrl: string | undefined;
  readonly yellowstoneToken: string | undefined;
  /** Mint of the payment token for plans that name none. */
  readonly defaultMint: Address;
  /** Tokens with their names. Pages offer them for new plans. */
  readonly assets?: readonly ConfiguredAsset[];
  /**
   * URL of a block explorer, with `{path}` for `tx/<signature>` or `address/<address>`; default
   * Solana Explorer.
   */
  readonly explorerUrl?: string;
  /** The collector that new plans name. It pulls for every plan that names it. */
  readonly collectorKey: CollectorSource;
  /** The previous collector. It pulls for plans that name it but not the new one. */
  readonly previousCollectorKey?: CollectorSource;
  /** Maximum payments per transaction. */
  readonly maxPullsPerTransaction: number;
  /**
   * Minimum priority fee, also used while recent blocks show lower fees; at most `maxPriorityFee`.
   */
  readonly minPriorityFee: bigint;
  /** Maximum priority fee in micro-lamports per compute unit, on top of the base fee. */
  readonly maxPriorityFee: bigint;
  /** Maximum token accounts in a stream filter. Providers limit this. */
  readonly maxWatchedAccounts: number;
  /** Maximum RPC calls per minute for continuously comparing all accounts with the chain. */
  readonly comparedCallsPerMinute: number;
  /** Maximum token accounts per day that the collector creates for merchants at its cost. */
  readonly maxReceiversPerDay: number;
  /**
   * Maximum lamports in 24 hours that the collector pays for customers without SOL, for all
   * merchants together; 0 switches sponsoring off.
   */
  readonly maxSponsoredPerDay: bigint;
  /** Maximum lamports in 24 hours for the customers of one merchant. */
  readonly maxSponsoredPerMerchant: bigint;
  /**
   * Days after its creation from which the collector pays a merchant's rents: for the token account
   * of its wallet, and for customers without SOL.
   */
  readonly paysRentAfterDays: number;
  /** Version of our transaction messages; detected if not set. */
  readonly transactionVersion?: 0 | 1;
}

/** Defaults for collecting on a cluster. */
export const COLLECTING_DEFAULTS = {
  /** The number of pulls of one plan that fit in a transaction. */
  maxPullsPerTransaction: 19,
  /** One twenty-fifth of the base fee. */
  minPriorityFee: 1_000n,
  /**
   * A transaction with 19 pulls uses about 200,000 compute units, so its priority fee is at most
   * 10,000 lamports, twice its base fee.
   */
  maxPriorityFee: 50_000n,
  /** Past-due accounts beyond the limit are not streamed but read in turn. */
  maxWatchedAccounts: 1_000,
  /** Enough to compare a million subscriptions in 35 minutes. */
  comparedCallsPerMinute: 600,
  /** Costs at most about 0.2 SOL per day. */
  maxReceiversPerDay: 100,
  maxSponsoredPerDay: 0n,
  /** Enough for about 25 customers. */
  maxSponsoredPerMerchant: 100_000_000n,
  /** Longer than it takes to notice merchants that were created to collect rents. */
  paysRentAfterDays: 7,
} as const;

const clusterVariables = {
  RPC_URL: httpUrls('https://api.devnet.solana.com'),
  RPC_REQUESTS_PER_SECOND: wholeNumber(1, 100_000).transform(Number).optional(),
  SEND_RPC_URL: httpUrls('https://send.example.com').optional(),
  PUBLIC_RPC_URL: httpUrls('https://api.devnet.solana.com').optional(),
  PUBLIC_RPC_REQUESTS_PER_SECOND: wholeNumber(1, 100_000).transform(Number).optional(),
  YELLOWSTONE_URL: url('https://yellowstone.example.com:443', 'http', 'https').optional(),
  YELLOWSTONE_TOKEN: z.string().optional(),
  ...collectorVariables,
  MAX_PULLS_PER_TRANSACTION: wholeNumber(1, 19)
    .transform(Number)
    .default(COLLECTING_DEFAULTS.maxPullsPerTransaction),
  MIN_PRIORITY_FEE: wholeNumber(0, 1_000_000_000)
    .transform(BigInt)
    .default(COLLECTING_DEFAULTS.minPriorityFee),
  MAX_PRIORITY_FEE: wholeNumber(0, 1_000_000_000)
    .transform(BigInt)
    .default(COLLECTING_DEFAULTS.maxPriorityFee),
  MAX_WATCHED_ACCOUNTS: wholeNumber(0, 1_000_000)
    .transform(Number)
    .default(COLLECTING_DEFAULTS.maxWatchedAccounts),
  COMPARED_CALLS_PER_MINUTE: wholeNumber(1, 1_000_000)
    .transform(Number)
    .default(COLLECTING_DEFAULTS.comparedCallsPerMinute),
  MAX_RECEIVERS_PER_DAY: wholeNumber(0, 1_000_000)
    .transform(Number)
    .default(COLLECTING_DEFAULTS.maxReceiversPerDay),
  MAX_SPONSORED_LAMPORTS_PER_DAY: wholeNumber(0, 9_999_999_999)
    .transform(BigInt)
    .default(COLLECTING_DEFAULTS.maxSponsoredPerDay),
  MAX_SPONSORED_LAMPORTS_PER_MERCHANT: wholeNumber(0, 9_999_999_999)
    .transform(BigInt)
    .default(COLLECTING_DEFAULTS.maxSponsoredPerMerchant),
  PAYS_RENT_AFTER_DAYS: wholeNumber(0, 365).transform(Number).default(COLLECTING_DEFAULTS.paysRentAfterDays),
  TRANSACTION_VERSION: oneOf(['0', '1']).optional(),
  ASSETS: configuredAssets.optional(),
  EXPLORER_URL: explorerUrl.optional(),
};

/** The environments, each with the default payment token of its cluster. */
const ENVIRONMENTS = [
  ['TEST', DEVNET_USDC],
  ['LIVE', MAINNET_USDC],
] as const;

/** The environments for which variables are set. */
export function configuredEnvironments(set: Variables): Environment[] {
  return ENVIRONMENTS.flatMap(([environment]) =>
    isConfiguredEnvironment(environment, set) ? [environment] : [],
  );
}

/** The variables of all environments. */
export function clusterVariableNames(): string[] {
  return ENVIRONMENTS.flatMap(([environment]) => variablesOf(environment));
}

function variablesOf(environment: Environment): string[] {
  return Object.keys({ ...clusterVariables, USDC_MINT: mint }).map((name) => `${environment}_${name}`);
}

/** Checks only our own variable names, because other programs may use the same prefix. */
function isConfiguredEnvironment(environment: Environment, set: Variables): boolean {
  return variablesOf(environment).some((name) => name in set);
}

/** Reads the clusters for which variables are set. Problems are added to `problems`. */
export function readClusters(
  set: Variables,
  problems: string[],
): Partial<Record<Environment, ClusterConfig>> {
  const clusters: Partial<Record<Environment, ClusterConfig>> = {};
  for (const [environment, defaultMint] of ENVIRONMENTS) {
    if (!isConfiguredEnvironment(environment, set)) continue;
    const names = Object.entries({ ...clusterVariables, USDC_MINT: mint.default(defaultMint) });
    const shape = Object.fromEntries(names.map(([name, schema]) => [`${environment}_${name}`, schema]));
    const missing = missingCollectorProblem(`${environment}_${COLLECTOR}`, (variable) => variable in set);
    if (missing) problems.push(missing);
    const parsed = z.object(shape).safeParse(set);
    if (!parsed.success) {
      problems.push(...problemsOf(parsed.error, set));
      continue;
    }
    const value = (name: string) => (parsed.data as Record<string, unknown>)[`${environment}_${name}`];
    const [min, max] = [value('MIN_PRIORITY_FEE') as bigint, value('MAX_PRIORITY_FEE') as bigint];
    // Only a minimum that is set can conflict: a maximum of 0 means no fee, and the default minimum
    // then has no effect.
    if (`${environment}_MIN_PRIORITY_FEE` in set && min > max) {
      problems.push(
        `${environment}_MIN_PRIORITY_FEE must be at most ${environment}_MAX_PRIORITY_FEE, which is ${max}`,
      );
    }
    const readCollector = (name: string) =>
      readCollectorSource(
        `${environment}_${name}`,
        (variable) => parsed.data[variable],
        (problem) => problems.push(problem),
      );
    const collectorKey = readCollector(COLLECTOR);
    const previousCollectorKey = readCollector(PREVIOUS_COLLECTOR);
    if (!collectorKey) continue;
    const transactionVersion = value('TRANSACTION_VERSION');
    const assets = value('ASSETS') as ConfiguredAsset[] | undefined;
    const explorer = value('EXPLORER_URL') as string | undefined;
    clusters[environment] = {
      ...readRpc(value),
      yellowstoneUrl: value('YELLOWSTONE_URL') as string | undefined,
      yellowstoneToken: value('YELLOWSTONE_TOKEN') as string | undefined,
      defaultMint: value('USDC_MINT') as Address,
      ...(assets && { assets }),
      ...(explorer !== undefined && { explorerUrl: explorer }),
      collectorKey,
      ...(previousCollectorKey && { previousCollectorKey }),
      maxPullsPerTransaction: value('MAX_PULLS_PER_TRANSACTION') as number,
      minPriorityFee: value('MIN_PRIORITY_FEE') as bigint,
      maxPriorityFee: value('MAX_PRIORITY_FEE') as bigint,
      maxWatchedAccounts: value('MAX_WATCHED_ACCOUNTS') as number,
      comparedCallsPerMinute: value('COMPARED_CALLS_PER_MINUTE') as number,
      maxReceiversPerDay: value('MAX_RECEIVERS_PER_DAY') as number,
      maxSponsoredPerDay: value('MAX_SPONSORED_LAMPORTS_PER_DAY') as bigint,
      maxSponsoredPerMerchant: value('MAX_SPONSORED_LAMPORTS_PER_MERCHANT') as bigint,
      paysRentAfterDays: value('PAYS_RENT_AFTER_DAYS') as number,
      ...(transactionVersion !== undefined && { transactionVersion: transactionVersion === '1' ? 1 : 0 }),
    };
  }
  return clusters;
}

type RpcConfig = Pick<
  ClusterConfig,
  'rpcUrl' | 'moreRpcUrls' | 'requestsPerSecond' | 'sendRpcUrls' | 'publicRpcUrls' | 'publicRequestsPerSecond'
>;

function readRpc(value: (name: string) => unknown): RpcConfig {
  const [rpcUrl = '', ...moreRpcUrls] = value('RPC_URL') as string[];
  const optional = {
    moreRpcUrls: moreRpcUrls.length > 0 ? moreRpcUrls : undefined,
    requestsPerSecond: value('RPC_REQUESTS_PER_SECOND'),
    sendRpcUrls: value('SEND_RPC_URL'),
    publicRpcUrls: value('PUBLIC_RPC_URL'),
    publicRequestsPerSecond: value('PUBLIC_RPC_REQUESTS_PER_SECOND'),
  };
  const set = Object.entries(optional).filter(([, setting]) => setting !== undefined);
  return { rpcUrl, ...(Object.fromEntries(set) as Omit<RpcConfig, 'rpcUrl'>) };
}
