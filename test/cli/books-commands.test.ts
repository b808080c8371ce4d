/** `dues audit`, `dues reconcile` and `dues purge`, each in a separate process, on books with planted errors. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { KeyPairSigner } from '@solana/kit';
import { expect, onTestFinished, test } from 'vitest';
import { createEndpoint } from '../../src/domain/messages/webhook/create-endpoint.ts';
import { sendTestEvent } from '../../src/domain/messages/webhook/send-test-event.ts';
import type { Plan } from '../../src/generated/prisma/client.ts';
import { runDues } from '../../tools/world/dues-process.ts';
import { roleVariables } from '../../tools/world/role-variables.ts';
import { PRICE } from '../domain/world.ts';
import { type IndexerWorld, startIndexerWorld } from '../indexer/world.ts';

const HALF = PRICE / 2n;
const NOBODY = '00000000-0000-7000-8000-000000000000';
const AGREE = 'The books agree with the chain.';
const DIFFER = 'The books and the chain differ in 1 of 1 lines: see above.';

/** Leaves out the progress, which a command reports once per second. */
async function runCommand(world: IndexerWorld, ...args: string[]) {
  const result = await runDues(args, environmentOf(world));
  return { ...result, stderr: result.stderr.replaceAll(/^\d+ (transactions read|rules checked)\n/gm, '') };
}

function environmentOf(world: IndexerWorld) {
  const { config } = world.ctx;
  return roleVariables(config.databaseUrl, world.chain.config, {
    SECRET_KEY: Buffer.from(config.secretKey).toString('base64'),
    LOG_LEVEL: 'error',
  });
}

/** The sums that a run prints: charged on chain, in the books, difference. */
function sumsOf(stdout: string): string[] {
  const [, row = ''] = stdout.split('\n').filter((line) => /^merchant |^[0-9a-f]{8}-\S+ {2}/.test(line));
  return row.split(/ {2,}/).slice(-3);
}

/**
 * Subscribes a customer whose first period the merchant collects. The indexer that has settled it
 * is stopped.
 */
async function payOnce(): Promise<{ world: IndexerWorld; plan: Plan; wallet: KeyPairSigner }> {
  const world = await startIndexerWorld();
  const indexer = await world.startIndexing();
  const plan = await world.publishActivePlan();
  const wallet = await world.subscribeWithoutCompleting(plan);
  await world.waitForSubscription(plan, wallet, 'ACTIVE');
  await world.pullByMerchant(plan, wallet, HALF);
  await world.eventually(async () => expect(await world.db.payment.count()).toBe(1));
  await world.waitUntilCaughtUp();
  await indexer.close();
  return { world, plan, wallet };
}

test('books that agree with the chain have no findings', async () => {
  const { world } = await payOnce();
  const audit = await runCommand(world, 'audit');
  expect(audit).toMatchObject({ code: 0, stderr: '' });
  expect(sumsOf(audit.stdout)).toEqual(['2.500000', '2.500000', '0.000000']);
  expect(audit.stdout).toContain(world.merchant.merchant.id);
  expect(audit.stdout).toContain(AGREE);

  const rows = await runCommand(world, 'audit', '--books', '--environment', 'test');
  expect(rows).toMatchObject({ code: 0, stderr: '' });
  expect(rows.stdout).toContain('test: the rows agree with one another.');
  await world.db.payment.updateMany({ data: { number: 2 } });
  const wrong = await runCommand(world, 'audit', '--books');
  expect(wrong).toMatchObject({ code: 1, stderr: '' });
  expect(wrong.stdout).toContain('test: subscription.payment_count: The number of payments, ');

  const { merchant } = await world.newMerchant();
  const emptyAudit = await runCommand(world, 'audit', '--merchant', merchant.id);
  expect(emptyAudit).toMatchObject({ code: 0, stdout: 'There are no plans, so nothing was collected.\n' });
});

