import { useNavigate } from '@tanstack/react-router';
import { isLive } from '../../../shared/api/environment.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { useChange } from '../../../shared/api/query.ts';
import { FormDialog } from '../../../shared/components/form-dialog.tsx';
import { useApiForm } from '../../../shared/components/use-api-form.ts';
import { webhook as text } from '../../../shared/text/webhooks.ts';
import { SAMPLE_TYPES, SampleTypeField } from '../events/sample-type-field.tsx';

const TEST = graphql(/* GraphQL */ `
  mutation SendTest($endpointId: ID!, $type: String) {
    sendTestWebhook(endpointId: $endpointId, type: $type) {
      id
    }
  }
`);

const PLAIN_TEST = 'endpoint.test';
/** LIVE allows no samples that could be mistaken for real events. */
const TYPES = [PLAIN_TEST, ...(isLive ? [] : SAMPLE_TYPES)];

/** Sends a sample event to one endpoint, and opens its delivery. */
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
  const apiForm = useApiForm({ type: PLAIN_TEST });
  return (
    <FormDialog
      title={text.testTitle}
      description={text.testHint}
      action={text.testAction}
      apiForm={apiForm}
      send={({ type }) => send.mutateAsync({ endpointId, type })}
      onClose={onClose}
    >
      <SampleTypeField apiForm={apiForm} label={text.type} types={TYPES} />
    </FormDialog>
  );
}
