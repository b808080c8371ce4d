import { setFlagsFromString } from 'node:v8';
import { Command } from 'commander';
import type { AppContext } from '../../src/app.ts';
import type { Role } from '../../src/config/role.ts';
import { assertCanSign } from '../../src/config/signing-roles.ts';
import { configFromEnv } from '../../src/config.ts';
import { exitOnFailure } from '../expected-failure.ts';
import { readConfig } from '../read-config.ts';
import { untilStopped } from '../until-stopped.ts';

type StartRole = (ctx: AppContext) => Promise<{ close(): Promise<void> }>;

const ROLES = {
  api: async (ctx) => (await import('../../src/api/server/server.ts')).startApi(ctx),
  indexer: async (ctx) => {
    const { assertStreams } = await import('../../src/chain/rpc/yellowstone.ts');
    await assertStreams(ctx.config.clusters, ctx.log);
    return (await import('../../indexer/main.ts')).startIndexer(ctx);
  },
  worker: async (ctx) => {
    // The first line of bin/dues.ts keeps memory small during a flood of requests, which a worker does not
    // have. Collecting garbage as often as that is a fifth of a worker's processor time.
    setFlagsFromString('--heap-growing-percent=150');
    return (await import('../../workers/main.ts')).startWorker(ctx);
  },
} satisfies Record<Role, StartRole>;

/** `dues api`, `dues indexer`, `dues worker`: run one role, configured by environment variables. */
export function roleCommand(name: keyof typeof ROLES): Command {
  return new Command(name).action(async () => {
    await exitOnFailure(name, runRole(name, ROLES[name]));
    // Everything is closed; BullMQ's timers for an unreachable Redis would keep the process alive
    // for seconds.
    process.exit();
  });
}

async function runRole(name: Role, start: StartRole): Promise<void> {
  const stopped = untilStopped();
  const config = readConfig((env) => {
    const read = configFromEnv(env);
    assertCanSign(read, [name]);
    return read;
  });
  const { createApp } = await import('../../src/app.ts');
  const { assertMigrated } = await import('../../src/postgres/migrations.ts');
  const { checkSecretKey } = await import('../../src/domain/messages/webhook/check-secret-key.ts');
  const { warnIfUnreplicated } = await import('../../src/operations/replication.ts');
  const { startOperations } = await import('../../src/operations/start-operations.ts');
  await using closing = new AsyncDisposableStack();
  const app = await createApp(config, name, { awayAllowed: true });
  closing.defer(() => app.close());
  await assertMigrated(app.ctx.db);
  await checkSecretKey(app.ctx);
  await warnIfUnreplicated(app.ctx);
  const role = await start(app.ctx);
  const operations = await startOperations(app.ctx, [name]).catch(async (error) => {
    await role.close();
    throw error;
  });
  closing.defer(() => operations?.close());
  closing.defer(() => role.close());
  // During shutdown the health checks still respond, and report that it is stopping.
  void stopped.then(() => {
    operations?.stopping();
    app.stopping();
  });
  app.ctx.log.info({ role: name }, 'started');
  await stopped;
  app.ctx.log.info({ role: name }, 'stopping');
}
