import type { EndpointStatus } from '../../../generated/graphql.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { useChange } from '../../../shared/api/query.ts';
import { usePermissions } from '../../../shared/api/viewer.ts';
import { Button, type ButtonKind } from '../../../shared/components/button.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { labels } from '../../../shared/text/labels.ts';
import { delivery as text } from '../../../shared/text/webhooks.ts';

const RESEND = graphql(/* GraphQL */ `
  mutation ResendDelivery($id: ID!) {
    resendWebhook(deliveryId: $id) {
      id
    }
  }
`);

interface ResendButtonProps {
  readonly id: string;
  readonly endpointStatus: EndpointStatus;
  readonly kind?: ButtonKind;
}

/** Resends a delivery. It asks for no confirmation, because endpoints recognise the event's id. */
export function ResendButton({ id, endpointStatus, kind = 'secondary' }: ResendButtonProps) {
  const permissions = usePermissions();
  const toast = useToast();
  const resend = useChange(RESEND, { onDone: () => toast(text.resent) });
  const reason = !permissions.write
    ? labels.readOnly
    : endpointStatus === 'DELETED'
      ? text.isDeleted
      : endpointStatus === 'DISABLED'
        ? text.isDisabled
        : undefined;
  return (
    <Button
      kind={kind}
      icon="refresh"
      busy={resend.isPending}
      disabled={reason !== undefined}
      title={reason}
      onClick={() => resend.mutate({ id }, { onError: ({ message }) => toast(message, 'bad') })}
    >
      {text.resend}
    </Button>
  );
}
