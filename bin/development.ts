import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createKeyPairSignerFromBytes, type KeyPairSigner } from '@solana/kit';
import { SYSTEM_PROGRAM } from '../localnet/accounts.ts';
import { type Localnet, startLocalnet } from '../localnet/localnet.ts';
import type { Config } from '../src/config.ts';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '../src/postgres/embedded.ts';
import { freePort } from '../src/postgres/free-port.ts';
import { applyMigrations } from '../src/postgres/schema-engine.ts';
import { base64File, keygenFile, readOrCreateBytes } from './key-file.ts';
import { newKeyPairBytes } from './key-pair.ts';
import { localCluster } from './local-cluster.ts';

const COLLECTOR_LAMPORTS = 1_000_000_000_000n;
/** The daily maximum for sponsored customers: enough for about 2,700 of them. */
const SPONSORED_LAMPORTS = 10_000_000_000n;

/** The services that a development machine needs besides dues: a database, a cluster and keys. */
export interface Development {
  readonly config: Config;
  readonly localnet: Localnet;
  readonly database: EmbeddedDatabase;
  /** The demo merchant's wallet. */
  readonly merchantWallet: KeyPairSigner;
  close(): Promise<void>;
}

export interface DevelopmentOptions {
  /** Folder for data and keys. */
  readonly folder: string;
  /** Whether they are kept for the next start. */
  readonly persistent: boolean;
  readonly host: string;
  /** Port of the API; 0 = any free one. */
  readonly port: number;
  readonly logLevel: Config['logLevel'];
  readonly localnet?: {
    readonly rpcPort: number;
    readonly webSocketPort: number;
    readonly geyserPort: number;
  };
}

/** Starts an embedded PostgreSQL and a local network, and creates their configuration. */
export async function startDevelopment(options: DevelopmentOptions): Promise<Development> {
  const { folder, persistent, host } = options;
  await mkdir(folder, { recursive: true });
  await using closing = new AsyncDisposableStack();
  const database = await startEmbeddedDatabase({ folder: join(folder, 'postgres'), persistent });
  closing.defer(() => database.stop());
  await applyMigrations(database.url);
  const collectorKey = await readOrCreateBytes(join(folder, 'collector.key'), keygenFile, newKeyPairBytes);
  const merchantKey = await readOrCreateBytes(join(folder, 'demo-merchant.key'), keygenFile, newKeyPairBytes);
  // Pages and links contain the port, so it is chosen before listening.
  const port = options.port === 0 ? await freePort() : options.port;
  const publicUrl = `http://${host}:${port}`;
  const localnet = await startLocalnet({
    ...options.localnet,
    ...(persistent ? { state: join(folder, 'localnet.state') } : {}),
    wallet: { accounts: [{ name: 'Demo merchant', keyPair: merchantKey }], origins: [publicUrl] },
  });
  closing.defer(() => localnet.close());
  const collector = await createKeyPairSignerFromBytes(collectorKey);
  if (!localnet.network.getAccount(collector.address, 'processed')) {
    localnet.network.setGenesisAccount(collector.address, {
      lamports: COLLECTOR_LAMPORTS,
      owner: SYSTEM_PROGRAM,
      data: new Uint8Array(),
      executable: false,
    });
  }
  const config: Config = {
    databaseUrl: database.url,
    // A Redis server of the environment may have other jobs, and here all roles share one process.
    redisUrl: undefined,
    secretKey: await readOrCreateBytes(join(folder, 'secret.key'), base64File, async () => randomBytes(32)),
    host,
    port,
    publicUrl,
    logLevel: options.logLevel,
    clock: 'chain',
    webhookHostsAllowed: ['localhost', '127.0.0.1'],
    trustedProxies: [],
    stopDelaySeconds: 0,
    databaseStandby: 'expected',
    relayShards: 1,
    dashboardRequestsPerMinute: 3_000,
    signUp: 'open',
    extraWalletScript: localnet.walletUrl,
    clusters: {
      TEST: {
        ...localCluster(localnet, collectorKey),
        maxSponsoredLamportsPerDay: SPONSORED_LAMPORTS,
        maxSponsoredLamportsPerMerchant: SPONSORED_LAMPORTS,
      },
    },
  };
  const merchantWallet = await createKeyPairSignerFromBytes(merchantKey);
  const running = closing.move();
  return { config, localnet, database, merchantWallet, close: () => running.disposeAsync() };
}
