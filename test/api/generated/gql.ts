/* eslint-disable */
import * as types from './graphql.ts';
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';

/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "\n  query Me {\n    merchant { companyName logoUrl supportEmail walletAddress }\n    environment\n  }\n": typeof types.MeDocument,
    "\n  query Plan($planId: String!) {\n    plan(planId: $planId) {\n      planId name description amount interval trialPeriodSeconds mint address status endsAt createdAt publishedAt\n      merchant { companyName }\n    }\n  }\n": typeof types.PlanDocument,
    "\n  query Plans($status: PlanStatus, $first: Int, $after: String, $last: Int, $before: String) {\n    plans(status: $status, first: $first, after: $after, last: $last, before: $before) {\n      totalCount\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      edges { cursor node { planId } }\n    }\n  }\n": typeof types.PlansDocument,
    "\n  query Subscription($id: ID!) {\n    subscription(id: $id) {\n      id lifeId status walletAddress metadata startedAt nextPaymentAt nextAttemptAt paymentCount failureCount\n      cancelAtPeriodEnd cancelledAt accessUntil createdAt\n      customer { email customerId walletAddress }\n      plan { planId }\n      checkoutSession { id status }\n      transitions { from to reason at }\n      payments(first: 2) {\n        totalCount\n        pageInfo { hasNextPage endCursor }\n        edges { node { id status amount } }\n      }\n    }\n  }\n": typeof types.SubscriptionDocument,
    "\n  query Subscriptions($page: Int, $limit: Int, $filter: SubscriptionFilter) {\n    subscriptions(page: $page, limit: $limit, filter: $filter) {\n      data { id customer { email } plan { planId } }\n      pagination { page limit total pages }\n    }\n  }\n": typeof types.SubscriptionsDocument,
    "\n  query SubscriptionsConnection($filter: SubscriptionFilter, $first: Int, $after: String) {\n    subscriptionsConnection(filter: $filter, first: $first, after: $after) {\n      totalCount\n      pageInfo { hasNextPage endCursor }\n      edges { node { id customer { email } } }\n    }\n  }\n": typeof types.SubscriptionsConnectionDocument,
    "\n  query Payments($subscriptionId: ID, $status: PaymentStatus, $first: Int, $after: String) {\n    payments(subscriptionId: $subscriptionId, status: $status, first: $first, after: $after) {\n      totalCount\n      edges {\n        node {\n          id status amount dueAt paidAt number signature collectedByUs finalized createdAt\n          subscription { id }\n          attempts { status failureCode amountRequired balanceAvailable createdAt settledAt }\n        }\n      }\n    }\n  }\n": typeof types.PaymentsDocument,
    "\n  query PublicSession($id: ID!) {\n    checkoutSession(id: $id) {\n      id url status expiresAt createdAt completedAt cancelUrl redirectUrl\n      customer { email }\n      merchant { companyName }\n      plan { name amount }\n    }\n  }\n": typeof types.PublicSessionDocument,
    "\n  query WholeSession($id: ID!) {\n    checkoutSession(id: $id) {\n      id status successUrl customerId metadata walletAddress\n      subscription { id }\n    }\n  }\n": typeof types.WholeSessionDocument,
    "\n  query WebhookEndpoints {\n    webhookEndpoints { totalCount edges { node { id url eventTypes status createdAt } } }\n  }\n": typeof types.WebhookEndpointsDocument,
    "\n  mutation CreateSession($input: CreateCheckoutSessionInput!) {\n    createCheckoutSession(input: $input) { id url status expiresAt metadata plan { planId } }\n  }\n": typeof types.CreateSessionDocument,
    "\n  mutation Complete($sessionId: ID!, $subscriptionPda: String!, $userWallet: String!, $signature: String!) {\n    completeCheckout(\n      sessionId: $sessionId\n      subscriptionPda: $subscriptionPda\n      userWallet: $userWallet\n      signature: $signature\n    ) { sessionId subscriptionId redirectUrl }\n  }\n": typeof types.CompleteDocument,
    "\n  mutation CreatePlan($input: CreatePlanInput!) {\n    createPlan(input: $input) { plan { planId status amount interval trialPeriodSeconds } transaction }\n  }\n": typeof types.CreatePlanDocument,
    "\n  mutation PublishPlan($planId: String!) {\n    publishPlanTransaction(planId: $planId) { plan { planId status } transaction }\n  }\n": typeof types.PublishPlanDocument,
    "\n  mutation Cancel($subscription: ID!, $when: CancelWhen!) {\n    cancelSubscription(subscription: $subscription, when: $when) {\n      subscription { id status cancelAtPeriodEnd accessUntil }\n      transaction\n    }\n  }\n": typeof types.CancelDocument,
    "\n  mutation CreateEndpoint($url: String!, $eventTypes: [String!]) {\n    createWebhookEndpoint(url: $url, eventTypes: $eventTypes) {\n      endpoint { id url eventTypes status }\n      secret\n    }\n  }\n": typeof types.CreateEndpointDocument,
    "\n  subscription SubscriptionUpdated($id: ID) {\n    subscriptionUpdated(id: $id) { id status cancelAtPeriodEnd customer { email } }\n  }\n": typeof types.SubscriptionUpdatedDocument,
    "\n  subscription PaymentRecorded { paymentRecorded { id status amount subscription { id } } }\n": typeof types.PaymentRecordedDocument,
    "\n  subscription SessionUpdated($id: ID!) { checkoutSessionUpdated(id: $id) { id status redirectUrl } }\n": typeof types.SessionUpdatedDocument,
};
const documents: Documents = {
    "\n  query Me {\n    merchant { companyName logoUrl supportEmail walletAddress }\n    environment\n  }\n": types.MeDocument,
    "\n  query Plan($planId: String!) {\n    plan(planId: $planId) {\n      planId name description amount interval trialPeriodSeconds mint address status endsAt createdAt publishedAt\n      merchant { companyName }\n    }\n  }\n": types.PlanDocument,
    "\n  query Plans($status: PlanStatus, $first: Int, $after: String, $last: Int, $before: String) {\n    plans(status: $status, first: $first, after: $after, last: $last, before: $before) {\n      totalCount\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      edges { cursor node { planId } }\n    }\n  }\n": types.PlansDocument,
    "\n  query Subscription($id: ID!) {\n    subscription(id: $id) {\n      id lifeId status walletAddress metadata startedAt nextPaymentAt nextAttemptAt paymentCount failureCount\n      cancelAtPeriodEnd cancelledAt accessUntil createdAt\n      customer { email customerId walletAddress }\n      plan { planId }\n      checkoutSession { id status }\n      transitions { from to reason at }\n      payments(first: 2) {\n        totalCount\n        pageInfo { hasNextPage endCursor }\n        edges { node { id status amount } }\n      }\n    }\n  }\n": types.SubscriptionDocument,
    "\n  query Subscriptions($page: Int, $limit: Int, $filter: SubscriptionFilter) {\n    subscriptions(page: $page, limit: $limit, filter: $filter) {\n      data { id customer { email } plan { planId } }\n      pagination { page limit total pages }\n    }\n  }\n": types.SubscriptionsDocument,
    "\n  query SubscriptionsConnection($filter: SubscriptionFilter, $first: Int, $after: String) {\n    subscriptionsConnection(filter: $filter, first: $first, after: $after) {\n      totalCount\n      pageInfo { hasNextPage endCursor }\n      edges { node { id customer { email } } }\n    }\n  }\n": types.SubscriptionsConnectionDocument,
    "\n  query Payments($subscriptionId: ID, $status: PaymentStatus, $first: Int, $after: String) {\n    payments(subscriptionId: $subscriptionId, status: $status, first: $first, after: $after) {\n      totalCount\n      edges {\n        node {\n          id status amount dueAt paidAt number signature collectedByUs finalized createdAt\n          subscription { id }\n          attempts { status failureCode amountRequired balanceAvailable createdAt settledAt }\n        }\n      }\n    }\n  }\n": types.PaymentsDocument,
    "\n  query PublicSession($id: ID!) {\n    checkoutSession(id: $id) {\n      id url status expiresAt createdAt completedAt cancelUrl redirectUrl\n      customer { email }\n      merchant { companyName }\n      plan { name amount }\n    }\n  }\n": types.PublicSessionDocument,
    "\n  query WholeSession($id: ID!) {\n    checkoutSession(id: $id) {\n      id status successUrl customerId metadata walletAddress\n      subscription { id }\n    }\n  }\n": types.WholeSessionDocument,
    "\n  query WebhookEndpoints {\n    webhookEndpoints { totalCount edges { node { id url eventTypes status createdAt } } }\n  }\n": types.WebhookEndpointsDocument,
    "\n  mutation CreateSession($input: CreateCheckoutSessionInput!) {\n    createCheckoutSession(input: $input) { id url status expiresAt metadata plan { planId } }\n  }\n": types.CreateSessionDocument,
    "\n  mutation Complete($sessionId: ID!, $subscriptionPda: String!, $userWallet: String!, $signature: String!) {\n    completeCheckout(\n      sessionId: $sessionId\n      subscriptionPda: $subscriptionPda\n      userWallet: $userWallet\n      signature: $signature\n    ) { sessionId subscriptionId redirectUrl }\n  }\n": types.CompleteDocument,
    "\n  mutation CreatePlan($input: CreatePlanInput!) {\n    createPlan(input: $input) { plan { planId status amount interval trialPeriodSeconds } transaction }\n  }\n": types.CreatePlanDocument,
    "\n  mutation PublishPlan($planId: String!) {\n    publishPlanTransaction(planId: $planId) { plan { planId status } transaction }\n  }\n": types.PublishPlanDocument,
    "\n  mutation Cancel($subscription: ID!, $when: CancelWhen!) {\n    cancelSubscription(subscription: $subscription, when: $when) {\n      subscription { id status cancelAtPeriodEnd accessUntil }\n      transaction\n    }\n  }\n": types.CancelDocument,
    "\n  mutation CreateEndpoint($url: String!, $eventTypes: [String!]) {\n    createWebhookEndpoint(url: $url, eventTypes: $eventTypes) {\n      endpoint { id url eventTypes status }\n      secret\n    }\n  }\n": types.CreateEndpointDocument,
    "\n  subscription SubscriptionUpdated($id: ID) {\n    subscriptionUpdated(id: $id) { id status cancelAtPeriodEnd customer { email } }\n  }\n": types.SubscriptionUpdatedDocument,
    "\n  subscription PaymentRecorded { paymentRecorded { id status amount subscription { id } } }\n": types.PaymentRecordedDocument,
    "\n  subscription SessionUpdated($id: ID!) { checkoutSessionUpdated(id: $id) { id status redirectUrl } }\n": types.SessionUpdatedDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 *
 *
 * @example
 * ```ts
 * const query = graphql(`query GetUser($id: ID!) { user(id: $id) { name } }`);
 * ```
 *
 * The query argument is unknown!
 * Please regenerate the types.
 */
export function graphql(source: string): unknown;

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Me {\n    merchant { companyName logoUrl supportEmail walletAddress }\n    environment\n  }\n"): (typeof documents)["\n  query Me {\n    merchant { companyName logoUrl supportEmail walletAddress }\n    environment\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Plan($planId: String!) {\n    plan(planId: $planId) {\n      planId name description amount interval trialPeriodSeconds mint address status endsAt createdAt publishedAt\n      merchant { companyName }\n    }\n  }\n"): (typeof documents)["\n  query Plan($planId: String!) {\n    plan(planId: $planId) {\n      planId name description amount interval trialPeriodSeconds mint address status endsAt createdAt publishedAt\n      merchant { companyName }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Plans($status: PlanStatus, $first: Int, $after: String, $last: Int, $before: String) {\n    plans(status: $status, first: $first, after: $after, last: $last, before: $before) {\n      totalCount\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      edges { cursor node { planId } }\n    }\n  }\n"): (typeof documents)["\n  query Plans($status: PlanStatus, $first: Int, $after: String, $last: Int, $before: String) {\n    plans(status: $status, first: $first, after: $after, last: $last, before: $before) {\n      totalCount\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      edges { cursor node { planId } }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Subscription($id: ID!) {\n    subscription(id: $id) {\n      id lifeId status walletAddress metadata startedAt nextPaymentAt nextAttemptAt paymentCount failureCount\n      cancelAtPeriodEnd cancelledAt accessUntil createdAt\n      customer { email customerId walletAddress }\n      plan { planId }\n      checkoutSession { id status }\n      transitions { from to reason at }\n      payments(first: 2) {\n        totalCount\n        pageInfo { hasNextPage endCursor }\n        edges { node { id status amount } }\n      }\n    }\n  }\n"): (typeof documents)["\n  query Subscription($id: ID!) {\n    subscription(id: $id) {\n      id lifeId status walletAddress metadata startedAt nextPaymentAt nextAttemptAt paymentCount failureCount\n      cancelAtPeriodEnd cancelledAt accessUntil createdAt\n      customer { email customerId walletAddress }\n      plan { planId }\n      checkoutSession { id status }\n      transitions { from to reason at }\n      payments(first: 2) {\n        totalCount\n        pageInfo { hasNextPage endCursor }\n        edges { node { id status amount } }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Subscriptions($page: Int, $limit: Int, $filter: SubscriptionFilter) {\n    subscriptions(page: $page, limit: $limit, filter: $filter) {\n      data { id customer { email } plan { planId } }\n      pagination { page limit total pages }\n    }\n  }\n"): (typeof documents)["\n  query Subscriptions($page: Int, $limit: Int, $filter: SubscriptionFilter) {\n    subscriptions(page: $page, limit: $limit, filter: $filter) {\n      data { id customer { email } plan { planId } }\n      pagination { page limit total pages }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SubscriptionsConnection($filter: SubscriptionFilter, $first: Int, $after: String) {\n    subscriptionsConnection(filter: $filter, first: $first, after: $after) {\n      totalCount\n      pageInfo { hasNextPage endCursor }\n      edges { node { id customer { email } } }\n    }\n  }\n"): (typeof documents)["\n  query SubscriptionsConnection($filter: SubscriptionFilter, $first: Int, $after: String) {\n    subscriptionsConnection(filter: $filter, first: $first, after: $after) {\n      totalCount\n      pageInfo { hasNextPage endCursor }\n      edges { node { id customer { email } } }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Payments($subscriptionId: ID, $status: PaymentStatus, $first: Int, $after: String) {\n    payments(subscriptionId: $subscriptionId, status: $status, first: $first, after: $after) {\n      totalCount\n      edges {\n        node {\n          id status amount dueAt paidAt number signature collectedByUs finalized createdAt\n          subscription { id }\n          attempts { status failureCode amountRequired balanceAvailable createdAt settledAt }\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query Payments($subscriptionId: ID, $status: PaymentStatus, $first: Int, $after: String) {\n    payments(subscriptionId: $subscriptionId, status: $status, first: $first, after: $after) {\n      totalCount\n      edges {\n        node {\n          id status amount dueAt paidAt number signature collectedByUs finalized createdAt\n          subscription { id }\n          attempts { status failureCode amountRequired balanceAvailable createdAt settledAt }\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PublicSession($id: ID!) {\n    checkoutSession(id: $id) {\n      id url status expiresAt createdAt completedAt cancelUrl redirectUrl\n      customer { email }\n      merchant { companyName }\n      plan { name amount }\n    }\n  }\n"): (typeof documents)["\n  query PublicSession($id: ID!) {\n    checkoutSession(id: $id) {\n      id url status expiresAt createdAt completedAt cancelUrl redirectUrl\n      customer { email }\n      merchant { companyName }\n      plan { name amount }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query WholeSession($id: ID!) {\n    checkoutSession(id: $id) {\n      id status successUrl customerId metadata walletAddress\n      subscription { id }\n    }\n  }\n"): (typeof documents)["\n  query WholeSession($id: ID!) {\n    checkoutSession(id: $id) {\n      id status successUrl customerId metadata walletAddress\n      subscription { id }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query WebhookEndpoints {\n    webhookEndpoints { totalCount edges { node { id url eventTypes status createdAt } } }\n  }\n"): (typeof documents)["\n  query WebhookEndpoints {\n    webhookEndpoints { totalCount edges { node { id url eventTypes status createdAt } } }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateSession($input: CreateCheckoutSessionInput!) {\n    createCheckoutSession(input: $input) { id url status expiresAt metadata plan { planId } }\n  }\n"): (typeof documents)["\n  mutation CreateSession($input: CreateCheckoutSessionInput!) {\n    createCheckoutSession(input: $input) { id url status expiresAt metadata plan { planId } }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation Complete($sessionId: ID!, $subscriptionPda: String!, $userWallet: String!, $signature: String!) {\n    completeCheckout(\n      sessionId: $sessionId\n      subscriptionPda: $subscriptionPda\n      userWallet: $userWallet\n      signature: $signature\n    ) { sessionId subscriptionId redirectUrl }\n  }\n"): (typeof documents)["\n  mutation Complete($sessionId: ID!, $subscriptionPda: String!, $userWallet: String!, $signature: String!) {\n    completeCheckout(\n      sessionId: $sessionId\n      subscriptionPda: $subscriptionPda\n      userWallet: $userWallet\n      signature: $signature\n    ) { sessionId subscriptionId redirectUrl }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreatePlan($input: CreatePlanInput!) {\n    createPlan(input: $input) { plan { planId status amount interval trialPeriodSeconds } transaction }\n  }\n"): (typeof documents)["\n  mutation CreatePlan($input: CreatePlanInput!) {\n    createPlan(input: $input) { plan { planId status amount interval trialPeriodSeconds } transaction }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation PublishPlan($planId: String!) {\n    publishPlanTransaction(planId: $planId) { plan { planId status } transaction }\n  }\n"): (typeof documents)["\n  mutation PublishPlan($planId: String!) {\n    publishPlanTransaction(planId: $planId) { plan { planId status } transaction }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation Cancel($subscription: ID!, $when: CancelWhen!) {\n    cancelSubscription(subscription: $subscription, when: $when) {\n      subscription { id status cancelAtPeriodEnd accessUntil }\n      transaction\n    }\n  }\n"): (typeof documents)["\n  mutation Cancel($subscription: ID!, $when: CancelWhen!) {\n    cancelSubscription(subscription: $subscription, when: $when) {\n      subscription { id status cancelAtPeriodEnd accessUntil }\n      transaction\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateEndpoint($url: String!, $eventTypes: [String!]) {\n    createWebhookEndpoint(url: $url, eventTypes: $eventTypes) {\n      endpoint { id url eventTypes status }\n      secret\n    }\n  }\n"): (typeof documents)["\n  mutation CreateEndpoint($url: String!, $eventTypes: [String!]) {\n    createWebhookEndpoint(url: $url, eventTypes: $eventTypes) {\n      endpoint { id url eventTypes status }\n      secret\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription SubscriptionUpdated($id: ID) {\n    subscriptionUpdated(id: $id) { id status cancelAtPeriodEnd customer { email } }\n  }\n"): (typeof documents)["\n  subscription SubscriptionUpdated($id: ID) {\n    subscriptionUpdated(id: $id) { id status cancelAtPeriodEnd customer { email } }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription PaymentRecorded { paymentRecorded { id status amount subscription { id } } }\n"): (typeof documents)["\n  subscription PaymentRecorded { paymentRecorded { id status amount subscription { id } } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription SessionUpdated($id: ID!) { checkoutSessionUpdated(id: $id) { id status redirectUrl } }\n"): (typeof documents)["\n  subscription SessionUpdated($id: ID!) { checkoutSessionUpdated(id: $id) { id status redirectUrl } }\n"];

export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}

export type DocumentType<TDocumentNode extends DocumentNode<any, any>> = TDocumentNode extends DocumentNode<  infer TType,  any>  ? TType  : never;