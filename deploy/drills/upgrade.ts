// Brings the data of an older release to this one: `node upgrade.ts CHECKOUT`. CHECKOUT is a checkout
// of the older release with its dependencies. That release bills twenty customers on its own local
// network: some fail, expire, cancel or revoke their approval. It stops; this release migrates its
// database, continues with its network's state, and bills two more periods. Prints its figures as
// JSON. The exit code is 0 only if `dues audit --books` finds nothing, each customer has the expected
// payments in the API and on chain, and every webhook arrived in order.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { PublicKey } from '@solana/web3.js';
import { Command } from 'commander';
import { strictUsage } from '../../bin/strict-usage.ts';
import { Board } from '../../demo/board.ts';
import { WebhookReceiver } from '../../demo/webhook-receiver.ts';
import { USDC_MINT } from '../../localnet/genesis.ts';
import { pollUntil } from '../../tools/poll-until.ts';
import { querySql } from '../../tools/run-sql.ts';
import type { CustomerApp } from '../../tools/world/customer-app.ts';
import { ComposeWorld, type Runner, type Running, THIS_CHECKOUT } from './compose-world.ts';
import { HourlyPlan } from './hourly-plan.ts';

const ROLES = ['api', 'indexer', 'worker'] as const;
const SHOWN_WITHIN_MS = 120_000;
const HOUR = 3_600;
const FULL_BALANCE = 1_000_000_000n;

const [checkout = ''] = strictUsage(
  new Command('node deploy/drills/upgrade.ts')
    .description('Brings the data of an older release to this one.')
    .argument('<checkout>', 'a checkout of the older release with its dependencies'),
).parse().args;
const older: Runner = { kind: 'checkout', folder: resolve(checkout) };
const newer = THIS_CHECKOUT;

const board = new Board();
await using closing = new AsyncDisposableStack();
const world = await ComposeWorld.start(closing, older);
const receiver = await WebhookReceiver.start();
closing.defer(() => receiver.close());
const olderNetwork = await startNetwork(older);
await world.run('fund', undefined, newer);
const before = await startRoles(older);

board.title('The older release bills');
const plan = await HourlyPlan.sell(closing, world);
const { network } = plan;
const backend = plan.backendAt(world.apiUrl);
closing.defer(() => backend.close());
receiver.secret = await backend.listenAt(receiver.url);
const [expires, topsUp, revokes, cancels, resumes, ...pay] = plan.customers as readonly [
  CustomerApp,
  CustomerApp,
  CustomerApp,
  CustomerApp,
  CustomerApp,
  ...CustomerApp[],
];
await network.setTokens(expires.address, 0n);
await change(cancels, 'cancel');
await plan.travel();
await untilShown([expires], 'PAST_DUE', 1);
await untilShown([topsUp, revokes, resumes, ...pay], 'ACTIVE', 2);
await network.travel(65);
const expiring = await subscriptionOf(expires);
await pollUntil(
  async () =>
    receiver.of(expiring).filter(({ event }) => event === 'subscription.payment_failed').length === 2,
);
await network.travel(305);
await untilShown([expires], 'EXPIRED', 1);
await network.setTokens(topsUp.address, 0n);
await revokes.revokeApproval(new PublicKey(USDC_MINT));
// Nothing was collected in the first of these two periods, so its payments are missed.
await network.travel(2 * HOUR);
await untilShown([topsUp, revokes], 'PAST_DUE', 2);
await untilShown([resumes, ...pay], 'ACTIVE', 3);
await change(resumes, 'cancel');
await untilShown([resumes], 'CANCELLED', 3);
const hasRefunds = (await readFile(join(older.folder, 'schema.graphql'), 'utf8')).includes('createRefund(');
if (hasRefunds) await backend.refundFirstPayment(await subscriptionOf(pay[0] as CustomerApp));
const openCheckout = await backend.openCheckout(plan.id, 'customer0@example.com');
const olderAudit = await world.run('worker', ['audit'], older).then(
  () => 'clean',
  (error: Error) => error.message,
);
const stopped = await Promise.all([...before, olderNetwork].map((role) => role.stop()));

