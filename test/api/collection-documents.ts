import { graphql } from './generated/gql.ts';

export const RETRY_PAYMENT = graphql(`
  mutation RetryPayment($subscription: ID!) {
    retryPayment(subscription: $subscription) { id status nextAttemptAt }
  }
`);

export const CREATE_REFUND = graphql(`
  mutation CreateRefund($input: CreateRefundInput!) {
    createRefund(input: $input) { id status amount }
  }
`);

export const CANCEL_REFUND = graphql(`
  mutation CancelRefund($id: ID!) {
    cancelRefund(id: $id) { id status }
  }
`);

export const UNDO_CANCELLATION = graphql(`
  mutation UndoCancellation($subscription: ID!) {
    undoCancellation(subscription: $subscription) { id status cancelAtPeriodEnd nextPaymentAt }
  }
`);
