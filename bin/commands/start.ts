import { resolve } from 'node:path';
import { Command } from 'commander';
import { startIndexer } from '../../indexer/main.ts';
import { type App, createApp } from '../../src/app.ts';
import { assertStreams } from '../../src/chain/yellowstone.ts';
import { isConfigured, portFromEnv } from '../../src/config/part-from-env.ts';
import { type Config, configFromEnv } from '../../src/config.ts';
import { assertMigrated } from '../../src/database/migrations.ts';
import { type Api, startApi } from '../../src/http/server.ts';
import { startOperations } from '../../src/operations/listener.ts';
import { startWorker } from '../../workers/main.ts';
import { portNumber } from '../arguments.ts';
import { ensureDemoMerchant } from '../demo-merchant.ts';
import { startDevelopment } from '../development.ts';
import { orExplain } from '../expected-failure.ts';
import { holdFolder } from '../hold-folder.ts';
import { namingPortOption } from '../naming-port-option.ts';
import { readConfig } from '../read-config.ts';
import { startGuide } from '../start-guide.ts';
import { untilStopped } from '../until-stopped.ts';

interface Flags {
  readonly port?: number;
  readonly rpcPort: number;
  readonly wsPort: number;
  readonly yellowstonePort: number;
  readonly data: string;
}

/**
 * `dues start`: every role in this process. Where DATABASE_URL is set, on what the environment's variables name; else on
 * an embedded database and a local network, with a demo merchant.
 */
export function startCommand(): Command {
  return new Command('start')
    .option('--data <folder>', 'where the embedded database and network keep their state', '.data')
    .option(
      '--port <port>',
      'of the API (0 = any free port, here and below; default: PORT, or 3000)',
      portNumber,
    )
    .option('--rpc-port <port>', "of the embedded network's JSON-RPC", portNumber, 8899)
    .option('--ws-port <port>', 'of its WebSocket subscriptions', portNumber, 8900)
    .option('--yellowstone-port <port>', 'of its Yellowstone gRPC', portNumber, 10_000)
    .action(async (flags: Flags) => {
      await orExplain('start', start(flags));
      // As for the roles: everything is closed.
      process.exit();
    });
}

async function start(flags: Flags): Promise<void> {
  await (readConfig(isConfigured) ? startConfigured(flags) : startEmbedded(flags));
}

async function startConfigured({ port }: Flags): Promise<void> {
  const stopped = untilStopped();
  await using closing = new AsyncDisposableStack();
  const { app, api } = await startEveryRole(
    readConfig((env) => configFromEnv(port === undefined ? env : { ...env, PORT: String(port) })),
    closing,
  );
  app.ctx.log.info({ url: api.url }, 'started');
  await stopped;
}

async function startEmbedded(flags: Flags): Promise<void> {
  const stopped = untilStopped();
  await using closing = new AsyncDisposableStack();
  const port = flags.port ?? readConfig(portFromEnv);
  const folder = resolve(flags.data);
  closing.defer(await holdFolder(folder));
  const development = await startDevelopment({
    folder,
    persistent: true,
    host: '127.0.0.1',
    port,
    logLevel: 'error',
    localnet: {
      rpcPort: flags.rpcPort,
      webSocketPort: flags.wsPort,
      geyserPort: flags.yellowstonePort,
    },
  }).catch((error: unknown) => {
    throw namingPortOption(flags, error);
  });
  closing.defer(() => development.close());
  const { app, api } = await startEveryRole(development.config, closing);
  const demo = await ensureDemoMerchant(app.ctx, development, resolve(folder, 'demo-api-key'));
  console.log(startGuide(development, api.url, demo, flags));
  await stopped;
  console.log('\n  Stopping; everything is kept for the next start.');
}

async function startEveryRole(
  config: Config,
  closing: AsyncDisposableStack,
): Promise<{ app: App; api: Api }> {
  const app = await createApp(config);
  closing.defer(() => app.close());
  await assertMigrated(app.ctx.db);
  await assertStreams(config.clusters);
  const api = await startApi(app.ctx);
  const indexer = await startIndexer(app.ctx);
  closing.defer(() => indexer.close());
  const worker = await startWorker(app.ctx);
  closing.defer(() => worker.close());
  const operations = await startOperations(app.ctx, ['api', 'indexer', 'worker']);
  closing.defer(() => operations?.close());
  // Side by side: each may take most of the time that there is.
  closing.defer(async () => {
    operations?.stopping();
    await Promise.all([api.close(), indexer.close(), worker.close()]);
  });
  return { app, api };
}
