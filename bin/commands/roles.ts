import { Command } from 'commander';
import { startIndexer } from '../../indexer/main.ts';
import { type AppContext, createApp } from '../../src/app.ts';
import { configFromEnv } from '../../src/config.ts';
import { assertMigrated } from '../../src/database/migrations.ts';
import { startApi } from '../../src/http/server.ts';
import { startWorker } from '../../workers/main.ts';
import { orExplain } from '../expected-failure.ts';
import { untilStopped } from '../until-stopped.ts';

type StartRole = (ctx: AppContext) => Promise<{ close(): Promise<void> }>;

const ROLES: Record<string, { readonly does: string; readonly start: StartRole }> = {
  api: { does: 'serve GraphQL, REST and live updates; any number of replicas', start: startApi },
  indexer: {
    does: 'mirror the chain; one leads, further ones stand by',
    start: (ctx) => startIndexer(ctx),
  },
  worker: { does: 'collect payments and deliver webhooks; any number of replicas', start: startWorker },
};

/** `dues api`, `dues indexer`, `dues worker`: one role each, configured by the environment's variables. */
export function roleCommands(): Command[] {
  return Object.entries(ROLES).map(([name, { does, start }]) =>
    new Command(name).description(does).action(() => orExplain(name, runRole(name, start))),
  );
}

async function runRole(name: string, start: StartRole): Promise<void> {
  const stopped = untilStopped();
  await using closing = new AsyncDisposableStack();
  const app = await createApp(configFromEnv(process.env));
  closing.defer(() => app.close());
  await assertMigrated(app.ctx.db);
  const role = await start(app.ctx);
  closing.defer(() => role.close());
  app.ctx.log.info({ role: name }, 'started');
  await stopped;
  app.ctx.log.info({ role: name }, 'stopping');
}
