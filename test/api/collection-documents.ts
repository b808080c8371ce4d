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

export const PAUSE = graphql(`
  mutation Pause($subscription: ID!) {
    pauseSubscription(subscription: $subscription, periods: 2) { id pausedFrom pausedUntil }
  }
`);

export const SKIP = graphql(`
  mutation Skip($subscription: ID!) {
    skipNextPayment(subscription: $subscription) { id pausedFrom pausedUntil }
  }
`);

export const UNPAUSE = graphql(`
  mutation Unpause($subscription: ID!) {
    unpauseSubscription(subscription: $subscription, chargeNow: false) { id pausedFrom pausedUntil }
  }
`);

export const WAIVE = graphql(`
  mutation Waive($subscription: ID!) {
    waivePayment(subscription: $subscription) { id nextPaymentAt }
  }
`);

export const GRANT_FREE = graphql(`
  mutation GrantFree($subscription: ID!) {
    grantFreePeriods(subscription: $subscription, count: 2) { id nextPaymentAt }
  }
`);
