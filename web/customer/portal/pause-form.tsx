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
import { priceOf } from './price.ts';

const text = portal.pause;

interface PauseFormProps {
  readonly subscription: SubscriptionDetailAnswer;
  readonly onDone: (changed: SubscriptionDetailAnswer) => void;
  readonly onClose: () => void;
}

/** Pauses for whole periods, and says when the pause ends. No signature is needed. */
export function PauseForm({ subscription, onDone, onClose }: PauseFormProps) {
  const { id, plan, nextPaymentAt, maxPausedPeriods } = subscription;
  const [periods, setPeriods] = useState(1);
  const change = useChangeOf(`/api/portal/subscriptions/${id}/pause`, onDone);
  const from = nextPaymentAt && new Date(nextPaymentAt) > billingNow() ? new Date(nextPaymentAt) : undefined;
  const until = from && new Date(from.getTime() + periods * plan.intervalSeconds * 1_000);
  return (
    <Card title={text.title} description={text.hint}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void change.send({ periods });
        }}
      >
        <Field label={text.periods}>
          {(control) => (
            <select {...control} value={periods} onChange={({ target }) => setPeriods(Number(target.value))}>
              {Array.from({ length: maxPausedPeriods }, (_, index) => index + 1).map((count) => (
                <option key={count} value={count}>
                  {count}
                </option>
              ))}
            </select>
          )}
        </Field>
        <p>
          {from && until
            ? text.dates(formatDate(from.toISOString()), formatDate(until.toISOString()))
            : text.afterDue}
        </p>
        {change.problem && <Problem>{change.problem}</Problem>}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" kind="primary" busy={change.isBusy} className="min-h-11 px-4">
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

/** Ends a pause: at once with a payment, or at the next due date. */
export function UnpauseForm({ subscription, onDone, onClose }: PauseFormProps) {
  const { id, pause } = subscription;
  const change = useChangeOf(`/api/portal/subscriptions/${id}/unpause`, onDone);
  const hasBegun = pause !== null && new Date(pause.from) <= billingNow();
  return (
    <Card title={text.endTitle} description={hasBegun ? text.endHint : text.takeBackHint}>
      {change.problem && <Problem>{change.problem}</Problem>}
      <div className="flex flex-wrap gap-2">
        {hasBegun && (
          <Button
            kind="primary"
            busy={change.isBusy}
            className="min-h-11 px-4"
            onClick={() => void change.send({ chargeNow: true })}
          >
            {text.payNow(priceOf(subscription))}
          </Button>
        )}
        <Button
          kind={hasBegun ? 'secondary' : 'primary'}
          busy={change.isBusy}
          className="min-h-11 px-4"
          onClick={() => void change.send({ chargeNow: false })}
        >
          {hasBegun ? text.continueLater : text.takeBack}
        </Button>
        <Button className="min-h-11 px-4" onClick={onClose}>
          {text.stay}
        </Button>
      </div>
    </Card>
  );
}

function useChangeOf(path: string, onDone: (changed: SubscriptionDetailAnswer) => void) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const send = async (body: object) => {
    setBusy(true);
    setProblem(undefined);
    await askJson<SubscriptionDetailAnswer>(path, body).then(onDone, (error: Error) =>
      setProblem(error.message),
    );
    setBusy(false);
  };
  return { isBusy, problem, send };
}
