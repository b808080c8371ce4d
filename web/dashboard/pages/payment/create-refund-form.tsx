import { useState } from 'react';
import { ApiError } from '../../../shared/api/api-error.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { useChange } from '../../../shared/api/query.ts';
import { Button } from '../../../shared/components/button.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { toBaseUnits } from '../../../shared/money/base-units.ts';
import { shownAmount } from '../../../shared/money/refunded.ts';
import { unitOf } from '../../../shared/money/token-amount.ts';
import { labels } from '../../../shared/text/labels.ts';
import { refund as text } from '../../../shared/text/refunds.ts';
import { AmountChoice, amountOfPart, type Part } from './amount-choice.tsx';
import { amountOf, type PaymentDetail } from './payment.ts';
import { Receiver } from './receiver.tsx';

const CREATE = graphql(/* GraphQL */ `
  mutation CreateRefund($input: CreateRefundInput!) {
    createRefund(input: $input) {
      id
    }
  }
`);

const MAX_REASON_CHARACTERS = 500;

interface CreateRefundFormProps {
  readonly payment: PaymentDetail;
  readonly onCreated: (id: string) => void;
  readonly onClose: () => void;
}

/** Asks for the amount and the reason of a refund, and says who gets it and what is left. */
export function CreateRefundForm({ payment, onCreated, onClose }: CreateRefundFormProps) {
  const { id: paymentId, refundableAmount, subscription } = payment;
  const { mint, asset } = subscription.plan;
  const [part, setPart] = useState<Part>('ALL');
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<string>();
  const create = useChange(CREATE, { onDone: ({ createRefund }) => onCreated(createRefund.id) });
  const amount = amountOfPart(part, refundableAmount) ?? toBaseUnits(typed, asset.decimals ?? 0);
  const error = create.error instanceof ApiError ? create.error : undefined;
  const reasonError = error?.param === 'input.reason' ? error.message : undefined;
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        const found = problemOf(amount);
        setProblem(found);
        if (found === undefined && amount !== undefined) {
          create.mutate({ input: { paymentId, amount, reason: reason.trim() || null } });
        }
      }}
    >
      <Receiver payment={payment} />
      <AmountChoice
        payment={payment}
        part={part}
        onChoose={(chosen) => {
          setPart(chosen);
          setProblem(undefined);
        }}
      />
      {part === 'OTHER' && (
        <Field
          label={text.amountIn(unitOf({ amount: refundableAmount, mint, asset }))}
          hint={text.amountHint(amountOf(payment, refundableAmount))}
          error={problem}
        >
          {(control) => (
            <input
              {...control}
              required
              inputMode="decimal"
              autoComplete="off"
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
      )}
      <p role="status" className="text-soft empty:hidden">
        {amount !== undefined && problemOf(amount) === undefined && (
          <LeftAfter payment={payment} amount={amount} />
        )}
      </p>
      <Field label={text.reason} hint={text.reasonHint} error={reasonError}>
        {(control) => (
          <input
            {...control}
            maxLength={MAX_REASON_CHARACTERS}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        )}
      </Field>
      {error && !reasonError && (
        <p role="alert" className="text-bad">
          {error.message}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{labels.cancel}</Button>
        <Button type="submit" kind="primary" busy={create.isPending}>
          {text.next}
        </Button>
      </div>
    </form>
  );

  /** What is wrong with an amount, in the words of the form. */
  function problemOf(units: string | undefined): string | undefined {
    if (units === undefined) return text.amountInvalid(asset.decimals ?? 0);
    if (BigInt(units) <= BigInt(refundableAmount)) return undefined;
    return text.amountTooHigh(amountOf(payment, refundableAmount));
  }
}

/** What is left of the payment after its refunds and this one. */
function LeftAfter({ payment, amount }: { readonly payment: PaymentDetail; readonly amount: string }) {
  const left = String(BigInt(payment.refundableAmount) - BigInt(amount));
  return text.leftAfter(amountOf(payment, left), amountOf(payment, shownAmount(payment)));
}
