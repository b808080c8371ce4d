import { beforeEach, expect, it } from 'vitest';
import { claimDue, countDue } from '../../src/domain/billing/collect/claim-due.ts';
import { collectDue } from '../../src/domain/billing/collect/collect-due.ts';
import type { Prisma, Subscription } from '../../src/generated/prisma/client.ts';
import { RETRY_PAYMENT, UNDO_CANCELLATION } from '../api/collection-documents.ts';
import { CANCEL } from '../api/documents.ts';
import { graphqlError, startApiWorld } from '../api/world.ts';
import { DAY, HOUR } from '../domain/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

let subscription: Subscription;
const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();
const plan = await world.publishPlan(merchant);
beforeEach(async () => {
  await world.db.subscription.updateMany({ data: { nextAttemptAt: null } });
  subscription = await world.subscribe(merchant, plan, await world.newWallet());
});

const inSeconds = (seconds: number) => new Date(world.ctx.clock.now().getTime() + seconds * 1_000);
const change = (data: Prisma.SubscriptionUpdateInput) =>
  world.db.subscription.update({ where: { id: subscription.id }, data });
const retry = (key = merchant.testKey, name = subscription.address) =>
  world.query(key, RETRY_PAYMENT, { subscription: name });
const undo = (key = merchant.testKey) =>
  world.query(key, UNDO_CANCELLATION, { subscription: subscription.address });
const refused = { code: 'invalid_request', param: 'subscription' };

it('a retry makes the overdue payment due for the workers', async () => {
  await change({ status: 'PAST_DUE', failureCount: 1, nextAttemptAt: inSeconds(HOUR) });
  expect(await countDue(world.ctx, 'TEST', 10)).toBe(0);
  const { retryPayment } = await retry();
  expect(retryPayment).toEqual({
    id: subscription.address,
    status: 'PAST_DUE',
    nextAttemptAt: world.ctx.clock.now().toISOString(),
  });
  const claim = await claimDue(world.ctx, 'TEST', 10);
  expect(claim.subscriptionIds).toEqual([subscription.id]);
  // A worker has claimed the subscription.
  expect(await graphqlError(retry())).toMatchObject({
    ...refused,
    message: expect.stringContaining('in progress'),
  });
});

it('a retry is refused in flight, without an open payment, or for others', async () => {
  await change({ status: 'PAST_DUE', failureCount: 1, nextAttemptAt: null });
  expect(await graphqlError(retry())).toMatchObject({
    ...refused,
    message: expect.stringContaining('in progress'),
  });
  await change({
    status: 'ACTIVE',
    failureCount: 0,
    nextPaymentAt: inSeconds(DAY),
    nextAttemptAt: inSeconds(DAY),
  });
  expect(await graphqlError(retry())).toMatchObject({
    ...refused,
    message: expect.stringContaining('due at'),
  });
  await change({ nextPaymentAt: inSeconds(-1), nextAttemptAt: inSeconds(HOUR), cancelAtPeriodEnd: true });
  expect(await graphqlError(retry())).toMatchObject(refused);
  await change({ status: 'EXPIRED', nextAttemptAt: null });
  expect(await graphqlError(retry())).toMatchObject({
    ...refused,
    message: expect.stringContaining('ended'),
  });
  expect(await countDue(world.ctx, 'TEST', 10)).toBe(0);
});

it("a cancellation at the end of the period ends a worker's claim of a due payment", async () => {
  const claim = await claimDue(world.ctx, 'TEST', 10);
  expect(claim.subscriptionIds).toEqual([subscription.id]);
  await world.query(merchant.testKey, CANCEL, { subscription: subscription.address, when: 'PERIOD_END' });
  // Another worker claims it at once, and ends the subscription instead of collecting.
  await collectDue(world.ctx, 'TEST');
  const { status } = await world.db.subscription.findUniqueOrThrow({ where: { id: subscription.id } });
  expect(status).toBe('CANCELLED');
  expect(
    await world.db.payment.count({ where: { subscriptionId: subscription.id, status: 'SUCCEEDED' } }),
  ).toBe(0);
});

it('a retry does not delay a payment that is already due', async () => {
  await change({ nextPaymentAt: inSeconds(-HOUR), nextAttemptAt: inSeconds(-HOUR) });
  await retry();
  const { nextAttemptAt } = await world.db.subscription.findUniqueOrThrow({ where: { id: subscription.id } });
  expect(nextAttemptAt).toEqual(inSeconds(-HOUR));
});

it('a cancellation at the end of the period can be undone until the period ends', async () => {
  await change({ nextPaymentAt: inSeconds(DAY), nextAttemptAt: inSeconds(DAY) });
  const cancel = (when: 'NOW' | 'PERIOD_END') =>
    world.query(merchant.testKey, CANCEL, { subscription: subscription.address, when });
  await cancel('PERIOD_END');
  const expected = {
    id: subscription.address,
    status: 'ACTIVE',
    cancelAtPeriodEnd: false,
    nextPaymentAt: inSeconds(DAY).toISOString(),
  };
  expect((await undo()).undoCancellation).toEqual(expected);
  expect((await undo()).undoCancellation).toEqual(expected);
  await cancel('PERIOD_END');
  await change({ nextPaymentAt: inSeconds(-1) });
  expect(await graphqlError(undo())).toMatchObject(refused);
  await cancel('NOW');
  expect(await graphqlError(undo())).toMatchObject(refused);
});