board.title('This release continues');
await startNetwork(newer);
await world.run('migrate', undefined, newer);
const auditAfterMigration = await audit();
await startRoles(newer);
await network.setTokens(topsUp.address, FULL_BALANCE);
await change(revokes, 'repair_approval');
await change(resumes, 'resume');
await untilShown([topsUp, revokes, resumes, ...pay], 'ACTIVE', 3);
await network.setTokens(expires.address, FULL_BALANCE);
await expires.approve(openCheckout);
await expires.complete();
await untilShown([expires], 'ACTIVE', 2);
await plan.travel();
await untilShown([expires], 'ACTIVE', 3);
await plan.travel();
await untilShown([expires], 'ACTIVE', 4);
await untilShown([topsUp, revokes, resumes, ...pay], 'ACTIVE', 5);
await untilShown([cancels], 'CANCELLED', 1);
// A payment that the older release collected.
await backend.refundFirstPayment(await subscriptionOf(pay[1] as CustomerApp));
await untilDelivered();

board.title('The books');
const finalAudit = await audit();
const shown = await backend.subscriptions();
const charges = await plan.readCharges();
const differing = plan.customers.filter(
  ({ address }, index) =>
    shown.find(({ walletAddress }) => walletAddress === address)?.paymentCount !== charges[index],
);
const outOfOrder = shown.filter(({ id }) => !arrivedInOrder(id));
const figures = {
  customers: plan.customers.length,
  charges: charges.reduce((sum, count) => sum + count, 0),
  differing: differing.length,
  webhooks: receiver.received.length,
  refused: receiver.refused,
  outOfOrder: outOfOrder.length,
  stoppedWith: stopped.map(({ code }) => code),
  olderAudit,
  auditAfterMigration,
  finalAudit,
};
console.log(JSON.stringify(figures));
const isRight =
  differing.length === 0 &&
  receiver.refused === 0 &&
  outOfOrder.length === 0 &&
  [olderAudit, auditAfterMigration, finalAudit].every((result) => result === 'clean');
if (!isRight) console.error(world.errors());
process.exitCode = isRight ? 0 : 1;

async function startNetwork(runner: Runner): Promise<Running> {
  const localnet = await world.start('localnet', { runner });
  await world.healthy(localnet);
  return localnet;
}

async function startRoles(runner: Runner): Promise<Running[]> {
  const started = await Promise.all(ROLES.map((role) => world.start(role, { runner })));
  await Promise.all(started.map((role) => world.healthy(role)));
  return started;
}

/** Returns 'clean', or what the audit prints. */
function audit(): Promise<string> {
  return world.run('worker', ['audit', '--books'], newer).then(
    () => 'clean',
    (error: Error) => error.message,
  );
}

async function subscriptionOf({ address }: CustomerApp): Promise<string> {
  const found = (await backend.subscriptions()).find(({ walletAddress }) => walletAddress === address);
  if (!found) throw new Error(`${address} has no subscription`);
  return found.id;
}

async function change(customer: CustomerApp, action: Parameters<CustomerApp['change']>[1]): Promise<void> {
  await customer.change(await subscriptionOf(customer), action);
}

/** Waits until the endpoint has received every event since it was created. */
async function untilDelivered(): Promise<void> {
  const databaseUrl = await world.databaseUrl();
  await pollUntil(async () => {
    const [row] = await querySql(
      databaseUrl,
      `SELECT count(*)::int AS "count" FROM "Event" e
      WHERE e."createdAt" > (SELECT min("createdAt") FROM "WebhookEndpoint") AND NOT EXISTS (
        SELECT FROM "Delivery" d WHERE d."eventId" = e."id" AND d."status" = 'SUCCEEDED')`,
    );
    return row?.count === 0;
  }, 200);
}

/** Whether the sequences of a subscription's webhooks arrived without a gap. */
function arrivedInOrder(subscription: string): boolean {
  const sequences = receiver.of(subscription).map(({ sequence }) => sequence);
  return sequences.every((sequence, index) => sequence === (sequences[0] ?? 0) + index);
}

/** Waits until the API shows these customers with a status and a number of payments. */
async function untilShown(
  customers: readonly CustomerApp[],
  status: string,
  payments: number,
): Promise<void> {
  const deadline = performance.now() + SHOWN_WITHIN_MS;
  for (;;) {
    const subscriptions = await backend.subscriptions();
    const others = customers.flatMap(({ address }) => {
      const found = subscriptions.find(({ walletAddress }) => walletAddress === address);
      return found?.status === status && found.paymentCount === payments ? [] : [found];
    });
    if (others.length === 0) return;
    if (performance.now() > deadline)
      throw new Error(
        `expected ${status} with ${payments} payments, found ${JSON.stringify(others)}\n${world.errors()}`,
      );
    await wait(200);
  }
}
