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
    "\n  mutation AuditedSettings($input: UpdateSettingsInput!) { updateSettings(input: $input) { maxFailures } }\n": typeof types.AuditedSettingsDocument,
    "\n  mutation AuditedEndpoint($id: ID!, $input: UpdateWebhookEndpointInput!) {\n    updateWebhookEndpoint(id: $id, input: $input) { id }\n  }\n": typeof types.AuditedEndpointDocument,
    "\n  mutation AuditedSecret($id: ID!) { rotateWebhookSecret(id: $id) { secret } }\n": typeof types.AuditedSecretDocument,
    "\n  mutation AuditedEndpointRemoval($id: ID!) { deleteWebhookEndpoint(id: $id) { id } }\n": typeof types.AuditedEndpointRemovalDocument,
    "\n  mutation AuditedTest($endpointId: ID!) { sendTestWebhook(endpointId: $endpointId) { id } }\n": typeof types.AuditedTestDocument,
    "\n  mutation AuditedTrigger($type: String!) { triggerEvent(type: $type) { id } }\n": typeof types.AuditedTriggerDocument,
    "\n  mutation AuditedResend($deliveryId: ID!) { resendWebhook(deliveryId: $deliveryId) { id } }\n": typeof types.AuditedResendDocument,
    "\n  mutation AuditedReplay($input: ReplayWebhooksInput!) { replayWebhooks(input: $input, dryRun: false) { count } }\n": typeof types.AuditedReplayDocument,
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
    "\n  mutation Cancel($subscription: ID!, $when: CancelWhen!) {\n    cancelSubscription(subscription: $subscription, when: $when) {\n      subscription { id status cancelAtPeriodEnd nextPaymentAt accessUntil }\n      transaction\n    }\n  }\n": typeof types.CancelDocument,
    "\n  mutation CreateEndpoint($url: String!, $eventTypes: [String!]) {\n    createWebhookEndpoint(url: $url, eventTypes: $eventTypes) {\n      endpoint { id url eventTypes status }\n      secret\n    }\n  }\n": typeof types.CreateEndpointDocument,
    "\n  subscription SubscriptionUpdated($id: ID) {\n    subscriptionUpdated(id: $id) { id status cancelAtPeriodEnd customer { email } }\n  }\n": typeof types.SubscriptionUpdatedDocument,
    "\n  subscription PaymentRecorded { paymentRecorded { id status amount subscription { id } } }\n": typeof types.PaymentRecordedDocument,
    "\n  subscription SessionUpdated($id: ID!) { checkoutSessionUpdated(id: $id) { id status redirectUrl } }\n": typeof types.SessionUpdatedDocument,
    "\n  query ApiKeys($first: Int, $after: String) {\n    apiKeys(first: $first, after: $after) {\n      totalCount\n      pageInfo { hasNextPage endCursor }\n      edges {\n        node { id name prefix lastFour scopes isValid createdAt lastUsedAt expiresAt revokedAt replacedBy { id } }\n      }\n    }\n  }\n": typeof types.ApiKeysDocument,
    "\n  mutation CreateApiKey($name: String!, $scopes: [ApiKeyScope!], $expiresAt: DateTime) {\n    createApiKey(name: $name, scopes: $scopes, expiresAt: $expiresAt) {\n      key { id name prefix lastFour scopes isValid createdAt lastUsedAt expiresAt revokedAt replacedBy { id } }\n      apiKey\n    }\n  }\n": typeof types.CreateApiKeyDocument,
    "\n  mutation RotateApiKey($id: ID!, $overlapSeconds: Int, $expiresAt: DateTime) {\n    rotateApiKey(id: $id, overlapSeconds: $overlapSeconds, expiresAt: $expiresAt) {\n      key { id name scopes expiresAt }\n      apiKey\n      previous { id expiresAt replacedBy { id } }\n    }\n  }\n": typeof types.RotateApiKeyDocument,
    "\n  mutation RevokeApiKey($id: ID!) { revokeApiKey(id: $id) { id isValid revokedAt } }\n": typeof types.RevokeApiKeyDocument,
    "\n  query PlanTotals($first: Int) {\n    plans(first: $first) {\n      edges {\n        node { planId revenue paymentCount subscribers { active pastDue cancelled expired } }\n      }\n    }\n  }\n": typeof types.PlanTotalsDocument,
    "\n  query SessionPlanTotals($id: ID!) {\n    checkoutSession(id: $id) { plan { planId revenue } }\n  }\n": typeof types.SessionPlanTotalsDocument,
    "\n  mutation SunsetPlan($planId: String!, $endsAt: DateTime!) {\n    sunsetPlanTransaction(planId: $planId, endsAt: $endsAt) { plan { planId status } transaction }\n  }\n": typeof types.SunsetPlanDocument,
    "\n  query Settings { settings { maxFailures retryDelaysSeconds redirectUrlsAllowed } }\n": typeof types.SettingsDocument,
    "\n  mutation UpdateSettings($input: UpdateSettingsInput!) {\n    updateSettings(input: $input) { maxFailures retryDelaysSeconds redirectUrlsAllowed }\n  }\n": typeof types.UpdateSettingsDocument,
    "\n  query Customer($id: ID!) {\n    customer(id: $id) {\n      id email customerId walletAddress createdAt\n      subscriptions(first: 5) { totalCount edges { node { id status plan { planId } } } }\n    }\n  }\n": typeof types.CustomerDocument,
    "\n  query Customers(\n    $search: String, $from: DateTime, $to: DateTime, $first: Int, $after: String, $last: Int, $before: String\n  ) {\n    customers(\n      search: $search, from: $from, to: $to, first: $first, after: $after, last: $last, before: $before\n    ) {\n      totalCount\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      edges { node { id email } }\n    }\n  }\n": typeof types.CustomersDocument,
    "\n  query FilteredPayments(\n    $planId: String, $subscriptionId: ID, $status: PaymentStatus, $from: DateTime, $to: DateTime, $first: Int, $after: String\n  ) {\n    payments(\n      planId: $planId, subscriptionId: $subscriptionId, status: $status, from: $from, to: $to, first: $first, after: $after\n    ) {\n      totalCount\n      pageInfo { hasNextPage endCursor }\n      edges { node { id status } }\n    }\n  }\n": typeof types.FilteredPaymentsDocument,
    "\n  query Events(\n    $type: String, $subscriptionId: ID, $from: DateTime, $to: DateTime, $first: Int, $after: String\n  ) {\n    events(type: $type, subscriptionId: $subscriptionId, from: $from, to: $to, first: $first, after: $after) {\n      totalCount\n      pageInfo { hasNextPage endCursor }\n      edges { node { id type sequence createdAt data subscription { id } } }\n    }\n  }\n": typeof types.EventsDocument,
    "\n  query History($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {\n    subscription(id: $id) {\n      history(first: $first, after: $after, last: $last, before: $before) {\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n        edges {\n          node {\n            at\n            item {\n              __typename\n              ... on SubscriptionTransition { to reason }\n              ... on Payment { id paymentStatus: status amount }\n              ... on Attempt { attemptStatus: status failureCode }\n              ... on Event { id type }\n            }\n          }\n        }\n      }\n    }\n  }\n": typeof types.HistoryDocument,
    "\n  query Metrics($from: String!, $to: String!, $planId: String) {\n    metrics(from: $from, to: $to, planId: $planId) {\n      days { day active pastDue new resumed churned expired recovered failed mrr { mint amount } }\n      plans { plan { planId } days { day active mrr { amount } } }\n    }\n  }\n": typeof types.MetricsDocument,
    "\n  query SubscriptionPage($first: Int!) {\n    subscriptionsConnection(first: $first) {\n      edges { node { id status plan { planId amount } customer { email customerId } } }\n    }\n  }\n": typeof types.SubscriptionPageDocument,
    "\n  query PlanPage($first: Int!) {\n    plans(first: $first) {\n      edges { node { planId revenue subscribers { active pastDue cancelled expired } } }\n    }\n  }\n": typeof types.PlanPageDocument,
    "\n  mutation SignInInput($address: String) {\n    signInInput(address: $address) {\n      domain address statement uri version chainId nonce issuedAt expirationTime\n    }\n  }\n": typeof types.SignInInputDocument,
    "\n  mutation SignIn($output: SignInOutput!) {\n    signIn(output: $output) { memberId merchantId walletAddress role environment }\n  }\n": typeof types.SignInDocument,
    "\n  query Viewer {\n    viewer {\n      walletAddress role environment merchantId\n      merchant { companyName }\n      memberships { merchantId role merchant { companyName } }\n    }\n  }\n": typeof types.ViewerDocument,
    "mutation SignOut { signOut }": typeof types.SignOutDocument,
    "mutation SignOutEverywhere { signOutEverywhere }": typeof types.SignOutEverywhereDocument,
    "\n  mutation ChooseMerchant($merchantId: ID!) { chooseMerchant(merchantId: $merchantId) { merchantId role environment } }\n": typeof types.ChooseMerchantDocument,
    "\n  mutation UpdateProfile($input: MerchantProfileInput!) {\n    updateMerchantProfile(input: $input) { companyName logoUrl supportEmail walletAddress }\n  }\n": typeof types.UpdateProfileDocument,
    "\n  query Members($first: Int, $after: String) {\n    members(first: $first, after: $after) {\n      totalCount\n      pageInfo { hasNextPage endCursor }\n      edges { node { id walletAddress role createdAt } }\n    }\n  }\n": typeof types.MembersDocument,
    "\n  mutation InviteMember($walletAddress: String!, $role: MemberRole!) {\n    inviteMember(walletAddress: $walletAddress, role: $role) { id walletAddress role }\n  }\n": typeof types.InviteMemberDocument,
    "\n  mutation ChangeMemberRole($id: ID!, $role: MemberRole!) { changeMemberRole(id: $id, role: $role) { id role } }\n": typeof types.ChangeMemberRoleDocument,
    "\n  mutation RemoveMember($id: ID!) { removeMember(id: $id) { id } }\n": typeof types.RemoveMemberDocument,
    "\n  query AuditLog($action: String, $targetId: String, $actorId: ID, $first: Int, $after: String) {\n    auditLog(action: $action, targetId: $targetId, actorId: $actorId, first: $first, after: $after) {\n      pageInfo { hasNextPage endCursor }\n      edges {\n        node {\n          id createdAt environment action targetId changes actor actorId actorName ipAddress userAgent requestId\n        }\n      }\n    }\n  }\n": typeof types.AuditLogDocument,
};
const documents: Documents = {
    "\n  mutation AuditedSettings($input: UpdateSettingsInput!) { updateSettings(input: $input) { maxFailures } }\n": types.AuditedSettingsDocument,
    "\n  mutation AuditedEndpoint($id: ID!, $input: UpdateWebhookEndpointInput!) {\n    updateWebhookEndpoint(id: $id, input: $input) { id }\n  }\n": types.AuditedEndpointDocument,
    "\n  mutation AuditedSecret($id: ID!) { rotateWebhookSecret(id: $id) { secret } }\n": types.AuditedSecretDocument,
    "\n  mutation AuditedEndpointRemoval($id: ID!) { deleteWebhookEndpoint(id: $id) { id } }\n": types.AuditedEndpointRemovalDocument,
    "\n  mutation AuditedTest($endpointId: ID!) { sendTestWebhook(endpointId: $endpointId) { id } }\n": types.AuditedTestDocument,
    "\n  mutation AuditedTrigger($type: String!) { triggerEvent(type: $type) { id } }\n": types.AuditedTriggerDocument,
    "\n  mutation AuditedResend($deliveryId: ID!) { resendWebhook(deliveryId: $deliveryId) { id } }\n": types.AuditedResendDocument,
    "\n  mutation AuditedReplay($input: ReplayWebhooksInput!) { replayWebhooks(input: $input, dryRun: false) { count } }\n": types.AuditedReplayDocument,
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
    "\n  mutation Cancel($subscription: ID!, $when: CancelWhen!) {\n    cancelSubscription(subscription: $subscription, when: $when) {\n      subscription { id status cancelAtPeriodEnd nextPaymentAt accessUntil }\n      transaction\n    }\n  }\n": types.CancelDocument,
    "\n  mutation CreateEndpoint($url: String!, $eventTypes: [String!]) {\n    createWebhookEndpoint(url: $url, eventTypes: $eventTypes) {\n      endpoint { id url eventTypes status }\n      secret\n    }\n  }\n": types.CreateEndpointDocument,
    "\n  subscription SubscriptionUpdated($id: ID) {\n    subscriptionUpdated(id: $id) { id status cancelAtPeriodEnd customer { email } }\n  }\n": types.SubscriptionUpdatedDocument,
    "\n  subscription PaymentRecorded { paymentRecorded { id status amount subscription { id } } }\n": types.PaymentRecordedDocument,
    "\n  subscription SessionUpdated($id: ID!) { checkoutSessionUpdated(id: $id) { id status redirectUrl } }\n": types.SessionUpdatedDocument,
    "\n  query ApiKeys($first: Int, $after: String) {\n    apiKeys(first: $first, after: $after) {\n      totalCount\n      pageInfo { hasNextPage endCursor }\n      edges {\n        node { id name prefix lastFour scopes isValid createdAt lastUsedAt expiresAt revokedAt replacedBy { id } }\n      }\n    }\n  }\n": types.ApiKeysDocument,
    "\n  mutation CreateApiKey($name: String!, $scopes: [ApiKeyScope!], $expiresAt: DateTime) {\n    createApiKey(name: $name, scopes: $scopes, expiresAt: $expiresAt) {\n      key { id name prefix lastFour scopes isValid createdAt lastUsedAt expiresAt revokedAt replacedBy { id } }\n      apiKey\n    }\n  }\n": types.CreateApiKeyDocument,
    "\n  mutation RotateApiKey($id: ID!, $overlapSeconds: Int, $expiresAt: DateTime) {\n    rotateApiKey(id: $id, overlapSeconds: $overlapSeconds, expiresAt: $expiresAt) {\n      key { id name scopes expiresAt }\n      apiKey\n      previous { id expiresAt replacedBy { id } }\n    }\n  }\n": types.RotateApiKeyDocument,
    "\n  mutation RevokeApiKey($id: ID!) { revokeApiKey(id: $id) { id isValid revokedAt } }\n": types.RevokeApiKeyDocument,
    "\n  query PlanTotals($first: Int) {\n    plans(first: $first) {\n      edges {\n        node { planId revenue paymentCount subscribers { active pastDue cancelled expired } }\n      }\n    }\n  }\n": types.PlanTotalsDocument,
    "\n  query SessionPlanTotals($id: ID!) {\n    checkoutSession(id: $id) { plan { planId revenue } }\n  }\n": types.SessionPlanTotalsDocument,
    "\n  mutation SunsetPlan($planId: String!, $endsAt: DateTime!) {\n    sunsetPlanTransaction(planId: $planId, endsAt: $endsAt) { plan { planId status } transaction }\n  }\n": types.SunsetPlanDocument,
    "\n  query Settings { settings { maxFailures retryDelaysSeconds redirectUrlsAllowed } }\n": types.SettingsDocument,
    "\n  mutation UpdateSettings($input: UpdateSettingsInput!) {\n    updateSettings(input: $input) { maxFailures retryDelaysSeconds redirectUrlsAllowed }\n  }\n": types.UpdateSettingsDocument,
    "\n  query Customer($id: ID!) {\n    customer(id: $id) {\n      id email customerId walletAddress createdAt\n      subscriptions(first: 5) { totalCount edges { node { id status plan { planId } } } }\n    }\n  }\n": types.CustomerDocument,
    "\n  query Customers(\n    $search: String, $from: DateTime, $to: DateTime, $first: Int, $after: String, $last: Int, $before: String\n  ) {\n    customers(\n      search: $search, from: $from, to: $to, first: $first, after: $after, last: $last, before: $before\n    ) {\n      totalCount\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      edges { node { id email } }\n    }\n  }\n": types.CustomersDocument,
    "\n  query FilteredPayments(\n    $planId: String, $subscriptionId: ID, $status: PaymentStatus, $from: DateTime, $to: DateTime, $first: Int, $after: String\n  ) {\n    payments(\n      planId: $planId, subscriptionId: $subscriptionId, status: $status, from: $from, to: $to, first: $first, after: $after\n    ) {\n      totalCount\n      pageInfo { hasNextPage endCursor }\n      edges { node { id status } }\n    }\n  }\n": types.FilteredPaymentsDocument,
    "\n  query Events(\n    $type: String, $subscriptionId: ID, $from: DateTime, $to: DateTime, $first: Int, $after: String\n  ) {\n    events(type: $type, subscriptionId: $subscriptionId, from: $from, to: $to, first: $first, after: $after) {\n      totalCount\n      pageInfo { hasNextPage endCursor }\n      edges { node { id type sequence createdAt data subscription { id } } }\n    }\n  }\n": types.EventsDocument,
    "\n  query History($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {\n    subscription(id: $id) {\n      history(first: $first, after: $after, last: $last, before: $before) {\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n        edges {\n          node {\n            at\n            item {\n              __typename\n              ... on SubscriptionTransition { to reason }\n              ... on Payment { id paymentStatus: status amount }\n              ... on Attempt { attemptStatus: status failureCode }\n              ... on Event { id type }\n            }\n          }\n        }\n      }\n    }\n  }\n": types.HistoryDocument,
    "\n  query Metrics($from: String!, $to: String!, $planId: String) {\n    metrics(from: $from, to: $to, planId: $planId) {\n      days { day active pastDue new resumed churned expired recovered failed mrr { mint amount } }\n      plans { plan { planId } days { day active mrr { amount } } }\n    }\n  }\n": types.MetricsDocument,
    "\n  query SubscriptionPage($first: Int!) {\n    subscriptionsConnection(first: $first) {\n      edges { node { id status plan { planId amount } customer { email customerId } } }\n    }\n  }\n": types.SubscriptionPageDocument,
    "\n  query PlanPage($first: Int!) {\n    plans(first: $first) {\n      edges { node { planId revenue subscribers { active pastDue cancelled expired } } }\n    }\n  }\n": types.PlanPageDocument,
    "\n  mutation SignInInput($address: String) {\n    signInInput(address: $address) {\n      domain address statement uri version chainId nonce issuedAt expirationTime\n    }\n  }\n": types.SignInInputDocument,
    "\n  mutation SignIn($output: SignInOutput!) {\n    signIn(output: $output) { memberId merchantId walletAddress role environment }\n  }\n": types.SignInDocument,
    "\n  query Viewer {\n    viewer {\n      walletAddress role environment merchantId\n      merchant { companyName }\n      memberships { merchantId role merchant { companyName } }\n    }\n  }\n": types.ViewerDocument,
    "mutation SignOut { signOut }": types.SignOutDocument,
    "mutation SignOutEverywhere { signOutEverywhere }": types.SignOutEverywhereDocument,
    "\n  mutation ChooseMerchant($merchantId: ID!) { chooseMerchant(merchantId: $merchantId) { merchantId role environment } }\n": types.ChooseMerchantDocument,
    "\n  mutation UpdateProfile($input: MerchantProfileInput!) {\n    updateMerchantProfile(input: $input) { companyName logoUrl supportEmail walletAddress }\n  }\n": types.UpdateProfileDocument,
    "\n  query Members($first: Int, $after: String) {\n    members(first: $first, after: $after) {\n      totalCount\n      pageInfo { hasNextPage endCursor }\n      edges { node { id walletAddress role createdAt } }\n    }\n  }\n": types.MembersDocument,
    "\n  mutation InviteMember($walletAddress: String!, $role: MemberRole!) {\n    inviteMember(walletAddress: $walletAddress, role: $role) { id walletAddress role }\n  }\n": types.InviteMemberDocument,
    "\n  mutation ChangeMemberRole($id: ID!, $role: MemberRole!) { changeMemberRole(id: $id, role: $role) { id role } }\n": types.ChangeMemberRoleDocument,
    "\n  mutation RemoveMember($id: ID!) { removeMember(id: $id) { id } }\n": types.RemoveMemberDocument,
    "\n  query AuditLog($action: String, $targetId: String, $actorId: ID, $first: Int, $after: String) {\n    auditLog(action: $action, targetId: $targetId, actorId: $actorId, first: $first, after: $after) {\n      pageInfo { hasNextPage endCursor }\n      edges {\n        node {\n          id createdAt environment action targetId changes actor actorId actorName ipAddress userAgent requestId\n        }\n      }\n    }\n  }\n": types.AuditLogDocument,
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
export function graphql(source: "\n  mutation AuditedSettings($input: UpdateSettingsInput!) { updateSettings(input: $input) { maxFailures } }\n"): (typeof documents)["\n  mutation AuditedSettings($input: UpdateSettingsInput!) { updateSettings(input: $input) { maxFailures } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AuditedEndpoint($id: ID!, $input: UpdateWebhookEndpointInput!) {\n    updateWebhookEndpoint(id: $id, input: $input) { id }\n  }\n"): (typeof documents)["\n  mutation AuditedEndpoint($id: ID!, $input: UpdateWebhookEndpointInput!) {\n    updateWebhookEndpoint(id: $id, input: $input) { id }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AuditedSecret($id: ID!) { rotateWebhookSecret(id: $id) { secret } }\n"): (typeof documents)["\n  mutation AuditedSecret($id: ID!) { rotateWebhookSecret(id: $id) { secret } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AuditedEndpointRemoval($id: ID!) { deleteWebhookEndpoint(id: $id) { id } }\n"): (typeof documents)["\n  mutation AuditedEndpointRemoval($id: ID!) { deleteWebhookEndpoint(id: $id) { id } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AuditedTest($endpointId: ID!) { sendTestWebhook(endpointId: $endpointId) { id } }\n"): (typeof documents)["\n  mutation AuditedTest($endpointId: ID!) { sendTestWebhook(endpointId: $endpointId) { id } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AuditedTrigger($type: String!) { triggerEvent(type: $type) { id } }\n"): (typeof documents)["\n  mutation AuditedTrigger($type: String!) { triggerEvent(type: $type) { id } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AuditedResend($deliveryId: ID!) { resendWebhook(deliveryId: $deliveryId) { id } }\n"): (typeof documents)["\n  mutation AuditedResend($deliveryId: ID!) { resendWebhook(deliveryId: $deliveryId) { id } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AuditedReplay($input: ReplayWebhooksInput!) { replayWebhooks(input: $input, dryRun: false) { count } }\n"): (typeof documents)["\n  mutation AuditedReplay($input: ReplayWebhooksInput!) { replayWebhooks(input: $input, dryRun: false) { count } }\n"];
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
export function graphql(source: "\n  mutation Cancel($subscription: ID!, $when: CancelWhen!) {\n    cancelSubscription(subscription: $subscription, when: $when) {\n      subscription { id status cancelAtPeriodEnd nextPaymentAt accessUntil }\n      transaction\n    }\n  }\n"): (typeof documents)["\n  mutation Cancel($subscription: ID!, $when: CancelWhen!) {\n    cancelSubscription(subscription: $subscription, when: $when) {\n      subscription { id status cancelAtPeriodEnd nextPaymentAt accessUntil }\n      transaction\n    }\n  }\n"];
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
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ApiKeys($first: Int, $after: String) {\n    apiKeys(first: $first, after: $after) {\n      totalCount\n      pageInfo { hasNextPage endCursor }\n      edges {\n        node { id name prefix lastFour scopes isValid createdAt lastUsedAt expiresAt revokedAt replacedBy { id } }\n      }\n    }\n  }\n"): (typeof documents)["\n  query ApiKeys($first: Int, $after: String) {\n    apiKeys(first: $first, after: $after) {\n      totalCount\n      pageInfo { hasNextPage endCursor }\n      edges {\n        node { id name prefix lastFour scopes isValid createdAt lastUsedAt expiresAt revokedAt replacedBy { id } }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateApiKey($name: String!, $scopes: [ApiKeyScope!], $expiresAt: DateTime) {\n    createApiKey(name: $name, scopes: $scopes, expiresAt: $expiresAt) {\n      key { id name prefix lastFour scopes isValid createdAt lastUsedAt expiresAt revokedAt replacedBy { id } }\n      apiKey\n    }\n  }\n"): (typeof documents)["\n  mutation CreateApiKey($name: String!, $scopes: [ApiKeyScope!], $expiresAt: DateTime) {\n    createApiKey(name: $name, scopes: $scopes, expiresAt: $expiresAt) {\n      key { id name prefix lastFour scopes isValid createdAt lastUsedAt expiresAt revokedAt replacedBy { id } }\n      apiKey\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RotateApiKey($id: ID!, $overlapSeconds: Int, $expiresAt: DateTime) {\n    rotateApiKey(id: $id, overlapSeconds: $overlapSeconds, expiresAt: $expiresAt) {\n      key { id name scopes expiresAt }\n      apiKey\n      previous { id expiresAt replacedBy { id } }\n    }\n  }\n"): (typeof documents)["\n  mutation RotateApiKey($id: ID!, $overlapSeconds: Int, $expiresAt: DateTime) {\n    rotateApiKey(id: $id, overlapSeconds: $overlapSeconds, expiresAt: $expiresAt) {\n      key { id name scopes expiresAt }\n      apiKey\n      previous { id expiresAt replacedBy { id } }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RevokeApiKey($id: ID!) { revokeApiKey(id: $id) { id isValid revokedAt } }\n"): (typeof documents)["\n  mutation RevokeApiKey($id: ID!) { revokeApiKey(id: $id) { id isValid revokedAt } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PlanTotals($first: Int) {\n    plans(first: $first) {\n      edges {\n        node { planId revenue paymentCount subscribers { active pastDue cancelled expired } }\n      }\n    }\n  }\n"): (typeof documents)["\n  query PlanTotals($first: Int) {\n    plans(first: $first) {\n      edges {\n        node { planId revenue paymentCount subscribers { active pastDue cancelled expired } }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SessionPlanTotals($id: ID!) {\n    checkoutSession(id: $id) { plan { planId revenue } }\n  }\n"): (typeof documents)["\n  query SessionPlanTotals($id: ID!) {\n    checkoutSession(id: $id) { plan { planId revenue } }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SunsetPlan($planId: String!, $endsAt: DateTime!) {\n    sunsetPlanTransaction(planId: $planId, endsAt: $endsAt) { plan { planId status } transaction }\n  }\n"): (typeof documents)["\n  mutation SunsetPlan($planId: String!, $endsAt: DateTime!) {\n    sunsetPlanTransaction(planId: $planId, endsAt: $endsAt) { plan { planId status } transaction }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Settings { settings { maxFailures retryDelaysSeconds redirectUrlsAllowed } }\n"): (typeof documents)["\n  query Settings { settings { maxFailures retryDelaysSeconds redirectUrlsAllowed } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateSettings($input: UpdateSettingsInput!) {\n    updateSettings(input: $input) { maxFailures retryDelaysSeconds redirectUrlsAllowed }\n  }\n"): (typeof documents)["\n  mutation UpdateSettings($input: UpdateSettingsInput!) {\n    updateSettings(input: $input) { maxFailures retryDelaysSeconds redirectUrlsAllowed }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Customer($id: ID!) {\n    customer(id: $id) {\n      id email customerId walletAddress createdAt\n      subscriptions(first: 5) { totalCount edges { node { id status plan { planId } } } }\n    }\n  }\n"): (typeof documents)["\n  query Customer($id: ID!) {\n    customer(id: $id) {\n      id email customerId walletAddress createdAt\n      subscriptions(first: 5) { totalCount edges { node { id status plan { planId } } } }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Customers(\n    $search: String, $from: DateTime, $to: DateTime, $first: Int, $after: String, $last: Int, $before: String\n  ) {\n    customers(\n      search: $search, from: $from, to: $to, first: $first, after: $after, last: $last, before: $before\n    ) {\n      totalCount\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      edges { node { id email } }\n    }\n  }\n"): (typeof documents)["\n  query Customers(\n    $search: String, $from: DateTime, $to: DateTime, $first: Int, $after: String, $last: Int, $before: String\n  ) {\n    customers(\n      search: $search, from: $from, to: $to, first: $first, after: $after, last: $last, before: $before\n    ) {\n      totalCount\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      edges { node { id email } }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query FilteredPayments(\n    $planId: String, $subscriptionId: ID, $status: PaymentStatus, $from: DateTime, $to: DateTime, $first: Int, $after: String\n  ) {\n    payments(\n      planId: $planId, subscriptionId: $subscriptionId, status: $status, from: $from, to: $to, first: $first, after: $after\n    ) {\n      totalCount\n      pageInfo { hasNextPage endCursor }\n      edges { node { id status } }\n    }\n  }\n"): (typeof documents)["\n  query FilteredPayments(\n    $planId: String, $subscriptionId: ID, $status: PaymentStatus, $from: DateTime, $to: DateTime, $first: Int, $after: String\n  ) {\n    payments(\n      planId: $planId, subscriptionId: $subscriptionId, status: $status, from: $from, to: $to, first: $first, after: $after\n    ) {\n      totalCount\n      pageInfo { hasNextPage endCursor }\n      edges { node { id status } }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Events(\n    $type: String, $subscriptionId: ID, $from: DateTime, $to: DateTime, $first: Int, $after: String\n  ) {\n    events(type: $type, subscriptionId: $subscriptionId, from: $from, to: $to, first: $first, after: $after) {\n      totalCount\n      pageInfo { hasNextPage endCursor }\n      edges { node { id type sequence createdAt data subscription { id } } }\n    }\n  }\n"): (typeof documents)["\n  query Events(\n    $type: String, $subscriptionId: ID, $from: DateTime, $to: DateTime, $first: Int, $after: String\n  ) {\n    events(type: $type, subscriptionId: $subscriptionId, from: $from, to: $to, first: $first, after: $after) {\n      totalCount\n      pageInfo { hasNextPage endCursor }\n      edges { node { id type sequence createdAt data subscription { id } } }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query History($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {\n    subscription(id: $id) {\n      history(first: $first, after: $after, last: $last, before: $before) {\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n        edges {\n          node {\n            at\n            item {\n              __typename\n              ... on SubscriptionTransition { to reason }\n              ... on Payment { id paymentStatus: status amount }\n              ... on Attempt { attemptStatus: status failureCode }\n              ... on Event { id type }\n            }\n          }\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query History($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {\n    subscription(id: $id) {\n      history(first: $first, after: $after, last: $last, before: $before) {\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n        edges {\n          node {\n            at\n            item {\n              __typename\n              ... on SubscriptionTransition { to reason }\n              ... on Payment { id paymentStatus: status amount }\n              ... on Attempt { attemptStatus: status failureCode }\n              ... on Event { id type }\n            }\n          }\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Metrics($from: String!, $to: String!, $planId: String) {\n    metrics(from: $from, to: $to, planId: $planId) {\n      days { day active pastDue new resumed churned expired recovered failed mrr { mint amount } }\n      plans { plan { planId } days { day active mrr { amount } } }\n    }\n  }\n"): (typeof documents)["\n  query Metrics($from: String!, $to: String!, $planId: String) {\n    metrics(from: $from, to: $to, planId: $planId) {\n      days { day active pastDue new resumed churned expired recovered failed mrr { mint amount } }\n      plans { plan { planId } days { day active mrr { amount } } }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SubscriptionPage($first: Int!) {\n    subscriptionsConnection(first: $first) {\n      edges { node { id status plan { planId amount } customer { email customerId } } }\n    }\n  }\n"): (typeof documents)["\n  query SubscriptionPage($first: Int!) {\n    subscriptionsConnection(first: $first) {\n      edges { node { id status plan { planId amount } customer { email customerId } } }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PlanPage($first: Int!) {\n    plans(first: $first) {\n      edges { node { planId revenue subscribers { active pastDue cancelled expired } } }\n    }\n  }\n"): (typeof documents)["\n  query PlanPage($first: Int!) {\n    plans(first: $first) {\n      edges { node { planId revenue subscribers { active pastDue cancelled expired } } }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SignInInput($address: String) {\n    signInInput(address: $address) {\n      domain address statement uri version chainId nonce issuedAt expirationTime\n    }\n  }\n"): (typeof documents)["\n  mutation SignInInput($address: String) {\n    signInInput(address: $address) {\n      domain address statement uri version chainId nonce issuedAt expirationTime\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SignIn($output: SignInOutput!) {\n    signIn(output: $output) { memberId merchantId walletAddress role environment }\n  }\n"): (typeof documents)["\n  mutation SignIn($output: SignInOutput!) {\n    signIn(output: $output) { memberId merchantId walletAddress role environment }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Viewer {\n    viewer {\n      walletAddress role environment merchantId\n      merchant { companyName }\n      memberships { merchantId role merchant { companyName } }\n    }\n  }\n"): (typeof documents)["\n  query Viewer {\n    viewer {\n      walletAddress role environment merchantId\n      merchant { companyName }\n      memberships { merchantId role merchant { companyName } }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation SignOut { signOut }"): (typeof documents)["mutation SignOut { signOut }"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation SignOutEverywhere { signOutEverywhere }"): (typeof documents)["mutation SignOutEverywhere { signOutEverywhere }"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ChooseMerchant($merchantId: ID!) { chooseMerchant(merchantId: $merchantId) { merchantId role environment } }\n"): (typeof documents)["\n  mutation ChooseMerchant($merchantId: ID!) { chooseMerchant(merchantId: $merchantId) { merchantId role environment } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateProfile($input: MerchantProfileInput!) {\n    updateMerchantProfile(input: $input) { companyName logoUrl supportEmail walletAddress }\n  }\n"): (typeof documents)["\n  mutation UpdateProfile($input: MerchantProfileInput!) {\n    updateMerchantProfile(input: $input) { companyName logoUrl supportEmail walletAddress }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Members($first: Int, $after: String) {\n    members(first: $first, after: $after) {\n      totalCount\n      pageInfo { hasNextPage endCursor }\n      edges { node { id walletAddress role createdAt } }\n    }\n  }\n"): (typeof documents)["\n  query Members($first: Int, $after: String) {\n    members(first: $first, after: $after) {\n      totalCount\n      pageInfo { hasNextPage endCursor }\n      edges { node { id walletAddress role createdAt } }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation InviteMember($walletAddress: String!, $role: MemberRole!) {\n    inviteMember(walletAddress: $walletAddress, role: $role) { id walletAddress role }\n  }\n"): (typeof documents)["\n  mutation InviteMember($walletAddress: String!, $role: MemberRole!) {\n    inviteMember(walletAddress: $walletAddress, role: $role) { id walletAddress role }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ChangeMemberRole($id: ID!, $role: MemberRole!) { changeMemberRole(id: $id, role: $role) { id role } }\n"): (typeof documents)["\n  mutation ChangeMemberRole($id: ID!, $role: MemberRole!) { changeMemberRole(id: $id, role: $role) { id role } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RemoveMember($id: ID!) { removeMember(id: $id) { id } }\n"): (typeof documents)["\n  mutation RemoveMember($id: ID!) { removeMember(id: $id) { id } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query AuditLog($action: String, $targetId: String, $actorId: ID, $first: Int, $after: String) {\n    auditLog(action: $action, targetId: $targetId, actorId: $actorId, first: $first, after: $after) {\n      pageInfo { hasNextPage endCursor }\n      edges {\n        node {\n          id createdAt environment action targetId changes actor actorId actorName ipAddress userAgent requestId\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query AuditLog($action: String, $targetId: String, $actorId: ID, $first: Int, $after: String) {\n    auditLog(action: $action, targetId: $targetId, actorId: $actorId, first: $first, after: $after) {\n      pageInfo { hasNextPage endCursor }\n      edges {\n        node {\n          id createdAt environment action targetId changes actor actorId actorName ipAddress userAgent requestId\n        }\n      }\n    }\n  }\n"];

export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}

export type DocumentType<TDocumentNode extends DocumentNode<any, any>> = TDocumentNode extends DocumentNode<  infer TType,  any>  ? TType  : never;