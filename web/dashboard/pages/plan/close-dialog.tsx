import { useEffect, useState } from 'react';
import { ask } from '../../../shared/api/ask.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { Button } from '../../../shared/components/button.tsx';
import { Dialog } from '../../../shared/components/dialog.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { SignTransaction } from '../../../shared/components/sign-transaction.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { labels } from '../../../shared/text/labels.ts';
import { plan as text } from '../../../shared/text/plan.ts';
import { useBillingNow } from '../../../shared/time/billing-now.ts';
import { formatDuration } from '../../../shared/time/duration.ts';
import type { PlanDetail } from './plan.ts';

const CLOSE = graphql(/* GraphQL */ `
  mutation ClosePlan($planId: String!, $endsAt: DateTime!) {
    sunsetPlanTransaction(planId: $planId, endsAt: $endsAt) {
      transaction
    }
  }
`);

/**
 * Time to sign, and for attempts that were set while payments were spread over a longer time: added to the time
 * for which the plan must still run.
 */
const MARGIN_MS = 2 * 3_600_000;

interface CloseDialogProps {
  readonly plan: PlanDetail;
  readonly onClose: () => void;
}

/** Closes a plan to new customers: choose its end, then sign. */
export function CloseDialog({ plan, onClose }: CloseDialogProps) {
  const { planId, interval, collectWithinSeconds, status, merchant } = plan;
  const leastSeconds = interval + collectWithinSeconds;
  const toast = useToast();
  const now = useBillingNow();
  const [end, setEnd] = useState(() =>
    formatLocal(new Date(now.getTime() + leastSeconds * 1_000 + MARGIN_MS)),
  );
  const [isChosen, setChosen] = useState(false);
  const isClosed = status === 'INACTIVE';
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the closing on chain closes it
  useEffect(() => {
    if (!isClosed) return;
    toast(text.closedDone);
    onClose();
  }, [isClosed]);
  return (
    <Dialog title={text.closeTitle} description={text.closeHint} onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          setChosen(true);
        }}
      >
        <Field
          label={text.closeEnd}
          hint={text.closeEndHint(
            formatDuration(interval),
            collectWithinSeconds > 0 && formatDuration(collectWithinSeconds),
          )}
        >
          {(control) => (
            <input
              {...control}
              type="datetime-local"
              required
              value={end}
              onChange={({ target }) => {
                setEnd(target.value);
                setChosen(false);
              }}
            />
          )}
        </Field>
        {!isChosen && (
          <div className="flex justify-end gap-2">
            <Button onClick={onClose}>{labels.cancel}</Button>
            <Button type="submit" kind="primary">
              {text.closeNext}
            </Button>
          </div>
        )}
      </form>
      {isChosen && (
        <div className="mt-4 border-t border-line pt-4">
          <SignTransaction
            signer={merchant.walletAddress}
            action={text.close}
            effect={text.closeEffect}
            danger
            readTransaction={async () => {
              const endsAt = new Date(end).toISOString();
              return (await ask(CLOSE, { planId, endsAt })).sunsetPlanTransaction.transaction;
            }}
          />
        </div>
      )}
    </Dialog>
  );
}

/** Formats a time for a `datetime-local` field: `2026-12-31T18:00`. */
function formatLocal(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
