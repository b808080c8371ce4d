import { resolve } from 'node:path';
import { Command } from 'commander';
import { startIndexer } from '../../indexer/main.ts';
import { type Api, startApi } from '../../src/api/server/server.ts';
import { type App, createApp } from '../../src/app.ts';
import { assertStreams } from '../../src/chain/rpc/yellowstone.ts';
import { isConfigured, portFromEnv } from '../../src/config/part-from-env.ts';
import { assertCanSign } from '../../src/config/signing-roles.ts';
import { type Config, configFromEnv } from '../../src/config.ts';
import { SERVICE_LIMITS } from '../../src/db/db.ts';
import { checkSecretKey } from '../../src/domain/messages/webhook/check-secret-key.ts';
import { warnIfUnreplicated } from '../../src/operations/replication.ts';
import { startOperations } from '../../src/operations/start-operations.ts';
import { assertMigrated } from '../../src/postgres/migrations.ts';
import { startWorker } from '../../workers/main.ts';
import { parsePort } from '../arguments.ts';
import { exitOnFailure } from '../expected-failure.ts';
import { holdFolder } from '../hold-folder.ts';
import { mailConfig, startMailbox } from '../mailbox.ts';
import { withPortOption } from '../port-option-hint.ts';
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
 * `dues start`: runs all roles in this process. With DATABASE_URL it uses the environment
 * variables; otherwise it uses an embedded database and a local network, with a demo merchant.
 */
export function startCommand(): Command {
  return new Command('start')
    .option('--data <folder>', 'folder for the state of the embedded database and network', '.data')
    .option(
      '--port <port>',
      'port of the API (0 = any free port, here and below; default: PORT, or 3000)',
      parsePort,
    )
    .option('--rpc-port <port>', "port of the embedded network's JSON-RPC", parsePort, 8899)
    .option('--ws-port <port>', 'port of its WebSocket subscriptions', parsePort, 8900)
    .option('--yellowstone-port <port>', 'port of its Yellowstone gRPC', parsePort, 10_000)
    .action(async (flags: Flags) => {
      await exitOnFailure('start', start(flags));
      // Everything is closed, and open timers would keep the process alive (roles.ts).
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
    readConfig((env) => {
      const config = configFromEnv(port === undefined ? env : { ...env, PORT: String(port) });
      assertCanSign(config, ['api', 'indexer', 'worker']);
      return config;
    }),
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
  // Loaded here: the image for production has no embedded database and no local network.
  const { startDevelopment } = await import('../development.ts');
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
    throw withPortOption(flags, error);
  });
  closing.defer(() => development.close());
  const mailbox = await startMailbox();
  closing.defer(() => mailbox.close());
  const config = { ...development.config, mail: mailConfig(mailbox) };
  const { app, api } = await startEveryRole(config, closing);
  const { ensureDemoMerchant } = await import('../demo-merchant.ts');
  const demo = await ensureDemoMerchant(app.ctx, development, resolve(folder, 'demo-api-key'));
  console.log(startGuide(development, { api: api.url, mails: mailbox.url }, demo, flags));
  await stopped;
  console.log('\n  Stopping; the state is kept for the next start.');
}

async function startEveryRole(
  config: Config,
  closing: AsyncDisposableStack,
): Promise<{ app: App; api: Api }> {
  const app = await createApp(config, undefined, { awayAllowed: true, limits: SERVICE_LIMITS });
  closing.defer(() => app.close());
  await assertMigrated(app.ctx.db);
  await checkSecretKey(app.ctx);
  await warnIfUnreplicated(app.ctx);
  await assertStreams(config.clusters, app.ctx.log);
  const api = await startApi(app.ctx);
  const indexer = await startIndexer(app.ctx);
  closing.defer(() => indexer.close());
  const worker = await startWorker(app.ctx);
  closing.defer(() => worker.close());
  const operations = await startOperations(app.ctx, ['api', 'indexer', 'worker']);
  closing.defer(() => operations?.close());
  // In parallel, because each may use most of the time for shutdown.
  closing.defer(async () => {
    operations?.stopping();
    app.stopping();
    await Promise.all([api.close(), indexer.close(), worker.close()]);
  });
  return { app, api };
}
