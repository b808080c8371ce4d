import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAskedDialog } from '../../../shared/api/asked-dialog.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { useChange } from '../../../shared/api/query.ts';
import { WriteButton } from '../../../shared/components/write-button.tsx';
import { endpointForm, webhooks as text } from '../../../shared/text/webhooks.ts';
import { EndpointForm } from './endpoint-form.tsx';
import { SigningSecret } from './signing-secret.tsx';

const CREATE = graphql(/* GraphQL */ `
  mutation CreateEndpoint($url: String!, $eventTypes: [String!], $maxPerSecond: Int, $maxConcurrency: Int) {
    createWebhookEndpoint(
      url: $url
      eventTypes: $eventTypes
      maxPerSecond: $maxPerSecond
      maxConcurrency: $maxConcurrency
    ) {
      secret
      endpoint {
        id
      }
    }
  }
`);

/** The button that adds an endpoint. It opens the form, and then shows the secret. */
export function AddEndpoint() {
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  useAskedDialog('/webhooks', () => setOpen(true));
  const [added, setAdded] = useState<{ readonly id: string; readonly secret: string }>();
  const create = useChange(CREATE, {
    onDone: ({ createWebhookEndpoint: { secret, endpoint } }) => {
      setOpen(false);
      setAdded({ id: endpoint.id, secret });
    },
  });
  return (
    <>
      <WriteButton kind="primary" icon="plus" onClick={() => setOpen(true)}>
        {text.add}
      </WriteButton>
      {isOpen && (
        <EndpointForm
          title={endpointForm.addTitle}
          action={endpointForm.add}
          onSave={(settings) => create.mutateAsync(settings)}
          onClose={() => setOpen(false)}
        />
      )}
      {added && (
        <SigningSecret
          secret={added.secret}
          onClose={() => {
            setAdded(undefined);
            void navigate({ to: '/webhooks/$id', params: { id: added.id } });
          }}
        />
      )}
    </>
  );
}
