/** The check of the rows, on the books of a real story in which one row at a time is changed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { finalizePayments } from '../../src/domain/billing/settle/finalize-payments.ts';
import {
  checkRows,
  ROW_CHECKS,
  wrongRows,
} from '../../src/domain/maintenance/books-check/rows/check-rows.ts';
import { DAY, PRICE, type Subscriber, startWorld, type World } from './world.ts';

let world: World;
let paying: Subscriber;
let poor: Subscriber;

beforeAll(async () => {
  world = await startWorld();
  const planId = await world.plan({ trial: DAY / 2 });
  paying = await world.subscriber(planId);
  poor = await world.subscriber(planId, { payments: 1 });
  const leaving = await world.subscriber(planId);
  const expiring = await world.subscriber(planId, { payments: 1 });
  await world.travel(DAY / 2 + 60);
  await expiring.setBalance(0n);
  await leaving.cancel();
  await world.travel(DAY);
  // The payment fails until the subscription has expired. The other one is paid after a failure.
  await world.travel(60);
  await poor.setBalance(PRICE);
  for (const seconds of [300, 1_800]) await world.travel(seconds);
  await poor.setBalance(0n);
  await world.travel(DAY - 1_500);
  const [payment] = await world.books(paying.id);
  await world.until('the payments are final', async () => {
    await finalizePayments(world.ctx, 'TEST');
    return (await world.ctx.db.payment.count({ where: { status: 'SUCCEEDED', receiptNumber: null } })) === 0;
  });
  const refund = await world.backend.createRefund({ paymentId: payment?.id ?? '', amount: '2000000' });
  await world.sign(world.merchantWallet, await world.backend.refundTransaction(refund.id));
  await world.until(
    'the refund is settled',
    async () => (await world.backend.refund(refund.id)).status === 'SUCCEEDED',
  );
  await world.quiet();
  await world.stopWorkers();
  await world.mirrored();
  await world.stopIndexer();
});
afterAll(() => world.close());

const scopeOf = () => ({ environment: 'TEST', merchantId: world.scope.merchantId }) as const;

it('the story has rows of every kind, and all of them agree', async () => {
  const { db } = world.ctx;
  const statuses = await db.subscription.groupBy({ by: ['status'], orderBy: { status: 'asc' } });
  expect(statuses.map(({ status }) => status)).toEqual(['ACTIVE', 'PAST_DUE', 'CANCELLED', 'EXPIRED']);
  for (const rows of [db.attempt, db.receipt, db.refund, db.event, db.delivery, db.planDay] as const) {
    expect(await (rows.count as () => Promise<number>)()).toBeGreaterThan(0);
  }
  expect(await checkRows(world.ctx, scopeOf())).toEqual([]);
});

const PAID = `(SELECT "id" FROM "Payment" WHERE "status" = 'SUCCEEDED' ORDER BY "number" DESC, "id" LIMIT 1)`;
const PAYS = `(SELECT "subscriptionId" FROM "Payment" WHERE "id" = ${PAID})`;
const PAST_DUE = `(SELECT "id" FROM "Subscription" WHERE "status" = 'PAST_DUE')`;
const ENDED = `(SELECT "id" FROM "Subscription" WHERE "status" = 'CANCELLED')`;

/** What is changed, the statement, and the rule that must find it. */
const PLANTED: readonly (readonly [string, string, string])[] = [
  [
    'a payment has another signature',
    `UPDATE "Payment" SET "signature" = 'other' WHERE "id" = ${PAID}`,
    'payment.transfer',
  ],
  [
    'a payment has another amount',
    `UPDATE "Payment" SET "paidAmount" = "paidAmount" - 1 WHERE "id" = ${PAID}`,
    'payment.amount',
  ],
  [
    'a payment is of another merchant',
    `UPDATE "Payment" SET "merchantId" = gen_random_uuid() WHERE "id" = ${PAID}`,
    'payment.owner',
  ],
  [
    'a payment is due a day later',
    `UPDATE "Payment" SET "dueAt" = "dueAt" + interval '1 day' WHERE "id" = ${PAID}`,
    'payment.due_date',
  ],
  [
    'a failed payment has another price',
    `UPDATE "Payment" SET "amount" = 1, "lines" = '[{"kind": "FLAT", "text": "Gold", "amount": "1"}]' WHERE "status" = 'FAILED'`,
    'payment.price',
  ],
  [
    'a payment has other lines',
    `UPDATE "Payment" SET "lines" = '[{"kind": "FLAT", "text": "Gold", "amount": "1"}]' WHERE "id" = ${PAID}`,
    'payment.lines',
  ],
  [
    'a payment has another failure code',
    `UPDATE "Payment" SET "failureCode" = 'ACCOUNT_FROZEN' WHERE "status" = 'FAILED'`,
    'payment.failure_code',
  ],
  [
    'a collected payment is due again',
    `UPDATE "Payment" SET "status" = 'DUE', "number" = NULL, "signature" = NULL, "paidAt" = NULL, "paidAmount" = 0 WHERE "id" = ${PAID}`,
    'payment.amount',
  ],
  [
    'a payment has another number',
    `UPDATE "Payment" SET "number" = 9 WHERE "id" = ${PAID}`,
    'subscription.payment_count',
  ],
  [
    'a payment is deleted',
    `DELETE FROM "Payment" WHERE "id" = (SELECT "id" FROM "Payment" WHERE "subscriptionId" = ${PAYS} AND "number" = 2)`,
    'subscription.periods',
  ],
  [
    'the first payment is deleted',
    `DELETE FROM "Payment" WHERE "id" = (SELECT "id" FROM "Payment" WHERE "subscriptionId" = ${PAYS} AND "number" = 1)`,
    'subscription.periods',
  ],
  ['a transfer is deleted', `DELETE FROM "ChainTransfer" WHERE "paymentId" = ${PAID}`, 'payment.transfer'],
  [
    'a transfer has another amount',
    `UPDATE "ChainTransfer" SET "amount" = 1 WHERE "paymentId" = ${PAID}`,
    'payment.amount',
  ],
  [
    'a transfer is of another period',
    `UPDATE "ChainTransfer" SET "periodStart" = 1 WHERE "paymentId" = ${PAID}`,
    'transfer.period',
  ],
  [
    'a transfer belongs to no payment',
    `UPDATE "ChainTransfer" SET "paymentId" = NULL, "slot" = -9000 WHERE "paymentId" = ${PAID}`,
    'transfer.unbooked',
  ],
  ['an attempt is deleted', `DELETE FROM "Attempt" WHERE "paymentId" = ${PAID}`, 'payment.attempt'],
  [
    'a failed attempt succeeds',
    `UPDATE "Attempt" SET "status" = 'SUCCEEDED', "failureCode" = NULL, "amountRequired" = NULL, "balanceAvailable" = NULL WHERE "status" = 'FAILED'`,
    'attempt.outcome',
  ],
  [
    'a landed transaction has expired',
    `UPDATE "TransferTransaction" SET "status" = 'EXPIRED'`,
    'attempt.outcome',
  ],
  [
    'a subscription is of another plan’s merchant',
    `UPDATE "Subscription" SET "merchantId" = gen_random_uuid() WHERE "id" = ${PAYS}`,
    'subscription.owner',
  ],
  [
    'a status is changed',
    `UPDATE "Subscription" SET "status" = 'PAST_DUE', "failureCount" = 1 WHERE "id" = ${PAYS}`,
    'subscription.status',
  ],
  [
    'a transition is deleted',
    `DELETE FROM "SubscriptionTransition" WHERE "to" = 'EXPIRED'`,
    'subscription.status',
  ],
  [
    'a subscription counts one payment more',
    `UPDATE "Subscription" SET "paymentCount" = "paymentCount" + 1 WHERE "id" = ${PAYS}`,
    'subscription.payment_count',
  ],
  [
    'a failure is invented',
    `UPDATE "Subscription" SET "failureCount" = 2 WHERE "id" = ${PAST_DUE}`,
    'subscription.failures',
  ],
  [
    'the next payment is a year ahead',
    `UPDATE "Subscription" SET "nextPaymentAt" = "nextPaymentAt" + interval '365 days' WHERE "id" = ${PAYS}`,
    'subscription.next_payment',
  ],
  [
    'the next payment is an hour later',
    `UPDATE "Subscription" SET "nextPaymentAt" = "nextPaymentAt" + interval '1 hour' WHERE "id" = ${PAYS}`,
    'subscription.next_payment',
  ],
  [
    'the next payment is the last one',
    `UPDATE "Subscription" SET "nextPaymentAt" = "nextPaymentAt" - interval '1 day' WHERE "id" = ${PAYS}`,
    'subscription.next_payment',
  ],
  [
    'the next attempt is a year ahead',
    `UPDATE "Subscription" SET "nextAttemptAt" = "nextAttemptAt" + interval '365 days' WHERE "id" = ${PAYS}`,
    'subscription.next_attempt',
  ],
  [
    'the next attempt is a minute after a due date of a plan that spreads nothing',
    `UPDATE "Subscription" SET "nextAttemptAt" = "nextPaymentAt" + interval '1 minute' WHERE "id" = ${PAYS}`,
    'subscription.next_attempt',
  ],
  ['a receipt is deleted', `DELETE FROM "Receipt" WHERE "paymentId" = ${PAID}`, 'receipt.payment'],
  [
    'the newest receipt and its number are gone',
    `DELETE FROM "Receipt" WHERE "number" = (SELECT max("number") FROM "Receipt")`,
    'receipt.numbers',
  ],
  ['the counter of receipts is lower', `UPDATE "ReceiptCounter" SET "last" = "last" - 1`, 'receipt.numbers'],
  [
    'a receipt has another amount',
    `UPDATE "Receipt" SET "document" = jsonb_set("document", '{amount,baseUnits}', '"1"') WHERE "paymentId" = ${PAID}`,
    'receipt.content',
  ],
  [
    'a receipt has another signature',
    `UPDATE "Receipt" SET "document" = jsonb_set("document", '{chain,signature}', '"other"') WHERE "paymentId" = ${PAID}`,
    'receipt.content',
  ],
  ['a refund is deleted', `DELETE FROM "Refund"`, 'refund.event'],
  ['a refund is lowered', `UPDATE "Refund" SET "amount" = 1`, 'refund.event'],
  ['a refund is raised', `UPDATE "Refund" SET "amount" = 6000000`, 'refund.amount'],
  [
    'a settled refund is pending again',
    `UPDATE "Refund" SET "status" = 'PENDING', "signature" = NULL, "transferIndex" = NULL, "slot" = NULL, "refundedAt" = NULL`,
    'refund.event',
  ],
  ['an event is deleted', `DELETE FROM "Event" WHERE "data"->>'paymentId' = ${PAID}::text`, 'event.sequence'],
  [
    'the newest event is deleted with its number',
    `WITH gone AS (DELETE FROM "Event" WHERE "data"->>'paymentId' = ${PAID}::text RETURNING "subscriptionId") UPDATE "Subscription" SET "lastSequence" = "lastSequence" - 1 WHERE "id" IN (SELECT "subscriptionId" FROM gone)`,
    'event.payment',
  ],
  [
    'an event is there twice',
    `INSERT INTO "Event" ("id", "merchantId", "environment", "type", "subscriptionId", "sequence", "data", "createdAt") SELECT gen_random_uuid(), "merchantId", "environment", "type", "subscriptionId", 99, "data", "createdAt" FROM "Event" WHERE "data"->>'paymentId' = ${PAID}::text`,
    'event.payment',
  ],
  [
    'an event has another amount',
    `UPDATE "Event" SET "data" = jsonb_set("data", '{amount}', '"1"') WHERE "data"->>'paymentId' = ${PAID}::text`,
    'event.payment',
  ],
  [
    'an event has another signature',
    `UPDATE "Event" SET "data" = jsonb_set("data", '{signature}', '"other"') WHERE "data"->>'paymentId' = ${PAID}::text`,
    'event.payment',
  ],
  [
    'an event of another type',
    `UPDATE "Event" SET "type" = 'subscription.resumed' WHERE "type" = 'subscription.expired'`,
    'event.transition',
  ],
  [
    'all events of an earlier timeline are deleted',
    `INSERT INTO "DatabaseTimeline" ("environment", "number", "identity") VALUES ('TEST', 3, 'other'); UPDATE "Event" SET "sequence" = "sequence" + 1999 WHERE "subscriptionId" = ${ENDED} AND "sequence" > 1; DELETE FROM "Event" WHERE "subscriptionId" = ${ENDED} AND "sequence" = 1; UPDATE "Subscription" SET "lastSequence" = "lastSequence" + 1999 WHERE "id" = ${ENDED}`,
    'event.created',
  ],
  ['a position is missing', `UPDATE "Event" SET "position" = 99 WHERE "position" = 2`, 'event.position'],
  [
    'an event was never relayed',
    `UPDATE "Event" SET "position" = NULL WHERE "position" = 2`,
    'event.waiting',
  ],
  [
    'a delivery is deleted',
    `UPDATE "WebhookEndpoint" SET "createdAt" = "createdAt" - interval '2 hours'; DELETE FROM "Delivery" WHERE "eventId" = (SELECT "id" FROM "Event" WHERE "position" = 2)`,
    'delivery.missing',
  ],
  [
    'a delivery has failed',
    `UPDATE "Delivery" SET "status" = 'FAILED', "attemptCount" = 0`,
    'delivery.outcome',
  ],
  ['attempts of deliveries are gone', `DELETE FROM "DeliveryAttempt"`, 'delivery.outcome'],
  [
    'a delivery waits for ever',
    `UPDATE "Delivery" SET "status" = 'PENDING', "nextAttemptAt" = NULL WHERE "subscriptionId" IS NOT NULL`,
    'delivery.waiting',
  ],
  [
    'a day has collected less',
    `UPDATE "PlanDay" SET "collected" = "collected" - 1; UPDATE "PlanDayChange" SET "collected" = "collected" - 1`,
    'day.totals',
  ],
  ['a day is gone', `DELETE FROM "PlanDay"; DELETE FROM "PlanDayChange"`, 'day.totals'],
  ['a day has a refund more', `UPDATE "PlanDay" SET "refunds" = "refunds" + 1`, 'day.totals'],
  [
    'a day has a movement more',
    `INSERT INTO "MrrChange" ("planId", "day", "churn") SELECT "id", '2026-01-01', 1 FROM "Plan"`,
    'mrr.plan',
  ],
  ['a wallet contributes more', `UPDATE "CustomerMrr" SET "amount" = "amount" + 1`, 'mrr.wallet'],
  [
    'the number of subscriptions is higher',
    `INSERT INTO "SubscriptionCountChange" ("merchantId", "environment", "count") SELECT "merchantId", 'TEST', 1 FROM "Plan"`,
    'subscription.total',
  ],
  [
    'a link counts too many checkouts',
    `INSERT INTO "PaymentLink" ("id", "merchantId", "environment", "planId", "name", "openedCount", "completedCount", "createdAt") SELECT gen_random_uuid(), "merchantId", "environment", "id", 'link', 1, 1, now() FROM "Plan"`,
    'payment_link.completed',
  ],
  [
    'a sponsored transaction cost nothing',
    `INSERT INTO "SponsoredTransaction" ("id", "merchantId", "environment", "planId", "sessionId", "walletAddress", "collector", "lamports", "status", "lastValidBlockHeight", "signature", "createdAt", "settledAt") SELECT gen_random_uuid(), "merchantId", "environment", "id", 'cs_1', 'wallet', 'collector', 0, 'LANDED', 1, 'signature', now(), now() FROM "Plan"`,
    'sponsored.outcome',
  ],
];

