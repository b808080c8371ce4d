import { randomUUID } from 'node:crypto';
import type { Db } from '../../src/db/db.ts';
import type { Scope } from '../../src/domain/kernel/access/scope.ts';
import type { Customer, Plan, Prisma } from '../../src/generated/prisma/client.ts';

// Rows as dues writes them, for worlds without a chain. Callers name the fields that matter to them.

/** Writes a merchant, whose wallet nobody has. */
export async function seedScope(db: Db, companyName = 'Acme'): Promise<Scope> {
  const { id } = await db.merchant.create({
    data: { companyName, walletAddress: `merchant-${randomUUID()}` },
  });
  return { merchantId: id, environment: 'TEST' };
}

/** Writes a plan; by default the draft of an hourly one. */
export function seedPlan(
  db: Db,
  scope: Scope,
  fields: Partial<Prisma.PlanUncheckedCreateInput> = {},
): Promise<Plan> {
  return db.plan.create({
    data: {
      ...scope,
      planId: 'pro',
      name: fields.planId ?? 'Pro',
      amount: 5_000_000n,
      intervalSeconds: 3_600,
      mint: 'mint',
      tokenProgram: 'tokens',
      chainPlanId: 1n,
      address: `plan-${randomUUID()}`,
      ...fields,
    },
  });
}

export function seedCustomer(
  db: Db,
  scope: Scope,
  fields: Partial<Prisma.CustomerUncheckedCreateInput> = {},
): Promise<Customer> {
  return db.customer.create({
    data: { ...scope, email: 'a@example.com', walletAddress: 'wallet', ...fields },
  });
}

/** The row of an active subscription, whose first payment is due at its start. */
export function subscriptionRow(
  plan: Plan,
  customer: Customer,
  startedAt: Date,
  fields: Partial<Prisma.SubscriptionUncheckedCreateInput> = {},
): Prisma.SubscriptionUncheckedCreateInput {
  return {
    merchantId: plan.merchantId,
    environment: plan.environment,
    planId: plan.id,
    customerId: customer.id,
    address: `subscription-${randomUUID()}`,
    chainCreatedAt: 1n,
    walletAddress: 'wallet',
    tokenAccount: 'tokens',
    startedAt,
    nextPaymentAt: startedAt,
    ...fields,
  };
}
