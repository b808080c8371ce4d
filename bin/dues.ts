#!/usr/bin/env -S node --disable-warning=ExperimentalWarning --max-semi-space-size=16 --heap-growing-percent=50
import { enableCompileCache } from 'node:module';
import { Command } from 'commander';
import { VERSION } from '../src/config/version.ts';
import { loadEnvFile } from './env-file.ts';
import { exitOnFailure } from './expected-failure.ts';
import { strictUsage } from './strict-usage.ts';

/** All commands with their modules, which are loaded only when needed. */
const COMMANDS: Readonly<Record<string, { readonly description: string; load(): Promise<Command> }>> = {
  start: {
    description:
      'run everything in one process; without any configuration, on an embedded database and network',
    load: async () => (await import('./commands/start.ts')).startCommand(),
  },
  api: {
    description: 'serve GraphQL, REST and live updates; any number of replicas',
    load: async () => (await import('./commands/roles.ts')).roleCommand('api'),
  },
  indexer: {
    description: 'mirror the chain; one process per environment is active, others wait to replace it',
    load: async () => (await import('./commands/roles.ts')).roleCommand('indexer'),
  },
  worker: {
    description: 'collect payments and deliver webhooks; any number of replicas',
    load: async () => (await import('./commands/roles.ts')).roleCommand('worker'),
  },
  migrate: {
    description: 'migrate the database; run it before a new release is started',
    load: async () => (await import('./commands/migrate.ts')).migrateCommand(),
  },
  keys: {
    description: 'create API keys',
    load: async () => (await import('./commands/keys.ts')).keysCommand(),
  },
  invite: {
    description: 'allow a wallet to create a merchant, if SIGN_UP is invited',
    load: async () => (await import('./commands/invite.ts')).inviteCommand(),
  },
  queues: {
    description: 'show the job queues; pause or resume one',
    load: async () => (await import('./commands/queues.ts')).queuesCommand(),
  },
  audit: {
    description: 'compare transfers on chain with the books, merchant by merchant',
    load: async () => (await import('./commands/audit.ts')).auditCommand(),
  },
  reconcile: {
    description: 'repair mirror and books from the chain, and report remaining differences',
    load: async () => (await import('./commands/reconcile.ts')).reconcileCommand(),
  },
  restores: {
    description: 'show what may be lost after the database came back, and which merchants have checked',
    load: async () => (await import('./commands/restores.ts')).restoresCommand(),
  },
  verify: {
    description: 'compare a receipt with the chain',
    load: async () => (await import('./commands/verify.ts')).verifyCommand(),
  },
  purge: {
    description: 'delete rows past their retention',
    load: async () => (await import('./commands/purge.ts')).purgeCommand(),
  },
  listen: {
    description: "post an account's events to a server on this machine, as webhooks",
    load: async () => (await import('./commands/listen.ts')).listenCommand(),
  },
  trigger: {
    description: 'record a sample event in a test environment',
    load: async () => (await import('./commands/trigger.ts')).triggerCommand(),
  },
  resend: {
    description: 'send an event again to dues listen',
    load: async () => (await import('./commands/resend.ts')).resendCommand(),
  },
  subscribe: {
    description: 'complete a checkout on a local network, as a customer with a wallet would',
    load: async () => (await import('./commands/subscribe.ts')).subscribeCommand(),
  },
  localnet: {
    description: 'run a Solana network on this machine: JSON-RPC, WebSocket and Yellowstone gRPC',
    load: async () => (await import('./commands/localnet.ts')).localnetCommand(),
  },
  travel: {
    description: 'move the time of a local network forward',
    load: async () => (await import('./commands/travel.ts')).travelCommand(),
  },
};

// Node keeps compiled code in the folder for temporary files, which halves the start time.
enableCompileCache();
// Libraries check less in production: graphql-js compares classes by name otherwise. The commands load them later.
process.env.NODE_ENV ||= 'production';

const dues = new Command('dues')
  .description('Recurring billing for merchants on Solana')
  .version(VERSION)
  .helpCommand(false)
  .addHelpText('after', '\nOptions of a command: dues <command> --help');
const commandName = process.argv[2] ?? '';
for (const [name, { description, load }] of Object.entries(COMMANDS)) {
  const command = name === commandName ? await load() : new Command(name);
  dues.addCommand(command.description(description));
}
await exitOnFailure(commandName, (async () => loadEnvFile())());
await strictUsage(dues).parseAsync();
