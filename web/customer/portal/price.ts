import type { SubscriptionAnswer } from '../../../src/api/portal/answers.ts';
import { formatAmount, type TokenAmount } from '../../shared/money/token-amount.ts';
import { formatInterval } from '../../shared/time/duration.ts';

/** An amount of the subscription's token. */
export function tokensOf({ plan }: SubscriptionAnswer, amount: string = plan.amount): TokenAmount {
  return { amount, mint: plan.asset.mint, asset: plan.asset };
}

/** `5.00 USDC every 30 days` */
export function priceOf(subscription: SubscriptionAnswer, amount?: string): string {
  const { plan } = subscription;
  return `${formatAmount(tokensOf(subscription, amount))} ${formatInterval(plan.intervalSeconds)}`;
}

/** The amount of several payments, in base units. */
export function amountOf(subscription: SubscriptionAnswer, payments: number): string {
  return String(BigInt(subscription.plan.amount) * BigInt(payments));
}
