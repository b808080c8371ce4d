import type { Customer, Discount, Plan, Subscription } from '../../../generated/prisma/client.ts';

/** Kinds of things that a search finds. */
export type SearchKind =
  | 'API_KEY'
  | 'CHECKOUT_SESSION'
  | 'CUSTOMER'
  | 'DISCOUNT'
  | 'EVENT'
  | 'PAYMENT'
  | 'PLAN'
  | 'RECEIPT'
  | 'SUBSCRIPTION'
  | 'WEBHOOK_DELIVERY'
  | 'WEBHOOK_ENDPOINT';

export interface SearchHit {
  readonly kind: SearchKind;
  /**
   * The id that the query of that kind takes: `planId` of a plan, `lifeId` of a subscription, the
   * number of a receipt.
   */
  readonly id: string;
  readonly label: string;
  /** A second line; null if there is none. */
  readonly detail: string | null;
  readonly createdAt: Date;
}

/** The fields of a subscription's plan and customer that a hit shows. */
export const PLAN_AND_CUSTOMER = {
  plan: { select: { name: true } },
  customer: { select: { email: true } },
} as const;

interface Parties {
  readonly plan: Pick<Plan, 'name'>;
  readonly customer: Pick<Customer, 'email'>;
}

export function customerHit({ id, email, walletAddress, createdAt }: Customer): SearchHit {
  return { kind: 'CUSTOMER', id, label: email, detail: walletAddress, createdAt };
}

export function subscriptionHit({
  id,
  createdAt,
  plan,
  customer,
}: Pick<Subscription, 'id' | 'createdAt'> & Parties): SearchHit {
  return { kind: 'SUBSCRIPTION', id, label: plan.name, detail: customer.email, createdAt };
}

export function discountHit({ id, name, code, createdAt }: Discount): SearchHit {
  return { kind: 'DISCOUNT', id, label: name, detail: code, createdAt };
}

export function planHit({ planId: id, name, createdAt }: Plan): SearchHit {
  return { kind: 'PLAN', id, label: name, detail: id, createdAt };
}

export function paymentHit({
  id,
  createdAt,
  subscription: { plan, customer },
}: {
  readonly id: string;
  readonly createdAt: Date;
  readonly subscription: Parties;
}): SearchHit {
  return { kind: 'PAYMENT', id, label: plan.name, detail: customer.email, createdAt };
}

export function sessionHit({
  id,
  customerEmail,
  plan,
  createdAt,
}: {
  readonly id: string;
  readonly customerEmail: string;
  readonly plan: { readonly name: string };
  readonly createdAt: Date;
}): SearchHit {
  return { kind: 'CHECKOUT_SESSION', id, label: customerEmail, detail: plan.name, createdAt };
}
