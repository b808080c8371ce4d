import { expect, it } from 'vitest';
import { refundableAmount } from '../../../src/domain/billing/refund/refunded-amounts.ts';
import type { PaymentStatus, RefundStatus } from '../../../src/generated/prisma/client.ts';

const refund = (status: RefundStatus, amount: bigint, excess: readonly bigint[] = []) => ({
  status,
  amount,
  excess: excess.map((sent) => ({ amount: sent })),
});

it.each<[string, PaymentStatus, boolean, ReturnType<typeof refund>[], bigint]>([
  ['all of a final payment', 'SUCCEEDED', true, [], 10n],
  ['nothing of a payment that is not final', 'SUCCEEDED', false, [], 0n],
  ['nothing of a payment that failed', 'FAILED', true, [], 0n],
  [
    'what pending and succeeded refunds leave',
    'SUCCEEDED',
    true,
    [refund('PENDING', 3n), refund('SUCCEEDED', 4n)],
    3n,
  ],
  [
    'also what was cancelled or has expired',
    'SUCCEEDED',
    true,
    [refund('CANCELLED', 3n), refund('EXPIRED', 4n)],
    10n,
  ],
  ['not what was sent twice', 'SUCCEEDED', true, [refund('SUCCEEDED', 4n, [4n, 1n])], 1n],
  ['nothing if more was sent than paid', 'SUCCEEDED', true, [refund('SUCCEEDED', 8n, [8n])], 0n],
])('can be refunded: %s', (_, status, finalized, refunds, expected) => {
  expect(refundableAmount({ paidAmount: 10n, status, finalized }, refunds)).toBe(expected);
});
