import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createKeyPairSignerFromBytes, type KeyPairSigner } from '@solana/kit';
import { SYSTEM_PROGRAM } from '../localnet/accounts.ts';
import { USDC_MINT } from '../localnet/genesis.ts';
import { type Localnet, startLocalnet } from '../localnet/localnet.ts';
import type { Config } from '../src/config.ts';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '../src/database/embedded.ts';
import { freePort } from '../src/database/free-port.ts';
import { applyMigrations } from '../src/database/schema-engine.ts';
import { newKeyPairBytes } from './key-pair.ts';

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
  const collectorKey = await keptBytes(join(folder, 'collector.key'), newKeyPairBytes);
  const merchantKey = await keptBytes(join(folder, 'demo-merchant.key'), newKeyPairBytes);
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
    redisUrl: process.env.REDIS_URL || undefined,
    secretKey: await keptBytes(join(folder, 'secret.key'), async () => randomBytes(32)),
    host,
    port,
    publicUrl: `http://${host}:${port}`,
    logLevel: options.logLevel,
    clock: 'chain',
    webhookHostsAllowed: ['localhost', '127.0.0.1'],
    clusters: {
      TEST: {
        rpcUrl: localnet.rpcUrl,
        yellowstoneUrl: localnet.geyserUrl,
        yellowstoneToken: undefined,
        defaultMint: USDC_MINT,
        collectorKey,
      },
    },
  };
  const merchantWallet = await createKeyPairSignerFromBytes(merchantKey);
  const running = closing.move();
  return { config, localnet, database, merchantWallet, close: () => running.disposeAsync() };
}

/** Bytes that are made once and kept in a file that only its owner may read. */
async function keptBytes(path: string, make: () => Promise<Uint8Array>): Promise<Uint8Array> {
  const kept = await readFile(path).catch(() => null);
  if (kept) return Uint8Array.from(kept);
  const bytes = await make();
  await writeFile(path, bytes, { mode: 0o600 });
  return bytes;
}
