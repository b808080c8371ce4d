import { expect, onTestFinished, test } from 'vitest';
import { purge } from '../../src/domain/maintenance/retention/purge.ts';
import type { Subscription } from '../../src/generated/prisma/client.ts';
import { startWorld } from './world.ts';

const DAY_MS = 86_400_000;

test('removes old rows in bounded batches, and keeps those that may be needed', async () => {
  const world = await startWorld();
  onTestFinished(() => world.close());
  const merchant = await world.newMerchant();
  const plan = await world.publishPlan(merchant);
  await world.subscribe(merchant, plan, await world.newWallet());
  const open = await world.openSession(merchant, plan);
  const now = world.ctx.clock.now();
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS);
  await world.db.$executeRaw`
    INSERT INTO "CheckoutSession" SELECT (jsonb_populate_record(s, jsonb_build_object('id', 'cs_' || n,
      'status', 'EXPIRED', 'expiresAt', CASE WHEN n <= 1200 THEN ${ago(31)}::timestamptz ELSE ${ago(29)} END))).*
    FROM "CheckoutSession" s, generate_series(1, 1210) AS n WHERE s."id" = ${open}`;
  await world.db.transferTransaction.createMany({
    data: (['LANDED', 'EXPIRED', 'SUBMITTED', 'LANDED'] as const).map((status, n) => ({
      ...({ environment: 'TEST', signature: `signature ${n}`, status, lastValidBlockHeight: 1n } as const),
      wire: Buffer.from('signed'),
      createdAt: ago(9),
      settledAt: status === 'SUBMITTED' ? null : ago(n === 3 ? 6 : 8),
    })),
  });
  const update = { environment: 'TEST', kind: 'account', slot: 1n, payload: {}, error: 'broken' } as const;
  const at = { createdAt: ago(40), triedAt: ago(40) };
  await world.db.unappliedUpdate.createMany({
    data: [
      { ...update, ...at, subject: 'mended', resolvedAt: ago(31) },
      { ...update, ...at, subject: 'open' },
    ],
  });
  expect(await purge(world.ctx, { batches: 2 })).toMatchObject({ checkoutSessions: 1_000 });
  expect(await purge(world.ctx, { batches: 2 })).toMatchObject({ checkoutSessions: 200, signedBytes: 0 });
  expect(await world.db.checkoutSession.count()).toBe(12);
  const transactions = await world.db.transferTransaction.findMany({ orderBy: { signature: 'asc' } });
  expect(transactions.map(({ wire }) => wire.length)).toEqual([0, 0, 6, 6]);
  expect(await world.db.unappliedUpdate.findMany()).toMatchObject([{ subject: 'open' }]);
  // A transaction that never landed is removed with its attempt. The payment stays.
  const { subscription, paymentId } = await createExpired(world, ago(91));
  await createExpired(world, ago(89), subscription);
  expect(await purge(world.ctx, { batches: 1 })).toMatchObject({ expiredTransactions: 1 });
  expect(await world.db.attempt.findMany()).toMatchObject([{ createdAt: ago(89) }]);
  expect(await world.db.payment.count({ where: { id: paymentId } })).toBe(1);
  // A setting replaces the default retention.
  const ctx = { ...world.ctx, config: { ...world.ctx.config, retention: { sessionsDays: 7 } } };
  expect(await purge(ctx, { batches: 1 })).toMatchObject({ checkoutSessions: 10 });
});

/** Creates a payment with an attempt whose transaction expired at the given time. */
async function createExpired({ db }: Awaited<ReturnType<typeof startWorld>>, at: Date, known?: Subscription) {
  const subscription = known ?? (await db.subscription.findFirstOrThrow());
  const { id: transactionId } = await db.transferTransaction.create({
    data: {
      environment: 'TEST',
      signature: `expired ${at.toISOString()}`,
      wire: new Uint8Array(),
      status: 'EXPIRED',
      lastValidBlockHeight: 1n,
      createdAt: at,
      settledAt: at,
    },
  });
  const { id: paymentId } = await db.payment.create({
    data: {
      merchantId: subscription.merchantId,
      environment: 'TEST',
      subscriptionId: subscription.id,
      planId: subscription.planId,
      periodStart: BigInt(at.getTime()),
      dueAt: at,
      amount: 1n,
      attempts: { create: { status: 'VOID', transactionId, instruction: 0, createdAt: at, settledAt: at } },
    },
  });
  return { subscription, paymentId };
}
