import { useNavigate } from '@tanstack/react-router';
import { isLive } from '../../../shared/api/environment.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { useChange } from '../../../shared/api/query.ts';
import { Dialog } from '../../../shared/components/dialog.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { FormButtons } from '../../../shared/components/form-buttons.tsx';
import { FormError } from '../../../shared/components/form-error.tsx';
import { useApiForm } from '../../../shared/components/use-api-form.ts';
import { eventHints } from '../../../shared/text/events.ts';
import { webhook as text } from '../../../shared/text/webhooks.ts';

const TEST = graphql(/* GraphQL */ `
  mutation SendTest($endpointId: ID!, $type: String) {
    sendTestWebhook(endpointId: $endpointId, type: $type) {
      id
    }
  }
`);

const PLAIN_TEST = 'endpoint.test';
/** LIVE allows no samples that could be taken for real events. */
const TYPES = [
  PLAIN_TEST,
  ...(isLive ? [] : Object.keys(eventHints).filter((type) => type.startsWith('subscription.'))),
];

/** Sends a sample event to one endpoint, and goes to its delivery. */
export function TestDialog({
  endpointId,
  onClose,
}: {
  readonly endpointId: string;
  readonly onClose: () => void;
}) {
  const navigate = useNavigate();
  const send = useChange(TEST, {
    onDone: ({ sendTestWebhook: { id } }) => navigate({ to: '/deliveries/$id', params: { id } }),
  });
  const { form, errorOf, formError, submit } = useApiForm({ type: PLAIN_TEST });
  return (
    <Dialog title={text.testTitle} description={text.testHint} onClose={onClose}>
      <form onSubmit={submit(({ type }) => send.mutateAsync({ endpointId, type }))} className="grid gap-4">
        <Field label={text.type} error={errorOf('type')}>
          {(control) => (
            <select {...control} {...form.register('type')}>
              {TYPES.map((type) => (
                <option key={type}>{type}</option>
              ))}
            </select>
          )}
        </Field>
        <FormError message={formError} />
        <FormButtons action={text.testAction} busy={form.formState.isSubmitting} onClose={onClose} />
      </form>
    </Dialog>
  );
}
