// Lets machines of PostgreSQL die under load: `node failover.ts`, as root. Three machines run the
// configuration of deploy/patroni behind deploy/haproxy/postgresql.cfg. The primary's machine is
// killed while payments are collected; then the next primary's machine falls silent, and comes back
// later; then the archive is restored to the time between the two, which is more than an hour earlier
// for the chain, and a further period is collected. Prints its figures as JSON. The exit code is 0
// only if everything that was acknowledged is there after a takeover, the old primary acknowledges
// nothing, each customer is charged once per period, before and after the restore, the merchant is told
// of the restore, and the books agree.
import { Command } from 'commander';
import { Client } from 'pg';
import { strictUsage } from '../../bin/strict-usage.ts';
import { Board } from '../../demo/board.ts';
import { WebhookReceiver } from '../../demo/webhook-receiver.ts';
import { pollUntil } from '../../tools/poll-until.ts';
import { querySql } from '../../tools/run-sql.ts';
import { ComposeWorld, THIS_CHECKOUT } from './compose-world.ts';
import { HourlyPlan } from './hourly-plan.ts';
import { PatroniCluster } from './patroni.ts';
import { Writer } from './writer.ts';

const ROLES = ['api', 'indexer', 'worker'] as const;
/** Payments of each customer: the first, and one in each takeover. */
const PAYMENTS = 3;

strictUsage(
  new Command('node deploy/drills/failover.ts').description('Lets machines of PostgreSQL die under load.'),
).parse();

const board = new Board();
await using closing = new AsyncDisposableStack();
const started = Promise.withResolvers<PatroniCluster>();
const world = await ComposeWorld.start(closing, THIS_CHECKOUT, async (folder, passwordFile) => {
  const starting = PatroniCluster.start(folder, passwordFile);
  started.resolve(starting);
  return starting;
});
const cluster = await started.promise;
await (await cluster.untilComplete()).run('pgbackrest', ['backup']);
await world.healthy(await world.start('localnet'));
await world.run('fund');
let roles = await startRoles();
const plan = await HourlyPlan.sell(closing, world);
const backend = plan.backendAt(world.apiUrl);
closing.defer(() => backend.close());
const receiver = await WebhookReceiver.start();
closing.defer(() => receiver.close());
receiver.secret = await backend.listenAt(receiver.url);
const databaseUrl = await world.databaseUrl();
const writer = new Writer(() => backend.openCheckout(plan.id, 'visitor@example.com'));

board.title('The machine of the primary is killed');
const killed = await loseMachine(2, 'SIGKILL');
board.title('It comes back as a standby');
await killed.machine.start();
await cluster.untilComplete();
const [row] = await querySql(databaseUrl, 'SELECT now()::text AS "now"');
const betweenTakeovers = String(row?.now);

// A statement that the old primary receives, and answers when it comes back, if at all.
const oldPrimary = new Client({ connectionString: (await cluster.untilComplete()).superuserUrl });
oldPrimary.on('error', () => undefined);
await oldPrimary.connect();
board.title('The machine of the next primary falls silent');
const silent = await loseMachine(PAYMENTS, 'SIGSTOP');
board.title('It comes back with a statement that it had received');
const lateWrite = oldPrimary.query('CREATE TABLE "WrittenByTheOldPrimary" ()').then(
  () => 'acknowledged',
  (error: Error) => error.message,
);
await silent.machine.signal('SIGCONT');
await cluster.untilComplete();
const oldPrimarySays = await lateWrite;
const primaries = await cluster.primaries();
board.title('The books');
await writer.stop();
await world.run('worker', ['audit', '--books']);
const charges = await plan.readCharges();
const lost = await acknowledgedWithoutRow();
const stopped = await Promise.all(roles.map((role) => role.stop()));

board.title('The archive is restored to the time between the takeovers');
await cluster.restoreTo(betweenTakeovers);
const inArchive = await countPayments();
await world.run('migrate');
await world.run('worker', ['reconcile']);
await world.run('worker', ['audit', '--books']);
const afterRestore = await countPayments();
const receivedBefore = receiver.received.length;
roles = await startRoles();
await pollUntil(async () =>
  receiver.received.slice(receivedBefore).some(({ event }) => event === 'service.restored'),
);
await plan.untilPaid(backend, PAYMENTS);
await plan.travel();
await plan.untilPaid(backend, PAYMENTS + 1);
const chargesAfterRestore = await plan.readCharges();
await world.run('worker', ['audit', '--books']);

const customers = plan.customers.length;
const figures = {
  acknowledged: writer.acknowledged.length,
  acknowledgedLost: lost.length,
  killed: killed.seconds,
  silent: silent.seconds,
  primaries: primaries.length,
  oldPrimarySays,
  customers,
  chargedTwice: charges.filter((count) => count > PAYMENTS).length,
  notCharged: charges.filter((count) => count < PAYMENTS).length,
  stoppedWith: stopped.map(({ code }) => code),
  restore: {
    inArchive,
    afterRestore,
    chargedTwice: chargesAfterRestore.filter((count) => count > PAYMENTS + 1).length,
    notCharged: chargesAfterRestore.filter((count) => count < PAYMENTS + 1).length,
  },
};
console.log(JSON.stringify(figures));
const isRight =
  writer.acknowledged.length > 0 &&
  lost.length === 0 &&
  primaries.length === 1 &&
  oldPrimarySays !== 'acknowledged' &&
  charges.every((count) => count === PAYMENTS) &&
  chargesAfterRestore.every((count) => count === PAYMENTS + 1) &&
  stopped.every(({ code }) => code === 0) &&
  inArchive === customers * (PAYMENTS - 1) &&
  afterRestore === customers * PAYMENTS;
if (!isRight) console.error(world.errors());
process.exitCode = isRight ? 0 : 1;

async function startRoles() {
  const started = await Promise.all(ROLES.map((role) => world.start(role)));
  await Promise.all(started.map((role) => world.healthy(role)));
  return started;
}

/**
 * Loses the machine of the primary as soon as the chain has charged one customer for a period.
 * Returns when every customer has paid, with the seconds until another primary wrote, until every
 * role was healthy, and until everybody had paid.
 */
async function loseMachine(payments: number, signal: 'SIGKILL' | 'SIGSTOP') {
  const machine = await cluster.untilComplete();
  await plan.travel();
  await pollUntil(async () => (await plan.readCharges()).some((count) => count === payments), 10);
  await machine.signal(signal);
  const lostAt = performance.now();
  const seconds = () => Number(((performance.now() - lostAt) / 1_000).toFixed(1));
  await writer.acknowledgesAfter(lostAt);
  const written = seconds();
  await Promise.all(roles.map((role) => world.healthy(role)));
  const healthy = seconds();
  await plan.untilPaid(backend, payments);
  return { machine, seconds: { written, healthy, paid: seconds() } };
}

/** The acknowledged checkout sessions that the database lacks. */
async function acknowledgedWithoutRow(): Promise<string[]> {
  const rows = await querySql(databaseUrl, 'SELECT "id" FROM "CheckoutSession"');
  const ids = new Set(rows.map(({ id }) => id));
  return writer.acknowledged.filter((id) => !ids.has(id));
}

async function countPayments(): Promise<number> {
  const [counted] = await querySql(
    databaseUrl,
    `SELECT count(*)::int AS "count" FROM "Payment" WHERE "status" = 'SUCCEEDED'`,
  );
  return Number(counted?.count);
}
