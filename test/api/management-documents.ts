import { graphql } from './generated/gql.ts';

export const PLAN_TOTALS = graphql(`
  query PlanTotals($first: Int) {
    plans(first: $first) {
      edges {
        node { planId revenue paymentCount subscribers { active pastDue cancelled expired } }
      }
    }
  }
`);

export const SESSION_PLAN_TOTALS = graphql(`
  query SessionPlanTotals($id: ID!) {
    checkoutSession(id: $id) { plan { planId revenue } }
  }
`);

export const SUNSET_PLAN = graphql(`
  mutation SunsetPlan($planId: String!, $endsAt: DateTime!) {
    sunsetPlanTransaction(planId: $planId, endsAt: $endsAt) { plan { planId status } transaction }
  }
`);

export const SETTINGS = graphql(`
  query Settings { settings { maxFailures retryDelaysSeconds redirectUrlsAllowed sponsorsCustomers sponsoredLamportsPerDay } }
`);

export const UPDATE_SETTINGS = graphql(`
  mutation UpdateSettings($input: UpdateSettingsInput!) {
    updateSettings(input: $input) { maxFailures retryDelaysSeconds redirectUrlsAllowed sponsorsCustomers sponsoredLamportsPerDay }
  }
`);

export const CUSTOMER = graphql(`
  query Customer($id: ID!) {
    customer(id: $id) {
      id email customerId walletAddress createdAt
      subscriptions(first: 5) { totalCount edges { node { id status plan { planId } } } }
    }
  }
`);

export const CUSTOMERS = graphql(`
  query Customers(
    $search: String, $from: DateTime, $to: DateTime, $first: Int, $after: String, $last: Int, $before: String
  ) {
    customers(
      search: $search, from: $from, to: $to, first: $first, after: $after, last: $last, before: $before
    ) {
      totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      edges { node { id email } }
    }
  }
`);

export const FILTERED_PAYMENTS = graphql(`
  query FilteredPayments(
    $planId: String, $subscriptionId: ID, $status: PaymentStatus, $customer: String, $signature: String,
    $failureCode: FailureCode, $from: DateTime, $to: DateTime, $first: Int, $after: String
  ) {
    payments(
      planId: $planId, subscriptionId: $subscriptionId, status: $status, customer: $customer, signature: $signature,
      failureCode: $failureCode, from: $from, to: $to, first: $first, after: $after
    ) {
      totalCount
      pageInfo { hasNextPage endCursor }
      edges { node { id status } }
    }
  }
`);

export const EVENTS = graphql(`
  query Events(
    $type: String, $subscriptionId: ID, $from: DateTime, $to: DateTime, $first: Int, $after: String
  ) {
    events(type: $type, subscriptionId: $subscriptionId, from: $from, to: $to, first: $first, after: $after) {
      totalCount
      pageInfo { hasNextPage endCursor }
      edges { node { id type sequence createdAt data subscription { id } } }
    }
  }
`);

export const HISTORY = graphql(`
  query History($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
    subscription(id: $id) {
      history(first: $first, after: $after, last: $last, before: $before) {
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        edges {
          node {
            at
            item {
              __typename
              ... on SubscriptionTransition { to reason }
              ... on Payment { id paymentStatus: status amount }
              ... on Attempt { attemptStatus: status failureCode }
              ... on Event { id type }
            }
          }
        }
      }
    }
  }
`);

export const SUBSCRIPTION_PAGE = graphql(`
  query SubscriptionPage($first: Int!) {
    subscriptionsConnection(first: $first) {
      edges { node { id status plan { planId amount } customer { email customerId } } }
    }
  }
`);

export const PLAN_PAGE = graphql(`
  query PlanPage($first: Int!) {
    plans(first: $first) {
      edges { node { planId revenue subscribers { active pastDue cancelled expired } } }
    }
  }
`);
