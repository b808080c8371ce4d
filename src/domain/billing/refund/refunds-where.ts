import { invalidRequest } from '../../../errors.ts';
import type { Prisma, RefundStatus } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { createdIn, type TimeRange } from '../../kernel/input/time-filter.ts';
import { isId } from '../../kernel/input/valid-text.ts';

export interface RefundFilter extends TimeRange {
  readonly status?: RefundStatus | undefined;
  readonly paymentId?: string | undefined;
}

/** The filter for refunds. @throws BillingError invalid_request, param `paymentId` or `to` */
export function refundsWhere(
  { merchantId, environment }: Scope,
  { status, paymentId, from, to }: RefundFilter,
): Prisma.RefundWhereInput {
  if (paymentId !== undefined && !isId(paymentId)) {
    throw invalidRequest('paymentId', 'paymentId must be the id of a payment, a UUID.');
  }
  return {
    merchantId,
    environment,
    ...createdIn({ from, to }),
    ...(status && { status }),
    ...(paymentId !== undefined && { paymentId }),
  };
}
