import { invalidRequest } from '../../errors.ts';
import type { Prisma, RefundStatus } from '../../generated/prisma/client.ts';
import type { Scope } from '../access/scope.ts';
import { createdIn, type TimeRange } from '../input/time-filter.ts';
import { isId } from '../input/valid-text.ts';

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
