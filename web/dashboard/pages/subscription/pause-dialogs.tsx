import { useState } from 'react';
import { graphql } from '../../../shared/api/graphql.ts';
import { useChange } from '../../../shared/api/query.ts';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { WriteButton } from '../../../shared/components/write-button.tsx';
import { pauses as text } from '../../../shared/text/subscriptions.ts';
import type { SubscriptionDetail } from './subscription-detail.ts';

const PAUSE = graphql(/* GraphQL */ `
  mutation PauseSubscription($id: ID!, $periods: Int, $keepsAccess: Boolean!, $reason: String) {
    pauseSubscription(subscription: $id, periods: $periods, keepsAccess: $keepsAccess, reason: $reason) {
      lifeId
    }
  }
`);

const SKIP = graphql(/* GraphQL */ `
  mutation SkipNextPayment($id: ID!, $keepsAccess: Boolean!, $reason: String) {
    skipNextPayment(subscription: $id, keepsAccess: $keepsAccess, reason: $reason) {
      lifeId
    }
  }
`);

const FREE = graphql(/* GraphQL */ `
  mutation GrantFreePeriods($id: ID!, $count: Int!, $reason: String) {
    grantFreePeriods(subscription: $id, count: $count, reason: $reason) {
      lifeId
    }
  }
`);

const WAIVE = graphql(/* GraphQL */ `
  mutation WaivePayment($id: ID!, $reason: String) {
    waivePayment(subscription: $id, reason: $reason) {
      lifeId
    }
  }
`);

const UNPAUSE = graphql(/* GraphQL */ `
  mutation UnpauseSubscription($id: ID!, $chargeNow: Boolean!) {
    unpauseSubscription(subscription: $id, chargeNow: $chargeNow) {
      lifeId
    }
  }
`);

type Choice = 'skip' | 'pause' | 'endless' | 'free' | 'waive';

interface DialogProps {
  readonly subscription: SubscriptionDetail;
  readonly onClose: () => void;
}

/** Asks which of the next payments are not charged. */
export function PauseDialog({ subscription, onClose }: DialogProps) {
  const { lifeId, pausedFrom } = subscription;
  const toast = useToast();
  const onDone = () => {
    toast(text.done);
    onClose();
  };
  const pause = useChange(PAUSE, { onDone });
  const skip = useChange(SKIP, { onDone });
  const free = useChange(FREE, { onDone });
  const waive = useChange(WAIVE, { onDone });
  const choices: readonly Choice[] = pausedFrom
    ? ['free', 'waive']
    : ['skip', 'pause', 'endless', 'free', 'waive'];
  const [selected, setChoice] = useState<Choice>('skip');
  const choice = choices.includes(selected) ? selected : 'free';
  const [count, setCount] = useState(2);
  const [keepsAccess, setKeepsAccess] = useState(false);
  const [reason, setReason] = useState('');
  const isPause = choice !== 'free' && choice !== 'waive';
  const confirm = () => {
    const waived = { id: lifeId, reason: reason || null };
    if (choice === 'free') free.mutate({ ...waived, count });
    else if (choice === 'waive') waive.mutate(waived);
    else if (choice === 'skip') skip.mutate({ ...waived, keepsAccess });
    else pause.mutate({ ...waived, periods: choice === 'pause' ? count : null, keepsAccess });
  };
  return (
    <ConfirmDialog
      title={text.title}
      action={text.confirm}
      busy={[pause, skip, free, waive].some(({ isPending }) => isPending)}
      error={(pause.error ?? skip.error ?? free.error ?? waive.error)?.message}
      onConfirm={confirm}
      onClose={onClose}
    >
      <div className="grid gap-3">
        <p>{text.hint}</p>
        <Field label={text.what} hint={text.choiceHints[choice]}>
          {(control) => (
            <select {...control} value={choice} onChange={({ target }) => setChoice(target.value as Choice)}>
              {choices.map((value) => (
                <option key={value} value={value}>
                  {text.choices[value]}
                </option>
              ))}
            </select>
          )}
        </Field>
        {(choice === 'pause' || choice === 'free') && (
          <Field label={text.periods}>
            {(control) => (
              <input
                {...control}
                type="number"
                min={1}
                max={12}
                value={count}
                onChange={({ target }) => setCount(target.valueAsNumber || 1)}
              />
            )}
          </Field>
        )}
        {isPause && (
          <label className="flex items-center gap-2 text-ink">
            <input
              type="checkbox"
              className="accent-accent"
              checked={keepsAccess}
              onChange={({ target }) => setKeepsAccess(target.checked)}
            />
            {text.keepsAccess}
          </label>
        )}
        <Field label={text.reason} hint={text.reasonHint}>
          {(control) => (
            <input
              {...control}
              value={reason}
              maxLength={500}
              onChange={({ target }) => setReason(target.value)}
            />
          )}
        </Field>
      </div>
    </ConfirmDialog>
  );
}

/** Ends a pause, after a question whether the running period is charged. */
export function ResumeButton({ subscription }: Pick<DialogProps, 'subscription'>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <WriteButton onClick={() => setOpen(true)}>{text.resume}</WriteButton>
      {isOpen && <ResumeDialog subscription={subscription} onClose={() => setOpen(false)} />}
    </>
  );
}

function ResumeDialog({ subscription, onClose }: DialogProps) {
  const toast = useToast();
  const [chargeNow, setChargeNow] = useState(false);
  const unpause = useChange(UNPAUSE, {
    onDone: () => {
      toast(text.resumed);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={text.resumeTitle}
      action={text.resume}
      busy={unpause.isPending}
      error={unpause.error?.message}
      onConfirm={() => unpause.mutate({ id: subscription.lifeId, chargeNow })}
      onClose={onClose}
    >
      <p>{text.resumeHint}</p>
      <label className="mt-3 flex items-center gap-2 text-ink">
        <input
          type="checkbox"
          className="accent-accent"
          checked={chargeNow}
          onChange={({ target }) => setChargeNow(target.checked)}
        />
        {text.chargeNow}
      </label>
    </ConfirmDialog>
  );
}
