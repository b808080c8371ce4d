#!/usr/bin/env -S node --disable-warning=ExperimentalWarning --max-semi-space-size=16 --heap-growing-percent=50
import { enableCompileCache } from 'node:module';
import { Command } from 'commander';
import { VERSION } from '../src/config/version.ts';
import { loadEnvFile } from './env-file.ts';
import { orExplain } from './expected-failure.ts';
import { strictUsage } from './strict-usage.ts';

/** All commands with their modules, which are loaded only when needed. */
const COMMANDS: Readonly<Record<string, { readonly does: string; load(): Promise<Command> }>> = {
  start: {
    does: 'run everything in one process; with no configuration at all, on an embedded database and network',
    load: async () => (await import('./commands/start.ts')).startCommand(),
  },
  api: {
    does: 'serve GraphQL, REST and live updates; any number of replicas',
    load: async () => (await import('./commands/roles.ts')).roleCommand('api'),
  },
  indexer: {
    does: 'mirror the chain; one process leads, others stand by',
    load: async () => (await import('./commands/roles.ts')).roleCommand('indexer'),
  },
  worker: {
    does: 'collect payments and deliver webhooks; any number of replicas',
    load: async () => (await import('./commands/roles.ts')).roleCommand('worker'),
  },
  migrate: {
    does: 'migrate the database; run it before a new release is started',
    load: async () => (await import('./commands/migrate.ts')).migrateCommand(),
  },
  keys: {
    does: 'create API keys',
    load: async () => (await import('./commands/keys.ts')).keysCommand(),
  },
  queues: {
    does: 'show the job queues; pause or resume one',
    load: async () => (await import('./commands/queues.ts')).queuesCommand(),
  },
  audit: {
    does: 'compare transfers on chain with the books, merchant by merchant',
    load: async () => (await import('./commands/audit.ts')).auditCommand(),
  },
  reconcile: {
    does: 'repair mirror and books from the chain, and report remaining differences',
    load: async () => (await import('./commands/reconcile.ts')).reconcileCommand(),
  },
  verify: {
    does: 'compare a receipt with the chain',
    load: async () => (await import('./commands/verify.ts')).verifyCommand(),
  },
  purge: {
    does: 'delete rows past their retention',
    load: async () => (await import('./commands/purge.ts')).purgeCommand(),
  },
  listen: {
    does: "post an account's events to a server on this machine, as webhooks",
    load: async () => (await import('./commands/listen.ts')).listenCommand(),
  },
  trigger: {
    does: 'record a sample event in a test environment',
    load: async () => (await import('./commands/trigger.ts')).triggerCommand(),
  },
  resend: {
    does: 'send an event again to dues listen',
    load: async () => (await import('./commands/resend.ts')).resendCommand(),
  },
  subscribe: {
    does: 'complete a checkout on a local network, as a customer with a wallet would',
    load: async () => (await import('./commands/subscribe.ts')).subscribeCommand(),
  },
  localnet: {
    does: 'run a Solana network on this machine: JSON-RPC, WebSocket and Yellowstone gRPC',
    load: async () => (await import('./commands/localnet.ts')).localnetCommand(),
  },
  travel: {
    does: 'move the time of a local network forward',
    load: async () => (await import('./commands/travel.ts')).travelCommand(),
  },
};

// Node keeps compiled code in the folder for temporary files, which halves the start time.
enableCompileCache();

const dues = new Command('dues')
  .description('Recurring billing for merchants on Solana')
  .version(VERSION)
  .helpCommand(false)
  .addHelpText('after', '\nOptions of a command: dues <command> --help');
const asked = process.argv[2] ?? '';
for (const [name, { does, load }] of Object.entries(COMMANDS)) {
  const command = name === asked ? await load() : new Command(name);
  dues.addCommand(command.description(does));
}
await orExplain(asked, (async () => loadEnvFile())());
await strictUsage(dues).parseAsync();
