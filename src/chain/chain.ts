import {
  createSolanaRpcFromTransport,
  type Rpc,
  type SolanaRpcApi,
  type TransactionPartialSigner,
} from '@solana/kit';
import type { ClusterConfig } from '../config/cluster-config.ts';
import type { Environment } from '../generated/prisma/client.ts';
import { PROGRAM } from './addresses.ts';
import { createCollector } from './collectors.ts';
import { publicPart, rootMessage } from './endpoint-words.ts';
import { httpTransport } from './http-transport.ts';
import { retryingTransport } from './retrying-transport.ts';

/** One environment's cluster, and the key that dues acts with there. */
export interface Chain {
  readonly environment: Environment;
  readonly config: ClusterConfig;
  /** Reads are tried again where the node was busy or did not answer. */
  readonly rpc: Rpc<SolanaRpcApi>;
  /** Pays the fees of pulls and signs them. */
  readonly collector: TransactionPartialSigner;
  /** The same for plans that name only the key before this one. */
  readonly previousCollector?: TransactionPartialSigner;
}

/** A cluster or its stream cannot be used: one line that names it and says what happened. */
export class ClusterUnusable extends Error {
  override name = 'ClusterUnusable';
}

/**
 * Opens no connection to the cluster: `assertReachable` tells whether there is one. A collector whose key is kept elsewhere
 * is asked for its address.
 *
 * @throws SignerFailed
 */
export async function createChain(environment: Environment, config: ClusterConfig): Promise<Chain> {
  const { previousCollectorKey: previous } = config;
  const transport = retryingTransport(httpTransport(config.rpcUrl));
  return {
    environment,
    config,
    rpc: createSolanaRpcFromTransport(transport),
    collector: await createCollector(config.collectorKey),
    ...(previous && { previousCollector: await createCollector(previous) }),
  };
}

/**
 * Asks the cluster for the program and the default mint.
 *
 * @throws ClusterUnusable where the cluster does not answer, or has not both
 */
export async function assertReachable({ environment, config, rpc }: Chain): Promise<void> {
  const who = `The ${environment} cluster at ${publicPart(config.rpcUrl)}`;
  const { value: program } = await rpc
    // Only whether it is there: the program itself is hundreds of kilobytes.
    .getAccountInfo(PROGRAM, {
      commitment: 'confirmed',
      encoding: 'base64',
      dataSlice: { offset: 0, length: 0 },
    })
    .send()
    .catch((cause: unknown) => {
      throw new ClusterUnusable(`${who} cannot be reached: ${rootMessage(cause)}`, { cause });
    });
  if (!program?.executable) {
    throw new ClusterUnusable(`${who} has no Subscriptions program (${PROGRAM})`);
  }
  const { defaultMint } = config;
  const { value: mint } = await rpc
    .getAccountInfo(defaultMint, { commitment: 'confirmed', encoding: 'jsonParsed' })
    .send()
    .catch((cause: unknown) => {
      throw new ClusterUnusable(`${who} cannot be reached: ${rootMessage(cause)}`, { cause });
    });
  const isMint = mint && 'parsed' in mint.data && mint.data.parsed.type === 'mint';
  if (!isMint) {
    throw new ClusterUnusable(`${who} has no token with the mint ${defaultMint} (${environment}_USDC_MINT)`);
  }
}
