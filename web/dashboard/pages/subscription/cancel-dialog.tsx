import { useId, useState } from 'react';
import type { CancelWhen } from '../../../generated/graphql.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { useChange } from '../../../shared/api/query.ts';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { subscription as text } from '../../../shared/text/subscriptions.ts';
import type { SubscriptionDetail } from './subscription-detail.ts';

const CANCEL = graphql(/* GraphQL */ `
  mutation CancelSubscription($id: ID!, $when: CancelWhen!) {
    cancelSubscription(subscription: $id, when: $when) {
      subscription {
        lifeId
        status
      }
    }
  }
`);

const CHOICES: readonly { readonly value: CancelWhen; readonly label: string; readonly hint: string }[] = [
  { value: 'PERIOD_END', label: text.cancelAtEnd, hint: text.cancelAtEndHint },
  { value: 'NOW', label: text.cancelNow, hint: text.cancelNowHint },
];

interface CancelDialogProps {
  readonly subscription: SubscriptionDetail;
  readonly onClose: () => void;
}

/**
 * Asks when to cancel. Offers the end of the period only if the subscription is active and does not
 * end then already: a past-due one has no paid period left. The page is live, so the offer may
 * change while the dialog is open.
 */
export function CancelDialog({ subscription, onClose }: CancelDialogProps) {
  const { lifeId, status, cancelAtPeriodEnd } = subscription;
  const canEndLater = status === 'ACTIVE' && !cancelAtPeriodEnd;
  const choices = CHOICES.filter(({ value }) => canEndLater || value === 'NOW');
  const [selected, setSelected] = useState<CancelWhen>('PERIOD_END');
  const when = canEndLater ? selected : 'NOW';
  const name = useId();
  const toast = useToast();
  const cancel = useChange(CANCEL, {
    onDone: ({ cancelSubscription }) => {
      toast(cancelSubscription.subscription.status === 'CANCELLED' ? text.cancelDone : text.cancelScheduled);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={text.cancelTitle}
      action={text.cancelAction}
      danger
      busy={cancel.isPending}
      error={cancel.error?.message}
      onConfirm={() => cancel.mutate({ id: lifeId, when })}
      onClose={onClose}
    >
      <fieldset className="grid gap-2">
        <legend className="sr-only">{text.cancelWhen}</legend>
        {choices.map(({ value, label, hint }) => (
          <label
            key={value}
            className="flex gap-3 rounded-md border border-line p-3 has-checked:border-accent has-checked:bg-accent-ground"
          >
            <input
              type="radio"
              name={name}
              checked={when === value}
              onChange={() => setSelected(value)}
              className="mt-0.5 accent-accent"
            />
            <span>
              <span className="block font-medium text-ink">{label}</span>
              {hint}
            </span>
          </label>
        ))}
      </fieldset>
    </ConfirmDialog>
  );
}
