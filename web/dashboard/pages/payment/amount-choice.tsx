import { useId } from 'react';
import { shownAmount } from '../../../shared/money/refunded.ts';
import { refund as text } from '../../../shared/text/refunds.ts';
import { amountOf, type PaymentDetail } from './payment.ts';

export const PARTS = ['ALL', 'HALF', 'OTHER'] as const;
export type Part = (typeof PARTS)[number];

/** Half of an amount in base units, rounded down. */
const halfOf = (amount: string) => String(BigInt(amount) / 2n);

/** The amount of a part of a payment that can be refunded; undefined for one that is typed. */
export function amountOfPart(part: Part, refundableAmount: string): string | undefined {
  if (part === 'OTHER') return undefined;
  return part === 'ALL' ? refundableAmount : halfOf(refundableAmount);
}

interface AmountChoiceProps {
  readonly payment: PaymentDetail;
  readonly part: Part;
  readonly onChoose: (part: Part) => void;
}

/** Buttons for the amount of a refund: all that is left of the payment, half of it, or another. */
export function AmountChoice({ payment, part, onChoose }: AmountChoiceProps) {
  const name = useId();
  const { refundableAmount } = payment;
  // One base unit has no half.
  const parts = PARTS.filter((choice) => choice !== 'HALF' || halfOf(refundableAmount) !== '0');
  const isRest = refundableAmount !== shownAmount(payment);
  const labelOf = (choice: Part) => (choice === 'ALL' && isRest ? text.rest : text.parts[choice]);
  return (
    <fieldset>
      <legend className="mb-1 font-medium">{text.howMuch}</legend>
      <div className="flex flex-wrap gap-2">
        {parts.map((choice) => {
          const amount = amountOfPart(choice, refundableAmount);
          return (
            <label
              key={choice}
              className="flex-1 cursor-pointer rounded-md border border-edge px-3 py-1.5 text-center has-checked:border-accent has-checked:bg-accent-ground has-focus-visible:outline-2 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name={name}
                checked={choice === part}
                onChange={() => onChoose(choice)}
                className="sr-only"
              />
              <span className="block font-medium whitespace-nowrap">{labelOf(choice)}</span>
              {amount !== undefined && (
                <span className="block text-xs whitespace-nowrap text-soft">{amountOf(payment, amount)}</span>
              )}
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}
