import { EXAMPLE } from '../../src/api/rest/examples.ts';
import { DEVNET_USDC } from '../../src/config/variables/cluster.ts';
import type { Db } from '../../src/db/db.ts';
import type { Scope } from '../../src/domain/kernel/access/scope.ts';
import type { Payment } from '../../src/generated/prisma/client.ts';
import { namedAddress } from '../support/named-address.ts';

const STATUSES = ['ACTIVE', 'PAST_DUE', 'CANCELLED', 'EXPIRED'] as const;

/**
 * Writes subscriptions as billing does, created one minute apart. They are not on chain, so they
 * suit only tests that read.
 */
export async function seedSubscriptions(
  db: Db,
  scope: Scope,
  count: number,
  prefix = scope.environment as string,
) {
  const plan = await db.plan.create({
    data: {
      ...scope,
      planId: 'seeded',
      name: 'Seeded',
      // A double cannot represent this amount.
      amount: 9_007_199_254_740_993n,
      intervalSeconds: 3600,
      mint: DEVNET_USDC,
      tokenProgram: 'tokens',
      chainPlanId: 1n,
      address: `${prefix}-plan`,
      status: 'ACTIVE',
      chainCreatedAt: 1n,
    },
  });
  for (let number = 0; number < count; number++) {
    const status = STATUSES[(number + 1) % STATUSES.length] as (typeof STATUSES)[number];
    const at = new Date(Date.UTC(2026, 10, 1, 0, number));
    await db.subscription.create({
      data: {
        merchant: { connect: { id: scope.merchantId } },
        environment: scope.environment,
        plan: { connect: { id: plan.id } },
        customer: {
          create: {
            ...scope,
            email: `customer-${number}@example.com`,
            customerId: `user-${number}`,
            walletAddress: namedAddress(`wallet-${number}`),
          },
        },
        address: namedAddress(`${prefix}-subscription-${number}`),
        chainCreatedAt: BigInt(number),
        walletAddress: namedAddress(`wallet-${number}`),
        tokenAccount: `tokens-${number}`,
        // The newest of 23 is expired, the one before it is cancelled, and so on.
        status,
        // The counts of lists by status come from the transitions.
        transitions: { create: { to: status, reason: 'subscribed', at } },
        metadata: { number },
        startedAt: at,
        nextPaymentAt: new Date(at.getTime() + 24 * 3_600_000),
        paymentCount: number,
        failureCount: status === 'PAST_DUE' ? 1 : 0,
        createdAt: at,
      },
    });
  }
  return plan;
}

/** Writes one payment in each status, oldest first. The failed payment has two attempts. */
export async function seedPayments(db: Db, scope: Scope, address: string) {
  const subscription = await db.subscription.findFirstOrThrow({ where: { ...scope, address } });
  const createPayment = (index: number, status: 'DUE' | 'SUCCEEDED' | 'FAILED' | 'MISSED', fields = {}) =>
    db.payment.create({
      data: {
        ...scope,
        subscriptionId: subscription.id,
        periodStart: BigInt(index),
        dueAt: new Date(Date.UTC(2026, 10, index)),
        createdAt: new Date(Date.UTC(2026, 10, index)),
        amount: 5_000_000n,
        status,
        ...fields,
      },
    });
  const settledAt = new Date('2026-11-03T00:00:01Z');
  return [
    await createPayment(1, 'MISSED'),
    await createPayment(2, 'SUCCEEDED', {
      number: 1,
      signature: 'signature',
      finalized: true,
      paidAt: settledAt,
    }),
    await createPayment(3, 'FAILED', {
      attempts: {
        create: [
          { status: 'VOID', createdAt: new Date('2026-11-03T00:00:00Z'), settledAt },
          {
            status: 'FAILED',
            failureCode: 'INSUFFICIENT_FUNDS',
            amountRequired: 5_000_000n,
            balanceAvailable: 1n,
            createdAt: settledAt,
            settledAt,
          },
        ],
      },
    }),
    await createPayment(4, 'DUE'),
  ] as const;
}

/** Writes the transfer of a payment, as it was seen on chain. Returns its signature. */
export async function seedTransfer(db: Db, { id, amount, periodStart }: Payment): Promise<string> {
  const signature = '5'.repeat(87);
  const transferKey = { environment: 'TEST', signature, index: 0, slot: 1n } as const;
  const plan = { subscriptionAddress: 'subscription', planAddress: 'plan' };
  await db.chainTransfer.create({ data: { ...transferKey, ...plan, amount, periodStart, paymentId: id } });
  return signature;
}

/** Writes the receipt of a successful payment. */
export async function seedReceipt(
  db: Db,
  { merchantId, environment }: Scope,
  paymentId: string,
  number: number,
  issuedAt: Date,
) {
  const { subscription } = await db.payment.update({
    where: { id: paymentId },
    data: { finalized: true, receiptNumber: number },
    select: { subscription: { include: { customer: true, merchant: true } } },
  });
  const { customer, merchant, customerId, address } = subscription;
  const { document } = EXAMPLE.receipt;
  return db.receipt.create({
    data: {
      merchantId,
      environment,
      paymentId,
      customerId,
      number,
      issuedAt,
      document: {
        ...document,
        number,
        environment,
        paymentId,
        issuedAt: issuedAt.toISOString(),
        seller: { ...document.seller, name: merchant.companyName },
        buyer: { ...document.buyer, email: customer.email, wallet: customer.walletAddress },
        chain: { ...document.chain, subscription: address },
      },
    },
  });
}