test('a transfer that the indexer never saw is settled by reconciling', async () => {
  const { world, plan, wallet } = await payOnce();
  const missedTransfer = await world.pullByMerchant(plan, wallet, HALF);
  await world.onChain.cancel(wallet, plan);
  const audit = await runCommand(world, 'audit');
  expect(audit.code).toBe(1);
  expect(sumsOf(audit.stdout)).toEqual(['5.000000', '2.500000', '2.500000']);
  expect(audit.stdout).toContain(missedTransfer);
  expect(audit.stdout).toContain(DIFFER);
  expect(await world.db.payment.findMany()).toMatchObject([{ amount: PRICE, paidAmount: HALF }]);

  const reconcile = await runCommand(world, 'reconcile', '--environment', 'test');
  expect(reconcile.code).toBe(0);
  expect(reconcile.stdout).toContain(`settled missing transfers of ${missedTransfer}`);
  expect(sumsOf(reconcile.stdout)).toEqual(['5.000000', '5.000000', '0.000000']);
  expect(reconcile.stdout).toContain(AGREE);
  expect(await world.db.payment.findMany()).toMatchObject([{ paidAmount: PRICE, status: 'SUCCEEDED' }]);
  const cancelled = await world.waitForSubscription(plan, wallet, 'CANCELLED');
  expect(reconcile.stdout).toContain(`account ${cancelled.address} differed from the chain and was updated`);

  const secondReconcile = await runCommand(world, 'reconcile');
  expect(secondReconcile.code).toBe(0);
  expect(secondReconcile.stdout).not.toContain('missing');
  expect(secondReconcile.stdout).not.toContain('differed from the chain');
});

test('reconciling names the time whose rows may be lost', async () => {
  const { world } = await payOnce();
  const before = await runCommand(world, 'reconcile');
  expect(before.stdout).not.toContain('may be lost');
  const lostFrom = '2026-01-31T12:00:00.000Z';
  const after = await runCommand(world, 'reconcile', '--after-restore', lostFrom);
  expect(after.code).toBe(0);
  expect(after.stdout).toMatch(
    new RegExp(`^test: cancellations .* from ${lostFrom} to now may be lost$`, 'm'),
  );
  const lostUntil = new Date('2026-01-31T13:00:00Z');
  await world.db.databaseTimeline.updateMany({ where: { number: { gt: 1 } }, data: { lostUntil } });
  const later = await runCommand(world, 'reconcile');
  expect(later.stdout).toContain(`from ${lostFrom} to ${lostUntil.toISOString()} may be lost`);
});

test('a subscription that is cancelled in the mirror but not in the books is cancelled', async () => {
  const { world, plan, wallet } = await payOnce();
  await world.onChain.cancel(wallet, plan);
  const { address } = await world.waitForSubscription(plan, wallet, 'ACTIVE');
  const { data, slot } = await world.see(address);
  await world.db.chainAccount.updateMany({
    where: { address },
    data: { data: Buffer.from(data ?? []), slot, writeVersion: 9n },
  });
  expect((await runCommand(world, 'reconcile')).code).toBe(0);
  await world.waitForSubscription(plan, wallet, 'CANCELLED');
});

test('a payment whose row was changed is reported, and not repaired', async () => {
  const { world } = await payOnce();
  const [payment] = await world.db.payment.findMany();
  await world.db.payment.updateMany({ data: { paidAmount: HALF + 1n } });
  for (const command of ['audit', 'reconcile']) {
    const run = await runCommand(world, command);
    expect(run.code).toBe(1);
    expect(sumsOf(run.stdout)).toEqual(['2.500000', '2.500001', '-0.000001']);
    expect(run.stdout).toContain('2.500000 on chain, 2.500001 booked');
    expect(run.stdout).toContain(payment?.signature);
    expect(run.stdout).toContain(DIFFER);
  }
  expect(await world.db.payment.findMany()).toMatchObject([{ paidAmount: HALF + 1n }]);
});

test('a payment that never happened is reported beside one of the same amount', async () => {
  const { world, plan, wallet } = await payOnce();
  const [real] = await world.db.payment.findMany();
  const { id, merchantId, environment } = await world.waitForSubscription(plan, wallet, 'ACTIVE');
  const invented = {
    merchantId,
    environment,
    subscriptionId: id,
    amount: HALF,
    number: 2,
    status: 'SUCCEEDED' as const,
    periodStart: (real?.periodStart ?? 0n) + BigInt(plan.intervalSeconds),
    signature: 'invented',
    dueAt: new Date(),
    paidAt: new Date(),
  } as const;
  await world.db.payment.create({ data: invented });
  const audit = await runCommand(world, 'audit');
  expect(audit.code).toBe(1);
  expect(sumsOf(audit.stdout)).toEqual(['2.500000', '5.000000', '-2.500000']);
  expect(audit.stdout).toContain('invented');

  // The sums agree, but the payments do not.
  await world.db.payment.updateMany({
    where: { id: real?.id ?? '' },
    data: { status: 'FAILED', paidAmount: 0n, number: null },
  });
  const secondAudit = await runCommand(world, 'audit');
  expect(secondAudit.code).toBe(1);
  expect(sumsOf(secondAudit.stdout)).toEqual(['2.500000', '2.500000', '0.000000']);
  expect(secondAudit.stdout).toContain('invented');
  expect(secondAudit.stdout).toContain(real?.signature);
  expect(secondAudit.stdout).toContain(DIFFER);
});

