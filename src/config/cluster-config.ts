import type { Address } from '@solana/kit';
import { z } from 'zod';
import type { Environment } from '../generated/prisma/client.ts';
import { type CollectorSource, readCollector, readPreviousCollector } from './collector-source.ts';
import type { VariableReader } from './variable-reader.ts';
import { clusterVariables, DEVNET_USDC, MAINNET_USDC, nodeVariables } from './variables/cluster.ts';
import { variablesOfCluster } from './variables/groups.ts';
import { type CamelCased, camelCased } from './variables/notes.ts';

const collecting = z.object(clusterVariables);

/**
 * Configuration of one environment's cluster. Every variable of `variables/cluster.ts` is a field
 * under its own name.
 */
export interface ClusterConfig extends CamelCased<z.output<typeof collecting>> {
  /** The preferred node. */
  readonly rpcUrl: string;
  /** Further nodes, used in this order while the previous ones are busy, behind or unreachable. */
  readonly moreRpcUrls?: readonly string[];
  /** Nodes that also receive transactions. */
  readonly sendRpcUrls?: readonly string[];
  /** Nodes that are preferred for callers without a key. */
  readonly publicRpcUrls?: readonly string[];
  /** Mint of the payment token for plans that name none. */
  readonly defaultMint: Address;
  /** The collector that new plans name. It pulls for every plan that names it. */
  readonly collectorKey: CollectorSource;
  /** The previous collector. It pulls for plans that name it but not the new one. */
  readonly previousCollectorKey?: CollectorSource;
  /** Version of our transaction messages; detected if not set. */
  readonly transactionVersion?: 0 | 1;
}

/** Defaults for collecting on a cluster. */
export const COLLECTING_DEFAULTS = camelCased(collecting.parse({}));

/** The environments, each with the default payment token of its cluster. */
const ENVIRONMENTS = [
  ['TEST', DEVNET_USDC],
  ['LIVE', MAINNET_USDC],
] as const;

/**
 * The environments for which variables are set. Only our own names count, because other programs
 * may use the same prefix.
 */
export function configuredEnvironments(reader: VariableReader): Environment[] {
  return ENVIRONMENTS.map(([environment]) => environment).filter((environment) =>
    Object.keys(variablesOfCluster(environment)).some((name) => reader.isSet(name)),
  );
}

/** Reads the clusters for which variables are set, without those that have a wrong variable. */
export function readClusters(reader: VariableReader): Partial<Record<Environment, ClusterConfig>> {
  const configured = configuredEnvironments(reader);
  const clusters = ENVIRONMENTS.filter(([environment]) => configured.includes(environment)).map(
    ([environment, usdc]) => [environment, readCluster(reader, environment, usdc)] as const,
  );
  return Object.fromEntries(clusters.filter(([, cluster]) => cluster));
}

function readCluster(
  reader: VariableReader,
  environment: Environment,
  usdc: Address,
): ClusterConfig | undefined {
  const prefix = `${environment}_`;
  const nodes = reader.read(nodeVariables, prefix);
  const settings = reader.read(clusterVariables, prefix);
  const collectorKey = readCollector(reader, environment);
  const previousCollectorKey = readPreviousCollector(reader, environment);
  if (!nodes || !settings || !collectorKey) return undefined;
  const { MIN_PRIORITY_FEE: min, MAX_PRIORITY_FEE: max } = settings;
  // Only a minimum that is set can conflict: a maximum of 0 means no fee, and the default minimum
  // then has no effect.
  if (reader.isSet(`${prefix}MIN_PRIORITY_FEE`) && min > max) {
    reader.report(`${prefix}MIN_PRIORITY_FEE must be at most ${prefix}MAX_PRIORITY_FEE, which is ${max}`);
  }
  const isCollector = (key: Uint8Array) =>
    [collectorKey, previousCollectorKey].some((of) => of instanceof Uint8Array && of.join() === key.join());
  if (settings.FEE_PAYER_KEYS?.some(isCollector)) {
    reader.report(`${prefix}FEE_PAYER_KEYS must not have the key of a collector: it pays without that`);
  }
  const [rpcUrl = '', ...moreRpcUrls] = nodes.RPC_URL;
  return {
    ...camelCased(settings),
    rpcUrl,
    ...(moreRpcUrls.length > 0 && { moreRpcUrls }),
    ...(nodes.SEND_RPC_URL && { sendRpcUrls: nodes.SEND_RPC_URL }),
    ...(nodes.PUBLIC_RPC_URL && { publicRpcUrls: nodes.PUBLIC_RPC_URL }),
    defaultMint: nodes.USDC_MINT ?? usdc,
    collectorKey,
    ...(previousCollectorKey && { previousCollectorKey }),
    ...(nodes.TRANSACTION_VERSION !== undefined && { transactionVersion: nodes.TRANSACTION_VERSION }),
  };
}
