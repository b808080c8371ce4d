import { useState } from 'react';
import { graphql } from '../../../shared/api/graphql.ts';
import { useChange } from '../../../shared/api/query.ts';
import { Card } from '../../../shared/components/card.tsx';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { WriteButton } from '../../../shared/components/write-button.tsx';
import { overlap as text } from '../../../shared/text/webhooks.ts';
import { RelativeTime, Time } from '../../../shared/time/time.tsx';
import type { EndpointDetail } from './endpoint-detail.ts';

const END = graphql(/* GraphQL */ `
  mutation EndSecretOverlap($id: ID!, $previousSecretUntil: DateTime!) {
    endWebhookSecretOverlap(id: $id, previousSecretUntil: $previousSecretUntil) {
      id
    }
  }
`);

interface SecretOverlapProps {
  readonly endpoint: EndpointDetail;
}

/** Says until when the previous secret is valid, and ends it. Nothing if there is one secret. */
export function SecretOverlap({ endpoint: { id, previousSecretUntil } }: SecretOverlapProps) {
  const toast = useToast();
  const [isAsking, setAsking] = useState(false);
  const end = useChange(END, {
    onDone: () => {
      setAsking(false);
      toast(text.ended);
    },
  });
  if (!previousSecretUntil) return null;
  return (
    <Card title={text.title} actions={<WriteButton onClick={() => setAsking(true)}>{text.end}</WriteButton>}>
      <p className="text-soft">
        {text.text} <Time at={previousSecretUntil} /> (
        <RelativeTime at={previousSecretUntil} clock="machine" />
        ).
      </p>
      {isAsking && (
        <ConfirmDialog
          title={text.endTitle}
          action={text.endAction}
          danger
          busy={end.isPending}
          error={end.error?.message}
          onConfirm={() => end.mutate({ id, previousSecretUntil })}
          onClose={() => setAsking(false)}
        >
          {text.endText}
        </ConfirmDialog>
      )}
    </Card>
  );
}
