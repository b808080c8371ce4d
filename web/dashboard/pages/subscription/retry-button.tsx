import { graphql } from '../../../shared/api/graphql.ts';
import { useChange } from '../../../shared/api/query.ts';
import { useToast } from '../../../shared/components/toasts.tsx';
import { WriteButton } from '../../../shared/components/write-button.tsx';
import { subscription as text } from '../../../shared/text/subscriptions.ts';

const RETRY = graphql(/* GraphQL */ `
  mutation RetryPayment($id: ID!) {
    retryPayment(subscription: $id) {
      lifeId
    }
  }
`);

/** Retries the due payment now, without a confirmation: the customer has approved the payment. */
export function RetryButton({ id }: { readonly id: string }) {
  const toast = useToast();
  const retry = useChange(RETRY, { onDone: () => toast(text.retried) });
  return (
    <WriteButton
      icon="refresh"
      busy={retry.isPending}
      title={text.retryHint}
      onClick={() => retry.mutate({ id }, { onError: ({ message }) => toast(message, 'bad') })}
    >
      {text.retry}
    </WriteButton>
  );
}
