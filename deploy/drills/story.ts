// Plays the demo's story on the services of compose.yaml, restores a backup from the middle of it,
// and prints its figures as JSON. The exit code is 0 only if the
// books agree, the restored amount is equal, and each role stops with code 0 within ten seconds.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { generateKeyPairSigner } from '@solana/kit';
import { Command } from 'commander';
import { strictUsage } from '../../bin/strict-usage.ts';
import { Board } from '../../demo/board.ts';
import { checkBooks } from '../../demo/books.ts';
import { Story } from '../../demo/story.ts';
import { StoryNetwork } from '../../demo/story-network.ts';
import { WebhookReceiver } from '../../demo/webhook-receiver.ts';
import { createApp } from '../../src/app.ts';
import type { Chain } from '../../src/chain/chain.ts';
import { configFromEnv } from '../../src/config.ts';
import { querySql, runSql } from '../../tools/run-sql.ts';
import { Merchant } from '../../tools/world/merchant.ts';
import { ComposeWorld, type Runner, THIS_CHECKOUT } from './compose-world.ts';

const ROLES = ['api', 'indexer', 'worker'] as const;
const BACKUP_AFTER_DAY = 5;
const run = promisify(execFile);

const { production, local } = strictUsage(
  new Command('node deploy/drills/story.ts')
    .description("Plays the demo's story on compose.yaml, and restores a backup from the middle of it.")
    .option('--production <folder>', 'root folder of the image dues:production; default: this checkout')
    .option('--local <folder>', 'root folder of the image dues:local; default: this checkout'),
)
  .parse()
  .opts<{ readonly production?: string; readonly local?: string }>();
const runner: Runner = production ? { kind: 'image', production, local } : THIS_CHECKOUT;

await using closing = new AsyncDisposableStack();
const world = await ComposeWorld.start(closing, runner);
const startedAt = performance.now();
const localnet = await world.start('localnet');
await world.healthy(localnet);
await world.run('fund');
const roles = await Promise.all(ROLES.map((role) => world.start(role)));
await Promise.all(roles.map((role) => world.healthy(role)));
const healthySeconds = (performance.now() - startedAt) / 1000;

const wallet = await generateKeyPairSigner();
const network = new StoryNetwork(world.network);
await network.fund(wallet.address);
const keyOutput = await world.run('api', [
  'keys',
  'create',
  '--wallet',
  wallet.address,
  '--company',
  'Acme Streaming',
]);
const apiKey = /sk_test_\S+/.exec(keyOutput)?.[0] ?? '';
// For reading the database and the chain's clock; it runs no role.
const app = await createApp(configFromEnv({ ...world.variablesOf('worker'), LOG_LEVEL: 'error' }));
closing.defer(() => app.close());
const receiver = await WebhookReceiver.start();
closing.defer(() => receiver.close());
const merchant = new Merchant(world.apiUrl, apiKey, wallet, app.ctx.chain.TEST as Chain);
closing.defer(() => merchant.close());
receiver.secret = await merchant.listenAt(receiver.url);
merchant.watchPayments();

const board = new Board();
const story = new Story(app.ctx, network, merchant, receiver, board, world.apiUrl);
const databaseUrl = await world.databaseUrl();
const dump = join(world.folder, 'dues.dump');
await story.play(async (day) => {
  if (day === BACKUP_AFTER_DAY) await run('pg_dump', ['--format=custom', `--file=${dump}`, databaseUrl]);
});
board.title('The books');
const agree = await checkBooks(app.ctx, network, wallet.address, merchant, story, { receiver });
await world.run('worker', ['audit', '--books']);
// Before the API closes its live stream.
merchant.close();
const stopped = await Promise.all(roles.map(async (role) => ({ name: role.name, ...(await role.stop()) })));

board.title('A backup of day 5 is restored');
const restoredUrl = new URL(databaseUrl);
restoredUrl.pathname = '/restored';
await runSql(databaseUrl, 'CREATE DATABASE restored');
await run('pg_restore', ['--no-owner', '--exit-on-error', `--dbname=${restoredUrl.href}`, dump]);
const sumPayments = async (url: string) => {
  const [row] = await querySql(
    url,
    `SELECT count(*)::int AS "payments", coalesce(sum("amount"), 0)::text AS "amount" FROM "Payment" WHERE "status" = 'SUCCEEDED'`,
  );
  return row as { payments: number; amount: string };
};
const before = await sumPayments(databaseUrl);
const inBackup = await sumPayments(restoredUrl.href);
await world.replaceSecret('database/url', /\/dues\s*$/, '/restored\n');
await world.run('migrate');
await world.run('worker', ['reconcile']);
await world.run('worker', ['audit', '--books']);
const after = await sumPayments(restoredUrl.href);
const restoreDifferences = Number(before.amount) - Number(after.amount);
const figures = {
  healthySeconds: Number(healthySeconds.toFixed(1)),
  stopped: stopped.map(({ name, code, seconds }) => ({ name, code, seconds: Number(seconds.toFixed(1)) })),
  storyAgrees: agree,
  restore: {
    paymentsInBackup: inBackup.payments,
    paymentsBefore: before.payments,
    paymentsAfter: after.payments,
  },
  restoreDifferences,
};
console.log(JSON.stringify(figures));
const isRight =
  agree && restoreDifferences === 0 && stopped.every(({ code, seconds }) => code === 0 && seconds <= 10);
process.exitCode = isRight ? 0 : 1;
