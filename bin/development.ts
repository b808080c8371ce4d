import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createKeyPairSignerFromBytes, type KeyPairSigner } from '@solana/kit';
import { SYSTEM_PROGRAM } from '../localnet/accounts.ts';
import { type Localnet, startLocalnet } from '../localnet/localnet.ts';
import type { Config } from '../src/config.ts';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '../src/database/embedded.ts';
import { freePort } from '../src/database/free-port.ts';
import { applyMigrations } from '../src/database/schema-engine.ts';
import { base64File, kept, keygenFile } from './kept-bytes.ts';
import { newKeyPairBytes } from './key-pair.ts';
import { localCluster } from './local-cluster.ts';

const COLLECTOR_LAMPORTS = 1_000_000_000_000n;

/** Everything around dues that a machine with nothing installed lacks: a database, a cluster, keys. */
export interface Development {
  readonly config: Config;
  readonly localnet: Localnet;
  readonly database: EmbeddedDatabase;
  /** The demo merchant's wallet. */
  readonly merchantWallet: KeyPairSigner;
  close(): Promise<void>;
}

export interface DevelopmentOptions {
  /** Where data and keys are kept. */
  readonly folder: string;
  /** Whether they are there again next time. */
  readonly persistent: boolean;
  readonly host: string;
  /** Of the API; 0 = any free one. */
  readonly port: number;
  readonly logLevel: Config['logLevel'];
  readonly localnet?: {
    readonly rpcPort: number;
    readonly webSocketPort: number;
    readonly geyserPort: number;
  };
}

/** Starts an embedded PostgreSQL and a local network and makes the configuration that uses them. */
export async function startDevelopment(options: DevelopmentOptions): Promise<Development> {
  const { folder, persistent, host } = options;
  await mkdir(folder, { recursive: true });
  await using closing = new AsyncDisposableStack();
  const database = await startEmbeddedDatabase({ folder: join(folder, 'postgres'), persistent });
  closing.defer(() => database.stop());
  await applyMigrations(database.url);
  const localnet = await startLocalnet({
    ...options.localnet,
    ...(persistent ? { state: join(folder, 'localnet.state') } : {}),
  });
  closing.defer(() => localnet.close());
  const collectorKey = await kept(join(folder, 'collector.key'), keygenFile, newKeyPairBytes);
  const merchantKey = await kept(join(folder, 'demo-merchant.key'), keygenFile, newKeyPairBytes);
  const collector = await createKeyPairSignerFromBytes(collectorKey);
  if (!localnet.network.getAccount(collector.address, 'processed')) {
    localnet.network.setGenesisAccount(collector.address, {
      lamports: COLLECTOR_LAMPORTS,
      owner: SYSTEM_PROGRAM,
      data: new Uint8Array(),
      executable: false,
    });
  }
  // Pages and links name the port, so it is chosen before it is listened on.
  const port = options.port === 0 ? await freePort() : options.port;
  const config: Config = {
    databaseUrl: database.url,
    // Whatever Redis the environment names is somebody's with jobs of its own; here everything is in one process.
    redisUrl: undefined,
    secretKey: await kept(join(folder, 'secret.key'), base64File, async () => randomBytes(32)),
    host,
    port,
    publicUrl: `http://${host}:${port}`,
    logLevel: options.logLevel,
    clock: 'chain',
    webhookHostsAllowed: ['localhost', '127.0.0.1'],
    trustedProxies: [],
    clusters: { TEST: localCluster(localnet, collectorKey) },
  };
  const merchantWallet = await createKeyPairSignerFromBytes(merchantKey);
  const running = closing.move();
  return { config, localnet, database, merchantWallet, close: () => running.disposeAsync() };
}
