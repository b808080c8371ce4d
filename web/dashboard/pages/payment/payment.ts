import type { PaymentPageQuery } from '../../../generated/graphql.ts';

export type PaymentDetail = NonNullable<PaymentPageQuery['payment']>;
export type RefundRow = PaymentDetail['refunds'][number];
