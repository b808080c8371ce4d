import type { CheckoutSession, Plan } from '../../../generated/prisma/client.ts';

/** The session with its plan at the session's price, which later prices of the plan do not change. */
export function atSessionPrice<T extends Pick<CheckoutSession, 'amount'> & { readonly plan: Plan }>(
  session: T,
): T {
  return { ...session, plan: { ...session.plan, amount: session.amount ?? session.plan.amount } };
}
