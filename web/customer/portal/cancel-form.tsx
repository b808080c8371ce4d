import { useState } from 'react';
import type { SubscriptionDetailAnswer } from '../../../src/api/portal/answers.ts';
import { Button } from '../../shared/components/button.tsx';
import { Card } from '../../shared/components/card.tsx';
import { Field } from '../../shared/components/field.tsx';
import { portal } from '../../shared/text/portal.ts';
import { billingNow } from '../../shared/time/billing-now.ts';
import { askJson } from '../shared/ask-json.ts';
import { formatDate } from '../shared/dates.ts';
import { Problem } from '../shared/frame.tsx';

const text = portal.cancel;

interface CancelFormProps {
  readonly subscription: SubscriptionDetailAnswer;
  readonly onDone: (changed: SubscriptionDetailAnswer) => void;
  readonly onClose: () => void;
}

/** Cancels without a signature. The reason is optional. */
export function CancelForm({ subscription, onDone, onClose }: CancelFormProps) {
  const { id, status, nextPaymentAt } = subscription;
  const [reason, setReason] = useState<string>();
  const [comment, setComment] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const cancel = async (event: React.FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    await askJson<SubscriptionDetailAnswer>(`/api/portal/subscriptions/${id}/cancel`, {
      ...(reason && { reason }),
      ...(comment && { comment }),
    }).then(onDone, (error: Error) => setProblem(error.message));
    setBusy(false);
  };
  // A payment may be due that is not collected yet.
  const isPaid = status === 'ACTIVE' && nextPaymentAt !== null && new Date(nextPaymentAt) > billingNow();
  return (
    <Card title={text.title} description={isPaid ? text.hint(formatDate(nextPaymentAt)) : text.hintNow}>
      <form onSubmit={(event) => void cancel(event)} className="grid gap-4">
        <fieldset>
          <legend className="mb-1 font-medium">{text.why}</legend>
          {Object.entries(text.reasons).map(([value, label]) => (
            <label key={value} className="flex min-h-10 items-center gap-3">
              <input
                type="radio"
                name="reason"
                value={value}
                checked={reason === value}
                onChange={() => setReason(value)}
                className="size-4 accent-accent"
              />
              {label}
            </label>
          ))}
        </fieldset>
        <Field label={text.comment}>
          {(control) => (
            <textarea
              {...control}
              rows={3}
              maxLength={1_000}
              value={comment}
              onInput={(event) => setComment(event.currentTarget.value)}
            />
          )}
        </Field>
        {problem && <Problem>{problem}</Problem>}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" kind="danger" busy={isBusy} className="min-h-11 px-4">
            {text.confirm}
          </Button>
          <Button className="min-h-11 px-4" onClick={onClose}>
            {text.keep}
          </Button>
        </div>
      </form>
    </Card>
  );
}
