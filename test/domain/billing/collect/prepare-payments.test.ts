import { expect, it } from 'vitest';
import { preparePayments } from '../../../../src/domain/billing/collect/prepare-payments.ts';
import type { PaymentStatus } from '../../../../src/generated/prisma/client.ts';
import { sharedByFile } from '../../../support/shared-by-file.ts';
import { DAY, PRICE, startWorld } from '../../world.ts';

const world = await sharedByFile(startWorld());

it.each<readonly [PaymentStatus, object, boolean]>([
  ['DUE', {}, true],
  ['SUCCEEDED', { number: 1, signature: 'paid', paidAt: new Date() }, false],
  ['FAILED', {}, false],
])('a due date whose payment is %s', async (status, fields, isCollected) => {
  const merchant = await world.newMerchant();
  const plan = await world.publishPlan(merchant);
  const { id, address, chainCreatedAt, startedAt } = await world.subscribe(
    merchant,
    plan,
    await world.newWallet(),
  );
  const period = { periodStart: chainCreatedAt, dueAt: startedAt, amount: PRICE };
  const subscription = { subscriptionId: id, ...merchant.scope };
  await world.db.payment.create({ data: { ...subscription, ...period, status, ...fields } });
  await world.db.subscription.update({
    where: { id },
    data: { nextPaymentAt: startedAt, nextAttemptAt: startedAt },
  });

  const due = await preparePayments(world.ctx, { environment: 'TEST', subscriptionIds: [id] });
  expect(due.map((payment) => payment.subscription.address)).toEqual(isCollected ? [address] : []);
  const next = isCollected ? startedAt : new Date(startedAt.getTime() + DAY * 1000);
  expect(await world.db.subscription.findUniqueOrThrow({ where: { id } })).toMatchObject({
    nextPaymentAt: next,
    nextAttemptAt: next,
  });
});
