import { graphql } from './generated/gql.ts';

export const ME = graphql(`
  query Me {
    merchant { companyName logoUrl supportEmail walletAddress }
    environment
  }
`);

export const PLAN = graphql(`
  query Plan($planId: String!) {
    plan(planId: $planId) {
      planId name description amount interval trialPeriodSeconds mint address status endsAt createdAt publishedAt
      merchant { companyName }
    }
  }
`);

export const PLANS = graphql(`
  query Plans($status: PlanStatus, $first: Int, $after: String, $last: Int, $before: String) {
    plans(status: $status, first: $first, after: $after, last: $last, before: $before) {
      totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      edges { cursor node { planId } }
    }
  }
`);

export const SUBSCRIPTION = graphql(`
  query Subscription($id: ID!) {
    subscription(id: $id) {
      id lifeId status walletAddress metadata startedAt nextPaymentAt nextAttemptAt paymentCount failureCount
      cancelAtPeriodEnd cancelledAt accessUntil createdAt
      customer { email customerId walletAddress }
      plan { planId }
      checkoutSession { id status }
      transitions { from to reason at }
      payments(first: 2) {
        totalCount
        pageInfo { hasNextPage endCursor }
        edges { node { id status amount } }
      }
    }
  }
`);

export const SUBSCRIPTIONS = graphql(`
  query Subscriptions($page: Int, $limit: Int, $filter: SubscriptionFilter) {
    subscriptions(page: $page, limit: $limit, filter: $filter) {
      data { id customer { email } plan { planId } }
      pagination { page limit total pages }
    }
  }
`);

export const SUBSCRIPTIONS_CONNECTION = graphql(`
  query SubscriptionsConnection(
    $filter: SubscriptionFilter, $orderBy: SubscriptionOrder, $first: Int, $after: String, $last: Int, $before: String
  ) {
    subscriptionsConnection(
      filter: $filter, orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before
    ) {
      totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      edges { node { id customer { email } } }
    }
  }
`);

export const SUBSCRIPTION_COUNTS = graphql(`
  query SubscriptionCounts { subscriptionCounts { active pastDue cancelled expired total } }
`);

export const PAYMENTS = graphql(`
  query Payments($subscriptionId: ID, $status: PaymentStatus, $first: Int, $after: String) {
    payments(subscriptionId: $subscriptionId, status: $status, first: $first, after: $after) {
      totalCount
      edges {
        node {
          id status amount dueAt paidAt number signature collectedByUs finalized createdAt
          subscription { id }
          attempts { status failureCode amountRequired balanceAvailable createdAt settledAt }
        }
      }
    }
  }
`);

export const PUBLIC_CHECKOUT_SESSION = graphql(`
  query PublicSession($id: ID!) {
    checkoutSession(id: $id) {
      id url status expiresAt createdAt completedAt cancelUrl redirectUrl
      customer { email }
      merchant { companyName }
      plan { name amount }
    }
  }
`);

export const MERCHANT_CHECKOUT_SESSION = graphql(`
  query WholeSession($id: ID!) {
    checkoutSession(id: $id) {
      id status successUrl customerId metadata walletAddress
      subscription { id }
    }
  }
`);

export const WEBHOOK_ENDPOINTS = graphql(`
  query WebhookEndpoints {
    webhookEndpoints { totalCount edges { node { id url eventTypes status createdAt } } }
  }
`);

export const CREATE_CHECKOUT_SESSION = graphql(`
  mutation CreateSession($input: CreateCheckoutSessionInput!) {
    createCheckoutSession(input: $input) { id url status expiresAt metadata plan { planId } }
  }
`);

export const COMPLETE = graphql(`
  mutation Complete($sessionId: ID!, $subscriptionPda: String!, $userWallet: String!, $signature: String!) {
    completeCheckout(
      sessionId: $sessionId
      subscriptionPda: $subscriptionPda
      userWallet: $userWallet
      signature: $signature
    ) { sessionId subscriptionId redirectUrl }
  }
`);

export const CREATE_PLAN = graphql(`
  mutation CreatePlan($input: CreatePlanInput!) {
    createPlan(input: $input) { plan { planId status amount interval trialPeriodSeconds } transaction }
  }
`);

export const PUBLISH_PLAN = graphql(`
  mutation PublishPlan($planId: String!) {
    publishPlanTransaction(planId: $planId) { plan { planId status } transaction }
  }
`);

export const CANCEL = graphql(`
  mutation Cancel($subscription: ID!, $when: CancelWhen!) {
    cancelSubscription(subscription: $subscription, when: $when) {
      subscription { id status cancelAtPeriodEnd nextPaymentAt accessUntil }
      transaction
    }
  }
`);

export const CREATE_ENDPOINT = graphql(`
  mutation CreateEndpoint($url: String!, $eventTypes: [String!]) {
    createWebhookEndpoint(url: $url, eventTypes: $eventTypes) {
      endpoint { id url eventTypes status }
      secret
    }
  }
`);

export const SUBSCRIPTION_UPDATED = graphql(`
  subscription SubscriptionUpdated($id: ID) {
    subscriptionUpdated(id: $id) { id status cancelAtPeriodEnd customer { email } }
  }
`);

export const PAYMENT_RECORDED = graphql(`
  subscription PaymentRecorded { paymentRecorded { id status amount subscription { id } } }
`);

export const CHECKOUT_SESSION_UPDATED = graphql(`
  subscription SessionUpdated($id: ID!) { checkoutSessionUpdated(id: $id) { id status redirectUrl } }
`);

export const API_KEYS = graphql(`
  query ApiKeys($first: Int, $after: String) {
    apiKeys(first: $first, after: $after) {
      totalCount
      pageInfo { hasNextPage endCursor }
      edges {
        node { id name prefix lastFour scopes isValid createdAt lastUsedAt expiresAt revokedAt replacedBy { id } }
      }
    }
  }
`);

export const CREATE_API_KEY = graphql(`
  mutation CreateApiKey($name: String!, $scopes: [ApiKeyScope!], $expiresAt: DateTime) {
    createApiKey(name: $name, scopes: $scopes, expiresAt: $expiresAt) {
      key { id name prefix lastFour scopes isValid createdAt lastUsedAt expiresAt revokedAt replacedBy { id } }
      apiKey
    }
  }
`);

export const ROTATE_API_KEY = graphql(`
  mutation RotateApiKey($id: ID!, $overlapSeconds: Int, $expiresAt: DateTime) {
    rotateApiKey(id: $id, overlapSeconds: $overlapSeconds, expiresAt: $expiresAt) {
      key { id name scopes expiresAt }
      apiKey
      previous { id expiresAt replacedBy { id } }
    }
  }
`);

export const REVOKE_API_KEY = graphql(`
  mutation RevokeApiKey($id: ID!) { revokeApiKey(id: $id) { id isValid revokedAt } }
`);

export const RECEIPT = graphql(`
  query Receipt($number: Int, $paymentId: ID) {
    receipt(number: $number, paymentId: $paymentId) { number payment { id } }
  }
`);

export const RECEIPTS = graphql(`
  query Receipts(
    $number: Int, $subscriptionId: ID, $customer: String, $from: DateTime, $to: DateTime, $first: Int, $after: String,
    $last: Int, $before: String
  ) {
    receipts(
      number: $number, subscriptionId: $subscriptionId, customer: $customer, from: $from, to: $to, first: $first,
      after: $after, last: $last, before: $before
    ) {
      totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      edges { node { number issuedAt pdfUrl document payment { id refundedAmount } } }
    }
  }
`);