class Undo extends Error {}

describe('one changed row is found', () => {
  it.each(PLANTED)('%s', async (_, statements, rule) => {
    let found: readonly string[] = [];
    const planting = world.ctx.db.$transaction(async (tx) => {
      // The database refuses some of these changes, and follows others with its triggers.
      await tx.$executeRawUnsafe('SET LOCAL session_replication_role = replica');
      let changed = 0;
      for (const statement of statements.split('; ')) changed += await tx.$executeRawUnsafe(statement);
      expect(changed).toBeGreaterThan(0);
      const checks = ROW_CHECKS.filter(({ name }) => name === rule);
      const wrong = await wrongRows(tx, { ...scopeOf(), now: world.ctx.clock.now() }, checks);
      found = wrong.map(({ name }) => name);
      throw new Undo();
    });
    await expect(planting).rejects.toThrow(Undo);
    expect(found).toEqual([rule]);
  });

  it('by every rule at least once', () => {
    const rules = new Set(PLANTED.map(([, , rule]) => rule));
    expect(ROW_CHECKS.map(({ name }) => name).filter((name) => !rules.has(name))).toEqual([]);
  });
});

it('a plan and a subscription that differ from the chain are found', async () => {
  const { db } = world.ctx;
  await db.plan.updateMany({ data: { maxAmount: PRICE + 1n } });
  await db.subscription.updateMany({ where: { status: 'CANCELLED' }, data: { accessUntil: new Date(0) } });
  const wrong = await checkRows(world.ctx, scopeOf());
  const chain = wrong.filter(({ name }) => name.endsWith('.chain'));
  expect(chain).toMatchObject([
    { name: 'plan.chain', total: 1, rows: [{ detail: 'maxAmount' }] },
    { name: 'subscription.chain', total: 1, rows: [{ detail: 'status CANCELLED (move_end)' }] },
  ]);
});
