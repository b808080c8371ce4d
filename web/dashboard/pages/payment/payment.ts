import type { PaymentPageQuery } from '../../../generated/graphql.ts';
import { formatAmount } from '../../../shared/money/token-amount.ts';

export type PaymentDetail = NonNullable<PaymentPageQuery['payment']>;
export type RefundRow = PaymentDetail['refunds'][number];

/** Formats an amount in the token of a payment's plan. */
export function amountOf({ subscription }: PaymentDetail, amount: string): string {
  const { mint, asset } = subscription.plan;
  return formatAmount({ amount, mint, asset });
}
