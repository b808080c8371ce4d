import type { FailureCode, PaymentStatus } from '../../generated/graphql.ts';
import { Amount } from '../money/amount.tsx';
import { netAmount, refundedPart } from '../money/refunded.ts';
import { formatAmount, type TokenAmount } from '../money/token-amount.ts';
import { refund as text } from '../text/refunds.ts';
import { failures } from '../text/statuses.ts';
import { Badge } from './badge.tsx';
import { StatusBadge } from './status-badge.tsx';

interface PaymentFacts {
  readonly status: PaymentStatus;
  readonly failureCode?: FailureCode | null;
  readonly amount: string;
  readonly refundedAmount: string;
}

/** The status of a payment in a list: whether it was refunded, and why it failed. */
export function PaymentStatusCell({ status, failureCode, amount, refundedAmount }: PaymentFacts) {
  const part = refundedPart(amount, refundedAmount);
  if (part) return <Badge>{part === 'ALL' ? text.refunded : text.partlyRefunded}</Badge>;
  return (
    <>
      <StatusBadge status={status} />
      {status !== 'SUCCEEDED' && failureCode && (
        <span className="block text-xs text-soft">{failures[failureCode]}</span>
      )}
    </>
  );
}

interface PaymentAmountProps extends TokenAmount {
  readonly refundedAmount: string;
}

/** The amount of a payment after its refunds. */
export function PaymentAmount({ refundedAmount, ...tokens }: PaymentAmountProps) {
  if (refundedAmount === '0') return <Amount {...tokens} />;
  return (
    <>
      <Amount {...tokens} amount={netAmount(tokens.amount, refundedAmount)} />
      <span className="block text-xs text-soft">{text.ofAmount(formatAmount(tokens))}</span>
    </>
  );
}
