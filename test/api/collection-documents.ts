import { graphql } from './generated/gql.ts';

export const RETRY_PAYMENT = graphql(`
  mutation RetryPayment($subscription: ID!) {
    retryPayment(subscription: $subscription) { id status nextAttemptAt }
  }
`);

export const UNDO_CANCELLATION = graphql(`
  mutation UndoCancellation($subscription: ID!) {
    undoCancellation(subscription: $subscription) { id status cancelAtPeriodEnd nextPaymentAt }
  }
`);
