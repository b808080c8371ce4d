import type { FailureCode, PaymentStatus } from '../../generated/graphql.ts';
import { Amount } from '../money/amount.tsx';
import { netAmount, refundedPart, shownAmount } from '../money/refunded.ts';
import { formatAmount, type TokenAmount } from '../money/token-amount.ts';
import { refund as text } from '../text/refunds.ts';
import { failures } from '../text/statuses.ts';
import { Badge } from './badge.tsx';
import { StatusBadge } from './status-badge.tsx';

interface PaymentFacts {
  readonly status: PaymentStatus;
  readonly failureCode?: FailureCode | null;
  readonly amount: string;
  readonly paidAmount: string | null;
  readonly refundedAmount: string;
}

/** The status of a payment in a list: whether it was refunded, and why it failed. */
export function PaymentStatusCell({ status, failureCode, refundedAmount, ...payment }: PaymentFacts) {
  const part = refundedPart(shownAmount(payment), refundedAmount);
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
  readonly paidAmount: string | null;
  readonly refundedAmount: string;
}

/** What was paid after its refunds, or what is owed; below it the amount before, if it differs. */
export function PaymentAmount({ paidAmount, refundedAmount, ...owed }: PaymentAmountProps) {
  const shown = shownAmount({ ...owed, paidAmount });
  const net = netAmount(shown, refundedAmount);
  const before = net === shown ? owed.amount : shown;
  return (
    <>
      <Amount {...owed} amount={net} />
      {before !== net && (
        <span className="block text-xs text-soft">
          {text.ofAmount(formatAmount({ ...owed, amount: before }))}
        </span>
      )}
    </>
  );
}
