import { graphql } from '../../../shared/api/graphql.ts';
import { useChange } from '../../../shared/api/query.ts';
import { useMay } from '../../../shared/api/viewer.ts';
import { Button } from '../../../shared/components/button.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { common } from '../../../shared/text/common.ts';
import { subscription as text } from '../../../shared/text/subscriptions.ts';

const RETRY = graphql(/* GraphQL */ `
  mutation RetryPayment($id: ID!) {
    retryPayment(subscription: $id) {
      lifeId
    }
  }
`);

/** Tries the open payment now. It asks nothing first: the customer approved the payment. */
export function RetryButton({ id }: { readonly id: string }) {
  const may = useMay();
  const toast = useToast();
  const retry = useChange(RETRY, { onDone: () => toast(text.retried) });
  return (
    <Button
      icon="refresh"
      busy={retry.isPending}
      disabled={!may.write}
      title={may.write ? text.retryHint : common.readOnly}
      onClick={() => retry.mutate({ id }, { onError: ({ message }) => toast(message, 'bad') })}
    >
      {text.retry}
    </Button>
  );
}
