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
import { type ConfiguredAsset, configuredAssets } from './configured-assets.ts';
import { explorerUrl, httpUrls, mint, oneOf, url, wholeNumber } from './variable-kinds.ts';
import type { Variables } from './variables.ts';

export const DEVNET_USDC = address('4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU');
export const MAINNET_USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');

/** Configuration of one environment's cluster. */
export interface ClusterConfig {
  /** The preferred node. */
  readonly rpcUrl: string;
  /** Further nodes, used when the nodes before them are busy, behind or unreachable. */
  readonly moreRpcUrls?: readonly string[];
  /** Maximum requests per second for each node; default none. */
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
  /** Payment token of plans that name none. */
  readonly defaultMint: Address;
  /** Names of further tokens, and tokens that pages offer for new plans. */
  readonly assets?: readonly ConfiguredAsset[];
  /**
   * A block explorer with `{path}` for `tx/<signature>` or `address/<address>`; default Solana
   * Explorer.
   */
  readonly explorerUrl?: string;
  /** The collector that new plans name. It pulls for all plans that name it. */
  readonly collectorKey: CollectorSource;
  /** The previous collector, which pulls for plans that name it and not the new one. */
  readonly previousCollectorKey?: CollectorSource;
  /** Maximum payments per transaction. */
  readonly maxPullsPerTransaction: number;
  /**
   * Minimum priority fee, also used while recent blocks show lower fees; at most `maxPriorityFee`.
   */
  readonly minPriorityFee: bigint;
  /** Maximum priority fee in micro-lamports per compute unit, on top of the base fee. */
  readonly maxPriorityFee: bigint;
  /** Maximum token accounts in a stream filter, a limit of the provider. */
  readonly maxWatchedAccounts: number;
  /** Maximum RPC calls per minute for the continuous comparison of all accounts with the chain. */
  readonly comparedCallsPerMinute: number;
  /** Maximum token accounts of merchants that the collector pays for per day. */
  readonly maxReceiversPerDay: number;
  /**
   * Maximum lamports in 24 hours that the collector pays for customers without SOL, of all merchants
   * together; 0 switches that off.
   */
  readonly maxSponsoredPerDay: bigint;
  /** The same for one merchant. */
  readonly maxSponsoredPerMerchant: bigint;
  /** Version of our transaction messages; detected if it is not set. */
  readonly transactionVersion?: 0 | 1;
}

/** Defaults for collecting on a cluster. */
export const COLLECTING_DEFAULTS = {
  /** Maximum pulls of one plan that fit in a transaction. */
  maxPullsPerTransaction: 19,
  /** One twenty-fifth of the base fee. */
  minPriorityFee: 1_000n,
  /**
   * A transaction with 19 pulls uses about 200,000 compute units: 10,000 lamports, twice its base
   * fee.
   */
  maxPriorityFee: 50_000n,
  /** Past-due accounts above the limit are read in turn instead. */
  maxWatchedAccounts: 1_000,
  /** Compares a million subscriptions in 35 minutes. */
  comparedCallsPerMinute: 600,
  /** Costs at most 0.2 SOL. */
  maxReceiversPerDay: 100,
  maxSponsoredPerDay: 0n,
  /** About 25 customers. */
  maxSponsoredPerMerchant: 100_000_000n,
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
  TRANSACTION_VERSION: oneOf(['0', '1']).optional(),
  ASSETS: configuredAssets.optional(),
  EXPLORER_URL: explorerUrl.optional(),
};

/** The environments and the default payment token of each cluster. */
const ENVIRONMENTS = [
  ['TEST', DEVNET_USDC],
  ['LIVE', MAINNET_USDC],
] as const;

/** The environments for which variables are set. */
export function environmentsOn(set: Variables): Environment[] {
  return ENVIRONMENTS.flatMap(([environment]) => (isOn(environment, set) ? [environment] : []));
}

/** Only our variable names count: other programs may use the same prefix. */
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
    const [min, max] = [value('MIN_PRIORITY_FEE') as bigint, value('MAX_PRIORITY_FEE') as bigint];
    // A maximum of 0 pays no fee, and leaves the default minimum without effect.
    if (`${environment}_MIN_PRIORITY_FEE` in set && min > max) {
      problems.push(
        `${environment}_MIN_PRIORITY_FEE must be at most ${environment}_MAX_PRIORITY_FEE, which is ${max}`,
      );
    }
    const collectorOf = (name: string) =>
      collectorFrom(
        `${environment}_${name}`,
        (variable) => parsed.data[variable],
        (problem) => problems.push(problem),
      );
    const collectorKey = collectorOf(COLLECTOR);
    const previousCollectorKey = collectorOf(PREVIOUS_COLLECTOR);
    if (!collectorKey) continue;
    const transactionVersion = value('TRANSACTION_VERSION');
    const assets = value('ASSETS') as ConfiguredAsset[] | undefined;
    const explorer = value('EXPLORER_URL') as string | undefined;
    clusters[environment] = {
      ...rpcFrom(value),
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
      ...(transactionVersion !== undefined && { transactionVersion: transactionVersion === '1' ? 1 : 0 }),
    };
  }
  return clusters;
}

type RpcConfig = Pick<
  ClusterConfig,
  'rpcUrl' | 'moreRpcUrls' | 'requestsPerSecond' | 'sendRpcUrls' | 'publicRpcUrls' | 'publicRequestsPerSecond'
>;

function rpcFrom(value: (name: string) => unknown): RpcConfig {
  const [rpcUrl = '', ...moreRpcUrls] = value('RPC_URL') as string[];
  const optional = {
    moreRpcUrls: moreRpcUrls.length > 0 ? moreRpcUrls : undefined,
    requestsPerSecond: value('RPC_REQUESTS_PER_SECOND'),
    sendRpcUrls: value('SEND_RPC_URL'),
    publicRpcUrls: value('PUBLIC_RPC_URL'),
    publicRequestsPerSecond: value('PUBLIC_RPC_REQUESTS_PER_SECOND'),
  };
  const set = Object.entries(optional).filter(([, each]) => each !== undefined);
  return { rpcUrl, ...(Object.fromEntries(set) as Omit<RpcConfig, 'rpcUrl'>) };
}
