import { useState } from 'react';
import type { ReplayWebhooksInput, WebhookResult } from '../../../generated/graphql.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { useChange } from '../../../shared/api/query.ts';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { Dialog } from '../../../shared/components/dialog.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { FormButtons } from '../../../shared/components/form-buttons.tsx';
import { FormError } from '../../../shared/components/form-error.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { useApiForm } from '../../../shared/components/use-api-form.ts';
import { replay as text } from '../../../shared/text/webhooks.ts';
import { billingNow } from '../../../shared/time/billing-now.ts';

const REPLAY = graphql(/* GraphQL */ `
  mutation ReplayEvents($input: ReplayWebhooksInput!, $dryRun: Boolean!) {
    replayWebhooks(input: $input, dryRun: $dryRun) {
      count
    }
  }
`);

const RESULTS = ['FAILED', 'NOT_SENT', 'CANCELLED', 'SUCCEEDED'] as const satisfies readonly WebhookResult[];
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Formats a time of this device for a `datetime-local` field: `2026-12-31T18:00`. */
function formatMinute(ms: number): string {
  const offsetMs = new Date(ms).getTimezoneOffset() * MINUTE_MS;
  return new Date(ms - offsetMs).toISOString().slice(0, 16);
}

interface ReplayDialogProps {
  readonly endpointId: string;
  readonly onClose: () => void;
}

/** Counts the events of a period that a replay would send, and then replays them. */
export function ReplayDialog({ endpointId, onClose }: ReplayDialogProps) {
  const toast = useToast();
  const [counted, setCounted] = useState<{ readonly input: ReplayWebhooksInput; readonly count: number }>();
  const [isConfirming, setConfirming] = useState(false);
  const replay = useChange(REPLAY);
  const { form, errorOf, formError, submit } = useApiForm({
    from: formatMinute(billingNow().getTime() - DAY_MS),
    to: formatMinute(billingNow().getTime() + MINUTE_MS),
    results: ['FAILED', 'NOT_SENT'] as WebhookResult[],
  });
  const count = submit(async ({ from, to, results }) => {
    const input = { endpointId, from: new Date(from).toISOString(), to: new Date(to).toISOString(), results };
    const found = await replay.mutateAsync({ input, dryRun: true });
    setCounted({ input, count: found.replayWebhooks.count });
    setConfirming(found.replayWebhooks.count > 0);
  });
  const send = async () => {
    if (!counted) return;
    const sent = await replay.mutateAsync({ input: counted.input, dryRun: false });
    toast(text.done(sent.replayWebhooks.count));
    onClose();
  };
  if (counted && isConfirming) {
    return (
      <ConfirmDialog
        title={text.confirmTitle(counted.count)}
        action={text.action(counted.count)}
        busy={replay.isPending}
        error={replay.error?.message}
        // The dialog shows the error.
        onConfirm={() => void send().catch(() => undefined)}
        onClose={onClose}
      >
        {text.confirmText}
      </ConfirmDialog>
    );
  }
  return (
    <Dialog title={text.title} description={text.hint} onClose={onClose}>
      <form onSubmit={count} className="grid gap-4">
        <div className="grid gap-4">
          <Field label={text.from} error={errorOf('from')}>
            {(control) => <input {...control} {...form.register('from')} type="datetime-local" required />}
          </Field>
          <Field label={text.to} error={errorOf('to')}>
            {(control) => <input {...control} {...form.register('to')} type="datetime-local" required />}
          </Field>
        </div>
        <fieldset className="grid gap-2">
          <legend className="mb-1 font-medium">{text.results}</legend>
          {RESULTS.map((value) => (
            <label key={value} className="flex items-start gap-2">
              <input
                type="checkbox"
                value={value}
                {...form.register('results')}
                className="mt-0.5 size-4 shrink-0 accent-accent"
              />
              {text.outcomes[value]}
            </label>
          ))}
        </fieldset>
        <FormError message={formError} />
        <p role="status" className="text-warn empty:hidden">
          {counted?.count === 0 && !replay.isPending && text.none}
        </p>
        <FormButtons action={text.count} busy={form.formState.isSubmitting} onClose={onClose} />
      </form>
    </Dialog>
  );
}
