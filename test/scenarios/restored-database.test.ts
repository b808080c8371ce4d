/** The database is replaced by a copy from before, as after a failover that lost the newest rows. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../../src/db/db.ts';
import { finalizePayments } from '../../src/domain/billing/settle/finalize-payments.ts';
import { beginTimeline } from '../../src/domain/maintenance/after-restore/begin-timeline.ts';
import { checkRows } from '../../src/domain/maintenance/books-check/rows/check-rows.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { type Checkout, DAY, PRICE, type Subscriber, startWorld, type Webhook } from './world.ts';

const world = await sharedByFile(startWorld());
let paying: Subscriber;
let late: Checkout;
/** What the merchant has kept of the lost time. */
let kept: { webhooks: readonly Webhook[]; receipts: Map<number, string>; cursor: string };

/** Runs a statement for each table of dues and of its queues, without triggers and foreign keys. */
async function forEachTable(db: Db, statement: string): Promise<void> {
  await db.$executeRawUnsafe(`
    DO $$
    DECLARE
      t record;
    BEGIN
      SET LOCAL session_replication_role = replica;
      CREATE SCHEMA IF NOT EXISTS "copy";
      FOR t IN SELECT oid::regclass AS "table", relname FROM pg_class
          WHERE relnamespace IN ('public'::regnamespace, 'bullmq'::regnamespace) AND relkind = 'r' LOOP
        EXECUTE format(${statement});
      END LOOP;
    END $$`);
}

const copyDatabase = (db: Db) =>
  forEachTable(db, `'CREATE TABLE "copy".%I AS TABLE %s', t.relname, t."table"`);
const putCopyBack = (db: Db) =>
  forEachTable(db, `'DELETE FROM %2$s; INSERT INTO %2$s SELECT * FROM "copy".%1$I', t.relname, t."table"`);

const received = () => world.receiver.received.map(({ body }) => JSON.parse(body) as Webhook);

async function receipts(): Promise<Map<number, string>> {
  const rows = await world.ctx.db.receipt.findMany();
  return new Map(rows.map(({ number, paymentId }) => [number, paymentId]));
}

async function finalizeAll(): Promise<void> {
  await world.until('the payments are final', async () => {
    await finalizePayments(world.ctx, 'TEST');
    return (await world.ctx.db.payment.count({ where: { status: 'SUCCEEDED', receiptNumber: null } })) === 0;
  });
}

async function lastCursor(): Promise<string> {
  const { events } = await world.graphql<{ events: { edges: { cursor: string }[] } }>(
    '{ events(first: 1) { edges { cursor } } }',
  );
  return events.edges[0]?.cursor ?? '';
}

beforeAll(async () => {
  const planId = await world.plan();
  paying = await world.subscriber(planId);
  late = await world.checkout(planId);
  // The session knows the wallet, which signs later.
  await fetch(`${world.apiUrl}/api/checkout/${late.sessionId}/transaction`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userWallet: late.subscriber.wallet.address }),
  });
  await world.quiet();
  await finalizeAll();
  await world.stopWorkers();
  await world.mirrored();
  await world.stopIndexer();
  await copyDatabase(world.ctx.db);
  // The time that is lost: a renewal, and a new customer who pays once.
  await world.startIndexer();
  await world.startWorkers();
  await late.complete(await late.approve());
  await world.quiet();
  await world.travel(DAY);
  await finalizeAll();
  await world.quiet();
  kept = { webhooks: received(), receipts: await receipts(), cursor: await lastCursor() };
  await world.stopWorkers();
  await world.mirrored();
  await world.stopIndexer();
  await putCopyBack(world.ctx.db);
  await beginTimeline(world.ctx);
});

describe('after the database came back without its newest rows', () => {
  it('nothing is collected before the chain was read', async () => {
    await world.jump(DAY);
    await world.startWorkers();
    await world.until('the worker knows how far to read', async () => {
      const newest = await world.ctx.db.databaseTimeline.findFirst({
        where: { environment: 'TEST', number: 2 },
      });
      return newest?.slot != null;
    });
    expect(await world.ctx.db.transferTransaction.count({ where: { status: 'SUBMITTED' } })).toBe(0);
    expect(await world.books(paying.id)).toHaveLength(1);
  });

  it('then each period is charged once', async () => {
    await world.startIndexer();
    await world.until('the chain was read', async () => {
      const where = { environment: 'TEST', readAt: null } as const;
      return (await world.ctx.db.databaseTimeline.count({ where })) === 0;
    });
    await world.quiet();
    expect((await world.books(paying.id)).map(({ status }) => status)).toEqual(Array(3).fill('SUCCEEDED'));
    expect((await world.books(late.subscriber.id)).map(({ status }) => status)).toEqual(
      Array(3).fill('SUCCEEDED'),
    );
    expect(await world.tokensOf(world.merchantWallet.address)).toBe(6n * PRICE);
  });

  it('the merchant sees each charge under one event and one payment', async () => {
    const charges = received().filter(({ event }) => event === 'subscription.payment_succeeded');
    const bySignature = Map.groupBy(charges, ({ data }) => `${data.signature} ${data.subscriptionId}`);
    expect(bySignature.size).toBe(6);
    for (const told of bySignature.values()) {
      expect(new Set(told.map(({ id, data }) => `${id} ${data.paymentId}`)).size).toBe(1);
    }
    const created = received().filter(({ event }) => event === 'subscription.created');
    expect(new Set(created.map(({ id }) => id)).size).toBe(2);
  });

  it('no sequence, position or receipt number is used again', async () => {
    const bySequence = Map.groupBy(received(), ({ data, sequence }) => `${data.subscriptionId} ${sequence}`);
    for (const same of bySequence.values()) expect(new Set(same.map(({ id }) => id)).size).toBe(1);
    await finalizeAll();
    const now = await receipts();
    const again = [...now].filter(([number, payment]) => (kept.receipts.get(number) ?? payment) !== payment);
    expect(again).toEqual([]);
    expect(now.size).toBe(6);
  });

  it('a kept cursor continues with the first event that the merchant has not seen', async () => {
    const { events } = await world.graphql<{ events: { edges: { node: { id: string } }[] } }>(
      'query ($before: String) { events(before: $before, last: 50) { edges { node { id } } } }',
      { before: kept.cursor },
    );
    const seen = new Set(kept.webhooks.map(({ id }) => id));
    const ids = new Set(events.edges.map(({ node }) => node.id));
    const unseen = received().filter(({ id }) => !seen.has(id));
    expect(unseen.length).toBeGreaterThan(0);
    expect(unseen.filter(({ id }) => !ids.has(id))).toEqual([]);
  });

  it('the merchant is told which time may be lost', () => {
    const told = received().filter(({ event }) => event === 'service.restored');
    expect(told.map(({ data }) => data)).toEqual([
      { lostFrom: expect.any(String), lostUntil: expect.any(String) },
    ]);
  });

  it('the books agree', async () => {
    const { merchantId } = world.scope;
    expect(await checkRows(world.ctx, { environment: 'TEST', merchantId })).toEqual([]);
  });
});
