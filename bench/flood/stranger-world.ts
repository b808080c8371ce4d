import { openSync } from 'node:fs';
import { join } from 'node:path';
import { Connection as ClusterConnection } from '@solana/web3.js';
import { localCluster } from '../../bin/local-cluster.ts';
import { systemClock } from '../../src/clock.ts';
import { connectDb, type Db } from '../../src/db/db.ts';
import { createApiKey } from '../../src/domain/accounts/api-key/create-api-key.ts';
import type { StrangersCluster } from '../../tools/strangers.ts';
import { worldConfig } from '../../tools/world/config.ts';
import { startDatabase } from '../../tools/world/database.ts';
import { DuesProcess } from '../../tools/world/dues-process.ts';
import { COLLECTOR, COLLECTOR_KEY } from '../../tools/world/network.ts';
import { roleVariables } from '../../tools/world/role-variables.ts';
import { type SeededMerchant, seedSubscriptions } from '../../tools/world/seed-subscriptions.ts';
import { graphqlPage, openCheckout, restPage } from '../lib/api-requests.ts';
import { ask, forkModule, startNetworkProcess, stop } from '../lib/child-process.ts';
import { encodeRequest, type WireRequest } from '../lib/http-load.ts';
import type { ServerReport } from './server.ts';

/** Honest merchants. With this number, each stays below its limit of requests. */
const MERCHANTS = 5;
const SUBSCRIPTIONS_EACH = 40;
const CONNECTIONS = 32;
const START_TIMEOUT_MS = 120_000;
/** Later than the end of the bench. */
const NOT_DUE_SECONDS = 86_400;

/**
 * All roles of dues on a local network in real time, behind a node that shows large accounts; and
 * honest merchants.
 */
export interface StrangerWorld extends StrangersCluster {
  readonly db: Db;
  /** URL of the API. */
  readonly url: string;
  /** The requests of honest callers, in turn: merchants with keys, and customers without. */
  readonly honest: readonly WireRequest[];
  /** An honest merchant, and its key. */
  readonly merchant: SeededMerchant & { readonly key: string };
  /** Creates a merchant whose customers' first payments are due at `startedAt` (Unix seconds). */
  seed(settings: Parameters<typeof seedSubscriptions>[1]): Promise<SeededMerchant>;
  newKey(merchant: SeededMerchant): Promise<string>;
  /** Opens a checkout of the honest merchant. Returns the id of the session. */
  openCheckout(): Promise<string>;
  /** The memory and the longest pause of the API since the last report. */
  report(): Promise<ServerReport>;
}

/** @param closing collects everything that must be stopped at the end */
export async function startStrangerWorld(closing: AsyncDisposableStack): Promise<StrangerWorld> {
  const database = await startDatabase(closing);
  const db = connectDb(database.url);
  closing.defer(() => db.$disconnect());
  const { client, rpcUrl } = await startNetworkProcess(closing, CONNECTIONS);
  // The service sees the network through a node in front of it, which is a process too.
  const node = forkModule(new URL('./stranger-node-server.ts', import.meta.url));
  closing.defer(() => stop(node));
  const { url: nodeUrl } = await ask<{ readonly url: string }>(node, { rpcUrl });

  const { yellowstoneUrl: _, ...cluster } = localCluster({ rpcUrl: nodeUrl, geyserUrl: '' }, COLLECTOR_KEY);
  const config = worldConfig(database.url, {
    clusters: { TEST: { ...cluster, yellowstoneUrl: undefined } },
    clock: 'chain',
  });
  const log = openSync(join(database.folder, 'api.log'), 'w');
  const server = forkModule(new URL('./server.ts', import.meta.url), { stdout: log });
  closing.defer(() => stop(server));
  const { url } = await ask<{ url: string }>(server, config);
  const seed = (settings: Parameters<typeof seedSubscriptions>[1]) =>
    seedSubscriptions({ client, db, collector: COLLECTOR }, settings);
  const newKey = async ({ merchantId }: SeededMerchant) => {
    const ctx = { config, db, clock: systemClock, wallClock: systemClock };
    return (await createApiKey(ctx, { merchantId, environment: 'TEST' }, { name: 'bench' })).apiKey;
  };
  const startedAt = Math.floor(Date.now() / 1_000) + NOT_DUE_SECONDS;
  const merchants: (SeededMerchant & { readonly key: string })[] = [];
  for (let count = 0; count < MERCHANTS; count++) {
    const merchant = await seed({ count: SUBSCRIPTIONS_EACH, startedAt });
    merchants.push({ ...merchant, key: await newKey(merchant) });
  }
  const [merchant] = merchants;
  if (!merchant) throw new Error('there is no merchant');
  let checkouts = 0;
  const newSession = () => openCheckout(url, merchant.key, 'hourly', checkouts++);
  const page = encodeRequest('GET', `/api/checkout/${await newSession()}`, {});
  const SECRET_KEY = Buffer.from(config.secretKey).toString('base64');
  await startRoles(closing, roleVariables(database.url, { rpcUrl: nodeUrl }, { SECRET_KEY }));
  return {
    db,
    url,
    client,
    connection: new ClusterConnection(rpcUrl, 'confirmed'),
    merchant,
    honest: merchants.flatMap(({ key }) => [graphqlPage(key), restPage(key), page]),
    seed,
    newKey,
    openCheckout: newSession,
    report: () => ask<ServerReport>(server, 'report'),
  };
}

/** Starts a worker, and an indexer that polls. Resolves when both work. */
async function startRoles(
  closing: AsyncDisposableStack,
  variables: ReturnType<typeof roleVariables>,
): Promise<void> {
  const roles = ['worker', 'indexer'].map((role) => new DuesProcess([role], variables));
  for (const role of roles) closing.defer(async () => void (await role.ended('SIGTERM')));
  await Promise.all(roles.map((role) => role.printed(/"msg":"started"/, START_TIMEOUT_MS)));
}