test('transfers that the merchant collects outside dues are not part of the books', async () => {
  const { world, plan } = await payOnce();
  const stranger = await world.newWallet();
  const published = await world.db.plan.findUniqueOrThrow({ where: { id: plan.id } });
  await world.approveUnmarked(world.merchant, published, stranger);
  await world.pullByMerchant(plan, stranger);
  const audit = await runCommand(world, 'audit');
  expect(audit.code).toBe(0);
  expect(sumsOf(audit.stdout)).toEqual(['2.500000', '2.500000', '0.000000']);
  expect(audit.stdout).toContain('5.000000 more were collected without dues');
});

test('`dues audit` of an environment needs neither the other cluster nor Redis', async () => {
  const { world } = await payOnce();
  // It accepts connections and never answers.
  const frozen = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void frozen.close());
  await once(frozen, 'listening');
  const { port } = frozen.address() as AddressInfo;
  const others = {
    ...environmentOf(world),
    REDIS_URL: 'redis://127.0.0.1:1',
    LIVE_RPC_URL: `http://127.0.0.1:${port}`,
    LIVE_COLLECTOR_KEY: environmentOf(world).TEST_COLLECTOR_KEY,
  };
  const [test, all] = await Promise.all([
    runDues(['audit', '--environment', 'test'], others),
    runDues(['audit'], others),
  ]);
  expect(test).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(AGREE) });
  expect(all).toMatchObject({
    code: 1,
    stderr: 'dues audit: The LIVE cluster did not respond within 30000 ms\n',
  });
});

test('an unknown merchant or environment is refused', async () => {
  const { world } = await payOnce();
  const [unknown, malformed, otherEnvironment, own] = await Promise.all([
    runCommand(world, 'audit', '--merchant', NOBODY),
    runCommand(world, 'reconcile', '--merchant', 'acme'),
    runCommand(world, 'audit', '--environment', 'live'),
    runCommand(world, 'audit', '--merchant', world.merchant.merchant.id),
  ]);
  expect(unknown).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`merchant ${NOBODY} does not exist`),
  });
  expect(malformed).toMatchObject({ code: 2, stderr: expect.stringContaining("Not a merchant's id") });
  expect(otherEnvironment).toMatchObject({ code: 1, stderr: expect.stringContaining('no LIVE environment') });
  expect(own.code).toBe(0);
});

test('`dues reconcile` changes nothing while every node is behind', async () => {
  const { world } = await payOnce();
  world.network.faults.set({ nodes: { '*': { lagSlots: 1_000_000 } } });
  const { code, stderr } = await runCommand(world, 'reconcile');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^dues reconcile: The RPC node is at slot \d+, before \d+\n$/);
});

test('`dues purge` deletes old deliveries and says how many', async () => {
  const world = await startIndexerWorld();
  const { scope } = world.merchant;
  const { endpoint } = await createEndpoint(world.ctx, { ...scope, url: 'https://a.example/' });
  const endpointId = endpoint.id;
  await sendTestEvent(world.ctx, scope, { endpointId });
  await sendTestEvent(world.ctx, scope, { endpointId });
  const [old] = await world.db.delivery.findMany();
  const createdAt = new Date(world.ctx.clock.now().getTime() - 91 * 86_400_000);
  await world.db.delivery.update({ where: { id: old?.id ?? '' }, data: { createdAt } });
  const purge = await runCommand(world, 'purge');
  expect(purge).toMatchObject({ code: 0, stderr: '' });
  expect(purge.stdout).toContain('deliveries: 1\n');
  expect(await world.db.delivery.count()).toBe(1);
});
