import { resolve } from 'node:path';
import { styleText } from 'node:util';
import { Command } from 'commander';
import { startIndexer } from '../../indexer/main.ts';
import { createApp } from '../../src/app.ts';
import { configFromEnv } from '../../src/config.ts';
import { startApi } from '../../src/http/server.ts';
import { startWorker } from '../../workers/main.ts';
import { portNumber } from '../arguments.ts';
import { ensureDemoMerchant } from '../demo-merchant.ts';
import { type Development, startDevelopment } from '../development.ts';
import { orExplain } from '../expected-failure.ts';
import { untilStopped } from '../until-stopped.ts';

interface Flags {
  readonly port: number;
  readonly data: string;
}

/**
 * `dues start`: every role in this process. Where DATABASE_URL is set, on what the environment's variables name; else on
 * an embedded database and a local network, with a demo merchant.
 */
export function startCommand(): Command {
  return new Command('start')
    .description(
      'run everything in one process; with no configuration at all, on an embedded database and network',
    )
    .option('--port <port>', 'of the API, where nothing is configured', portNumber, 3000)
    .option('--data <folder>', 'where the embedded database and network keep their state', '.data')
    .action(async ({ port, data }: Flags) => {
      const stopped = untilStopped();
      const folder = resolve(data);
      const development = process.env.DATABASE_URL
        ? undefined
        : await orExplain('start', embedded(folder, port));
      const app = await orExplain(
        'start',
        (async () => createApp(development?.config ?? configFromEnv(process.env)))(),
      );
      const indexer = await startIndexer(app.ctx);
      const worker = await startWorker(app.ctx);
      const api = await orExplain('start', startApi(app.ctx));
      if (development) {
        const demo = await ensureDemoMerchant(app.ctx, development, resolve(folder, 'demo-api-key'));
        console.log(describe(development, api.url, demo));
      } else {
        app.ctx.log.info({ url: api.url }, 'started');
      }
      await stopped;
      await api.close();
      await worker.close();
      await indexer.close();
      await app.close();
      await development?.close();
    });
}

function embedded(folder: string, port: number): Promise<Development> {
  return startDevelopment({
    folder,
    persistent: true,
    host: '127.0.0.1',
    port,
    logLevel: 'warn',
    localnet: { rpcPort: 8899, webSocketPort: 8900, geyserPort: 10_000 },
  });
}

function describe(
  { localnet, database }: Development,
  url: string,
  { apiKey, planId }: { readonly apiKey: string; readonly planId: string },
): string {
  const rows = [
    ['GraphQL', `${url}/graphql`],
    ['REST', `${url}/checkout/create`],
    ['Test key', apiKey],
    ['Demo plan', planId],
    ['Solana', `${localnet.rpcUrl} (Yellowstone ${localnet.geyserUrl})`],
    ['Data', database.folder],
  ] as const;
  const lines = rows.map(([name, value]) => `  ${styleText('dim', name.padEnd(10))} ${value}`);
  return [styleText('bold', 'dues is running.'), ...lines, '', '  Ctrl-C stops it.'].join('\n');
}
