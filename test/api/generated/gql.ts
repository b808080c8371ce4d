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
    "\n  mutation AuditedTestClock($seconds: Int!) { advanceTestClock(seconds: $seconds) }\n": typeof types.AuditedTestClockDocument,
    "\n  mutation AuditedSettings($input: UpdateSettingsInput!) { updateSettings(input: $input) { maxFailures } }\n": typeof types.AuditedSettingsDocument,
    "\n  mutation AuditedReceivingAccounts($mint: String!, $count: Int!) {\n    setReceivingAccounts(mint: $mint, count: $count) { count }\n  }\n": typeof types.AuditedReceivingAccountsDocument,
    "\n  mutation AuditedMailSettings($input: UpdateMailSettingsInput!) { updateMailSettings(input: $input) { templates } }\n": typeof types.AuditedMailSettingsDocument,
    "\n  mutation AuditedEndpoint($id: ID!, $input: UpdateWebhookEndpointInput!) {\n    updateWebhookEndpoint(id: $id, input: $input) { id }\n  }\n": typeof types.AuditedEndpointDocument,
    "\n  mutation AuditedSecret($id: ID!) { rotateWebhookSecret(id: $id) { secret } }\n": typeof types.AuditedSecretDocument,
    "\n  mutation AuditedSecretOverlap($id: ID!) { endWebhookSecretOverlap(id: $id) { previousSecretUntil } }\n": typeof types.AuditedSecretOverlapDocument,
    "\n  mutation AuditedEndpointRemoval($id: ID!) { deleteWebhookEndpoint(id: $id) { id } }\n": typeof types.AuditedEndpointRemovalDocument,
    "\n  mutation AuditedTest($endpointId: ID!) { sendTestWebhook(endpointId: $endpointId) { id } }\n": typeof types.AuditedTestDocument,
    "\n  mutation AuditedTrigger($type: String!) { triggerEvent(type: $type) { id } }\n": typeof types.AuditedTriggerDocument,
    "\n  mutation AuditedResend($deliveryId: ID!) { resendWebhook(deliveryId: $deliveryId) { id } }\n": typeof types.AuditedResendDocument,
    "\n  mutation AuditedReplay($input: ReplayWebhooksInput!) { replayWebhooks(input: $input, dryRun: false) { count } }\n": typeof types.AuditedReplayDocument,
    "\n  mutation RetryPayment($subscription: ID!) {\n    retryPayment(subscription: $subscription) { id status nextAttemptAt }\n  }\n": typeof types.RetryPaymentDocument,
    "\n  mutation CreateRefund($input: CreateRefundInput!) {\n    createRefund(input: $input) { id status amount }\n  }\n": typeof types.CreateRefundDocument,
    "\n  mutation CancelRefund($id: ID!) {\n    cancelRefund(id: $id) { id status }\n  }\n": typeof types.CancelRefundDocument,
    "\n  mutation UndoCancellation($subscription: ID!) {\n    undoCancellation(subscription: $subscription) { id status cancelAtPeriodEnd nextPaymentAt }\n  }\n": typeof types.UndoCancellationDocument,
    "\n  mutation Pause($subscription: ID!) {\n    pauseSubscription(subscription: $subscription, periods: 2) { id pausedFrom pausedUntil }\n  }\n": typeof types.PauseDocument,
    "\n  mutation Skip($subscription: ID!) {\n    skipNextPayment(subscription: $subscription) { id pausedFrom pausedUntil }\n  }\n": typeof types.SkipDocument,
    "\n  mutation Unpause($subscription: ID!) {\n    unpauseSubscription(subscription: $subscription, chargeNow: false) { id pausedFrom pausedUntil }\n  }\n": typeof types.UnpauseDocument,
    "\n  mutation Waive($subscription: ID!) {\n    waivePayment(subscription: $subscription) { id nextPaymentAt }\n  }\n": typeof types.WaiveDocument,
    "\n  mutation GrantFree($subscription: ID!) {\n    grantFreePeriods(subscription: $subscription, count: 2) { id nextPaymentAt }\n  }\n": typeof types.GrantFreeDocument,
    "\n  query Assets { assets { mint symbol name decimals logoUrl isDefault } }\n": typeof types.AssetsDocument,
    "\n  query PlanAsset($planId: String!) {\n    plan(planId: $planId) { mint asset { mint symbol name decimals logoUrl isDefault } }\n  }\n": typeof types.PlanAssetDocument,
    "\n  query PlanAssets { plans(first: 100) { edges { node { planId asset { decimals } } } } }\n": typeof types.PlanAssetsDocument,
    "\n  query SessionAsset($id: ID!) { checkoutSession(id: $id) { plan { asset { symbol decimals } } } }\n": typeof types.SessionAssetDocument,
    "\n  query MrrAssets($day: String!) {\n    metrics(from: $day, to: $day) { days { mrr { mint amount asset { symbol decimals } } } }\n  }\n": typeof types.MrrAssetsDocument,
    "\n  query Cluster { cluster { chain explorerUrl genesisHash isLocal } environments }\n": typeof types.ClusterDocument,
    "\n  query Payment($id: ID!) { payment(id: $id) { id status amount subscription { id } } }\n": typeof types.PaymentDocument,
    "\n  query Event($id: ID!) {\n    event(id: $id) { id type data subscription { id } deliveries { id status endpoint { url } } }\n  }\n": typeof types.EventDocument,
    "\n  query Search($text: String!) { search(text: $text) { kind id label detail createdAt } }\n": typeof types.SearchDocument,
    "\n  query Onboarding { onboarding { steps { step doneAt } dismissedAt } }\n": typeof types.OnboardingDocument,
    "\n  mutation DismissOnboarding { dismissOnboarding { dismissedAt } }\n": typeof types.DismissOnboardingDocument,
    "\n  query ServiceHealth {\n    serviceHealth {\n      collectors { environment role address lamports daysLeft canPay }\n      mirror { state slotsBehind silentSeconds doubt }\n      checkedAt\n    }\n  }\n": typeof types.ServiceHealthDocument,
    "\n  query Me {\n    merchant { companyName logoUrl supportEmail walletAddress }\n    environment\n  }\n": typeof types.MeDocument,
    "\n  query Plan($planId: String!) {\n    plan(planId: $planId) {\n      planId name description amount interval trialPeriodSeconds mint address status endsAt createdAt publishedAt\n      merchant { companyName }\n    }\n  }\n": typeof types.PlanDocument,
    "\n  query Plans($status: PlanStatus, $first: Int, $after: String, $last: Int, $before: String) {\n    plans(status: $status, first: $first, after: $after, last: $last, before: $before) {\n      totalCount\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      edges { cursor node { planId } }\n    }\n  }\n": typeof types.PlansDocument,
    "\n  query Subscription($id: ID!) {\n    subscription(id: $id) {\n      id lifeId status walletAddress metadata startedAt nextPaymentAt nextAttemptAt paymentCount failureCount\n      cancelAtPeriodEnd cancelledAt accessUntil createdAt\n      customer { email customerId walletAddress }\n      plan { planId }\n      checkoutSession { id status }\n      transitions { from to reason at }\n      payments(first: 2) {\n        totalCount\n        pageInfo { hasNextPage endCursor }\n        edges { node { id status amount } }\n      }\n    }\n  }\n": typeof types.SubscriptionDocument,
    "\n  query Subscriptions($page: Int, $limit: Int, $filter: SubscriptionFilter) {\n    subscriptions(page: $page, limit: $limit, filter: $filter) {\n      data { id customer { email } plan { planId } }\n      pagination { page limit total pages }\n    }\n  }\n": typeof types.SubscriptionsDocument,
    "\n  query SubscriptionsConnection(\n    $filter: SubscriptionFilter, $orderBy: SubscriptionOrder, $first: Int, $after: String, $last: Int, $before: String\n  ) {\n    subscriptionsConnection(\n      filter: $filter, orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before\n    ) {\n      totalCount\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      edges { node { id customer { email } } }\n    }\n  }\n": typeof types.SubscriptionsConnectionDocument,
    "\n  query SubscriptionCounts { subscriptionCounts { active pastDue cancelled expired total } }\n": typeof types.SubscriptionCountsDocument,
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
    "\n  query Receipt($number: Int, $paymentId: ID) {\n    receipt(number: $number, paymentId: $paymentId) { number payment { id } }\n  }\n": typeof types.ReceiptDocument,
    "\n  query Receipts(\n    $number: Int, $subscriptionId: ID, $customer: String, $from: DateTime, $to: DateTime, $first: Int, $after: String,\n    $last: Int, $before: String\n  ) {\n    receipts(\n      number: $number, subscriptionId: $subscriptionId, customer: $customer, from: $from, to: $to, first: $first,\n      after: $after, last: $last, before: $before\n    ) {\n      totalCount\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      edges { node { number issuedAt pdfUrl document payment { id refundedAmount } } }\n    }\n  }\n": typeof types.ReceiptsDocument,
    "\n  mutation CreatePaymentLink($input: CreatePaymentLinkInput!) {\n    createPaymentLink(input: $input) {\n      id url qrSvgUrl qrPngUrl embedScriptUrl name active successUrl cancelUrl metadata openedCount completedCount\n      plan { planId }\n    }\n  }\n": typeof types.CreatePaymentLinkDocument,
    "\n  mutation UpdatePaymentLink($id: ID!, $input: UpdatePaymentLinkInput!) {\n    updatePaymentLink(id: $id, input: $input) { id name active successUrl metadata }\n  }\n": typeof types.UpdatePaymentLinkDocument,
    "\n  query PaymentLink($id: ID!) { paymentLink(id: $id) { id active openedCount completedCount } }\n": typeof types.PaymentLinkDocument,
    "\n  query PaymentLinks($planId: String, $active: Boolean, $first: Int, $after: String) {\n    paymentLinks(planId: $planId, active: $active, first: $first, after: $after) {\n      totalCount\n      edges { cursor node { id } }\n    }\n  }\n": typeof types.PaymentLinksDocument,
    "\n  query PlanTotals($first: Int) {\n    plans(first: $first) {\n      edges {\n        node { planId revenue paymentCount subscribers { active pastDue cancelled expired } }\n      }\n    }\n  }\n": typeof types.PlanTotalsDocument,
    "\n  query SessionPlanTotals($id: ID!) {\n    checkoutSession(id: $id) { plan { planId revenue } }\n  }\n": typeof types.SessionPlanTotalsDocument,
    "\n  mutation SunsetPlan($planId: String!, $endsAt: DateTime!) {\n    sunsetPlanTransaction(planId: $planId, endsAt: $endsAt) { plan { planId status } transaction }\n  }\n": typeof types.SunsetPlanDocument,
    "\n  query Settings { settings { maxFailures retryDelaysSeconds redirectUrlsAllowed sponsorsCustomers sponsoredLamportsPerDay } }\n": typeof types.SettingsDocument,
    "\n  mutation UpdateSettings($input: UpdateSettingsInput!) {\n    updateSettings(input: $input) { maxFailures retryDelaysSeconds redirectUrlsAllowed sponsorsCustomers sponsoredLamportsPerDay }\n  }\n": typeof types.UpdateSettingsDocument,
    "\n  query Customer($id: ID!) {\n    customer(id: $id) {\n      id email customerId walletAddress createdAt\n      subscriptions(first: 5) { totalCount edges { node { id status plan { planId } } } }\n    }\n  }\n": typeof types.CustomerDocument,
    "\n  query Customers(\n    $search: String, $from: DateTime, $to: DateTime, $first: Int, $after: String, $last: Int, $before: String\n  ) {\n    customers(\n      search: $search, from: $from, to: $to, first: $first, after: $after, last: $last, before: $before\n    ) {\n      totalCount\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      edges { node { id email } }\n    }\n  }\n": typeof types.CustomersDocument,
    "\n  query FilteredPayments(\n    $planId: String, $subscriptionId: ID, $status: PaymentStatus, $customer: String, $signature: String,\n    $failureCode: FailureCode, $from: DateTime, $to: DateTime, $first: Int, $after: String\n  ) {\n    payments(\n      planId: $planId, subscriptionId: $subscriptionId, status: $status, customer: $customer, signature: $signature,\n      failureCode: $failureCode, from: $from, to: $to, first: $first, after: $after\n    ) {\n      totalCount\n      pageInfo { hasNextPage endCursor }\n      edges { node { id status } }\n    }\n  }\n": typeof types.FilteredPaymentsDocument,
    "\n  query Events(\n    $type: String, $subscriptionId: ID, $from: DateTime, $to: DateTime, $first: Int, $after: String\n  ) {\n    events(type: $type, subscriptionId: $subscriptionId, from: $from, to: $to, first: $first, after: $after) {\n      totalCount\n      pageInfo { hasNextPage endCursor }\n      edges { node { id type sequence createdAt data subscription { id } } }\n    }\n  }\n": typeof types.EventsDocument,
    "\n  query History($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {\n    subscription(id: $id) {\n      history(first: $first, after: $after, last: $last, before: $before) {\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n        edges {\n          node {\n            at\n            item {\n              __typename\n              ... on SubscriptionTransition { to reason }\n              ... on Payment { id paymentStatus: status amount }\n              ... on Attempt { attemptStatus: status failureCode }\n              ... on Event { id type }\n            }\n          }\n        }\n      }\n    }\n  }\n": typeof types.HistoryDocument,
    "\n  query SubscriptionPage($first: Int!) {\n    subscriptionsConnection(first: $first) {\n      edges { node { id status plan { planId amount } customer { email customerId } } }\n    }\n  }\n": typeof types.SubscriptionPageDocument,
    "\n  query PlanPage($first: Int!) {\n    plans(first: $first) {\n      edges { node { planId revenue subscribers { active pastDue cancelled expired } } }\n    }\n  }\n": typeof types.PlanPageDocument,
    "\n  query Upcoming($until: String!) {\n    upcomingCharges(until: $until) { day count amount { amount } short shortChecked }\n  }\n": typeof types.UpcomingDocument,
    "\n  query Conversion($from: String!, $to: String!) {\n    checkoutConversion(from: $from, to: $to) { day created completed expired }\n  }\n": typeof types.ConversionDocument,
    "\n  query EndpointStats($id: ID!, $hours: Int!) {\n    eventTypes { type description sample }\n    webhookEndpoint(id: $id) { description stats(hours: $hours) { delivered failed pending p50Ms p95Ms } }\n  }\n": typeof types.EndpointStatsDocument,
    "\n  query RefusedDeliveries($statusCode: Int!) {\n    webhookDeliveries(statusCode: $statusCode) { edges { node { id lastStatusCode } } }\n  }\n": typeof types.RefusedDeliveriesDocument,
    "\n  query PaidBy($id: ID!) {\n    customer(id: $id) {\n      totalPaid { mint amount }\n      nextCharge { at amount { mint amount asset { symbol } } }\n      payments(first: 5) { totalCount edges { node { id } } }\n    }\n  }\n": typeof types.PaidByDocument,
    "\n  query AboutPayment($id: ID!) {\n    payment(id: $id) { dueAt periodEnd customer { id } mails { id template recipient status error createdAt sentAt } }\n    events(paymentId: $id, first: 5) { totalCount edges { node { id type deliveries { id } } } }\n  }\n": typeof types.AboutPaymentDocument,
    "\n  query EventsAbout($id: ID!) { events(paymentId: $id) { edges { node { id } } } }\n": typeof types.EventsAboutDocument,
    "\n  mutation UpdateBillingDetails($id: ID!, $input: BillingDetailsInput!) {\n    updateBillingDetails(id: $id, input: $input) { id billingName billingAddress taxId }\n  }\n": typeof types.UpdateBillingDetailsDocument,
    "\n  mutation UpdateCustomer($id: ID!, $email: String!) { updateCustomer(id: $id, email: $email) { id email } }\n": typeof types.UpdateCustomerDocument,
    "\n  mutation UpdatePlan($planId: String!, $input: UpdatePlanInput!) {\n    updatePlan(planId: $planId, input: $input) { planId name description imageUrl }\n  }\n": typeof types.UpdatePlanDocument,
    "\n  mutation DeleteDraft($planId: String!) { deletePlanDraft(planId: $planId) }\n": typeof types.DeleteDraftDocument,
    "\n  mutation RepairPlan($planId: String!) {\n    repairPlanTransaction(planId: $planId) { plan { planId status } transaction }\n  }\n": typeof types.RepairPlanDocument,
    "\n  mutation DeletePlan($planId: String!) {\n    deletePlanTransaction(planId: $planId) { plan { planId status } transaction }\n  }\n": typeof types.DeletePlanDocument,
    "\n  subscription PlanUpdated($planId: String) { planUpdated(planId: $planId) { planId name status problem } }\n": typeof types.PlanUpdatedDocument,
    "\n  mutation CreatePrice($planId: String!, $amount: TokenAmount!) {\n    createPrice(planId: $planId, amount: $amount) { id version amount }\n  }\n": typeof types.CreatePriceDocument,
    "\n  mutation CreateDiscount($input: CreateDiscountInput!) { createDiscount(input: $input) { id } }\n": typeof types.CreateDiscountDocument,
    "\n  mutation UpdateDiscount($id: ID!, $input: UpdateDiscountInput!) { updateDiscount(id: $id, input: $input) { id } }\n": typeof types.UpdateDiscountDocument,
    "\n  mutation ApplyDiscount($subscription: ID!, $discountId: ID!) {\n    applyDiscount(subscription: $subscription, discountId: $discountId) { id }\n  }\n": typeof types.ApplyDiscountDocument,
    "\n  mutation RemoveDiscount($subscription: ID!) { removeDiscount(subscription: $subscription) { id } }\n": typeof types.RemoveDiscountDocument,
    "\n  mutation RetirePrice($priceId: ID!) { retirePrice(priceId: $priceId) { id retiredAt } }\n": typeof types.RetirePriceDocument,
    "\n  mutation CreatePortalSession($customer: ID!, $flow: PortalFlow, $returnUrl: String) {\n    createPortalSession(customer: $customer, flow: $flow, returnUrl: $returnUrl) {\n      url\n      expiresAt\n    }\n  }\n": typeof types.CreatePortalSessionDocument,
    "\n  query ReceivingAccounts($mint: String) {\n    receivingAccounts(mint: $mint) {\n      asset { mint }\n      count\n      accounts { number address state isUsed balance }\n    }\n  }\n": typeof types.ReceivingAccountsDocument,
    "\n  mutation SetReceivingAccounts($mint: String!, $count: Int!) {\n    setReceivingAccounts(mint: $mint, count: $count) { count accounts { number state isUsed } }\n  }\n": typeof types.SetReceivingAccountsDocument,
    "\n  mutation CreateReceivingAccounts($mint: String!) {\n    receivingAccountsTransaction(mint: $mint) { receivingAccounts { count } transaction }\n  }\n": typeof types.CreateReceivingAccountsDocument,
    "\n  mutation SweepReceivingAccounts($mint: String!) {\n    sweepReceivingAccountsTransaction(mint: $mint) { receivingAccounts { count } transaction }\n  }\n": typeof types.SweepReceivingAccountsDocument,
    "\n  mutation SignInInput($address: String) {\n    signInInput(address: $address) {\n      domain address statement uri version chainId nonce issuedAt expirationTime\n    }\n  }\n": typeof types.SignInInputDocument,
    "\n  mutation SignIn($output: SignInOutput!) {\n    signIn(output: $output) { memberId merchantId walletAddress role environment }\n  }\n": typeof types.SignInDocument,
    "\n  query Viewer {\n    viewer {\n      walletAddress role environment merchantId\n      merchant { companyName }\n      memberships { merchantId role merchant { companyName } }\n    }\n  }\n": typeof types.ViewerDocument,
    "\n  query UncheckedRestore {\n    viewer { uncheckedRestore { number lostFrom lostUntil isCollecting } }\n  }\n": typeof types.UncheckedRestoreDocument,
    "\n  mutation ConfirmRestoreCheck($number: Int!) {\n    confirmRestoreCheck(number: $number) { number checkedAt }\n  }\n": typeof types.ConfirmRestoreCheckDocument,
    "mutation SignOut { signOut }": typeof types.SignOutDocument,
    "mutation SignOutEverywhere { signOutEverywhere }": typeof types.SignOutEverywhereDocument,
    "\n  mutation ChooseMerchant($merchantId: ID!) { chooseMerchant(merchantId: $merchantId) { merchantId role environment } }\n": typeof types.ChooseMerchantDocument,
    "\n  mutation UpdateProfile($input: MerchantProfileInput!) {\n    updateMerchantProfile(input: $input) { companyName logoUrl supportEmail walletAddress }\n  }\n": typeof types.UpdateProfileDocument,
    "\n  query Members($first: Int, $after: String) {\n    members(first: $first, after: $after) {\n      totalCount\n      pageInfo { hasNextPage endCursor }\n      edges { node { id walletAddress role createdAt } }\n    }\n  }\n": typeof types.MembersDocument,
    "\n  mutation InviteMember($walletAddress: String!, $role: MemberRole!) {\n    inviteMember(walletAddress: $walletAddress, role: $role) { id walletAddress role }\n  }\n": typeof types.InviteMemberDocument,
    "\n  mutation ChangeMemberRole($id: ID!, $role: MemberRole!) { changeMemberRole(id: $id, role: $role) { id role } }\n": typeof types.ChangeMemberRoleDocument,
    "\n  mutation RemoveMember($id: ID!) { removeMember(id: $id) { id } }\n": typeof types.RemoveMemberDocument,
    "\n  query AuditLog($action: String, $targetId: String, $actorId: ID, $first: Int, $after: String) {\n    auditLog(action: $action, targetId: $targetId, actorId: $actorId, first: $first, after: $after) {\n      pageInfo { hasNextPage endCursor }\n      edges {\n        node {\n          id createdAt environment action targetId changes actor actorId actorName ipAddress userAgent requestId\n        }\n      }\n    }\n  }\n": typeof types.AuditLogDocument,
    "query CanCreateMerchant($address: String!) { canCreateMerchant(address: $address) }": typeof types.CanCreateMerchantDocument,
    "query SignUpPolicy { signUpPolicy }": typeof types.SignUpPolicyDocument,
    "\n  mutation CreateMerchant($companyName: String!, $output: SignInOutput) {\n    createMerchant(companyName: $companyName, output: $output) {\n      walletAddress role merchantId merchant { companyName walletAddress }\n    }\n  }\n": typeof types.CreateMerchantDocument,
    "\n  query Sessions {\n    viewer {\n      sessions { id isCurrent createdAt idleUntil expiresAt ipAddress userAgent merchant { companyName } }\n    }\n  }\n": typeof types.SessionsDocument,
    "mutation EndMemberSession($id: ID!) { endMemberSession(id: $id) }": typeof types.EndMemberSessionDocument,
    "\n  mutation RenameMember($id: ID!, $name: String) { renameMember(id: $id, name: $name) { id name } }\n": typeof types.RenameMemberDocument,
    "\n  query MemberNames { members { edges { node { id name walletAddress } } } }\n": typeof types.MemberNamesDocument,
    "\n  query AuditRange($from: DateTime, $to: DateTime) {\n    auditLog(from: $from, to: $to) { edges { node { action createdAt } } }\n  }\n": typeof types.AuditRangeDocument,
    "\n  mutation UploadLogo($png: String!) {\n    uploadLogo(png: $png) { logoUrl }\n  }\n": typeof types.UploadLogoDocument,
    "\n  query CanMoveTime { cluster { canMoveTime now } }\n": typeof types.CanMoveTimeDocument,
    "\n  mutation AdvanceTestClock($seconds: Int!) { advanceTestClock(seconds: $seconds) }\n": typeof types.AdvanceTestClockDocument,
    "\n  query WalletStateOf($id: ID!) {\n    subscription(id: $id) { id walletState { balance approval frozen runwayPeriods checkedAt } }\n  }\n": typeof types.WalletStateOfDocument,
    "\n  query WalletStates($first: Int!) {\n    subscriptionsConnection(first: $first) { edges { node { id walletState { balance approval } } } }\n  }\n": typeof types.WalletStatesDocument,
};
const documents: Documents = {
    "\n  mutation AuditedTestClock($seconds: Int!) { advanceTestClock(seconds: $seconds) }\n": types.AuditedTestClockDocument,
    "\n  mutation AuditedSettings($input: UpdateSettingsInput!) { updateSettings(input: $input) { maxFailures } }\n": types.AuditedSettingsDocument,
    "\n  mutation AuditedReceivingAccounts($mint: String!, $count: Int!) {\n    setReceivingAccounts(mint: $mint, count: $count) { count }\n  }\n": types.AuditedReceivingAccountsDocument,
    "\n  mutation AuditedMailSettings($input: UpdateMailSettingsInput!) { updateMailSettings(input: $input) { templates } }\n": types.AuditedMailSettingsDocument,
    "\n  mutation AuditedEndpoint($id: ID!, $input: UpdateWebhookEndpointInput!) {\n    updateWebhookEndpoint(id: $id, input: $input) { id }\n  }\n": types.AuditedEndpointDocument,
    "\n  mutation AuditedSecret($id: ID!) { rotateWebhookSecret(id: $id) { secret } }\n": types.AuditedSecretDocument,
    "\n  mutation AuditedSecretOverlap($id: ID!) { endWebhookSecretOverlap(id: $id) { previousSecretUntil } }\n": types.AuditedSecretOverlapDocument,
    "\n  mutation AuditedEndpointRemoval($id: ID!) { deleteWebhookEndpoint(id: $id) { id } }\n": types.AuditedEndpointRemovalDocument,
    "\n  mutation AuditedTest($endpointId: ID!) { sendTestWebhook(endpointId: $endpointId) { id } }\n": types.AuditedTestDocument,
    "\n  mutation AuditedTrigger($type: String!) { triggerEvent(type: $type) { id } }\n": types.AuditedTriggerDocument,
    "\n  mutation AuditedResend($deliveryId: ID!) { resendWebhook(deliveryId: $deliveryId) { id } }\n": types.AuditedResendDocument,
    "\n  mutation AuditedReplay($input: ReplayWebhooksInput!) { replayWebhooks(input: $input, dryRun: false) { count } }\n": types.AuditedReplayDocument,
    "\n  mutation RetryPayment($subscription: ID!) {\n    retryPayment(subscription: $subscription) { id status nextAttemptAt }\n  }\n": types.RetryPaymentDocument,
    "\n  mutation CreateRefund($input: CreateRefundInput!) {\n    createRefund(input: $input) { id status amount }\n  }\n": types.CreateRefundDocument,
    "\n  mutation CancelRefund($id: ID!) {\n    cancelRefund(id: $id) { id status }\n  }\n": types.CancelRefundDocument,
    "\n  mutation UndoCancellation($subscription: ID!) {\n    undoCancellation(subscription: $subscription) { id status cancelAtPeriodEnd nextPaymentAt }\n  }\n": types.UndoCancellationDocument,
    "\n  mutation Pause($subscription: ID!) {\n    pauseSubscription(subscription: $subscription, periods: 2) { id pausedFrom pausedUntil }\n  }\n": types.PauseDocument,
    "\n  mutation Skip($subscription: ID!) {\n    skipNextPayment(subscription: $subscription) { id pausedFrom pausedUntil }\n  }\n": types.SkipDocument,
    "\n  mutation Unpause($subscription: ID!) {\n    unpauseSubscription(subscription: $subscription, chargeNow: false) { id pausedFrom pausedUntil }\n  }\n": types.UnpauseDocument,
    "\n  mutation Waive($subscription: ID!) {\n    waivePayment(subscription: $subscription) { id nextPaymentAt }\n  }\n": types.WaiveDocument,
    "\n  mutation GrantFree($subscription: ID!) {\n    grantFreePeriods(subscription: $subscription, count: 2) { id nextPaymentAt }\n  }\n": types.GrantFreeDocument,
    "\n  query Assets { assets { mint symbol name decimals logoUrl isDefault } }\n": types.AssetsDocument,
    "\n  query PlanAsset($planId: String!) {\n    plan(planId: $planId) { mint asset { mint symbol name decimals logoUrl isDefault } }\n  }\n": types.PlanAssetDocument,
    "\n  query PlanAssets { plans(first: 100) { edges { node { planId asset { decimals } } } } }\n": types.PlanAssetsDocument,
    "\n  query SessionAsset($id: ID!) { checkoutSession(id: $id) { plan { asset { symbol decimals } } } }\n": types.SessionAssetDocument,
    "\n  query MrrAssets($day: String!) {\n    metrics(from: $day, to: $day) { days { mrr { mint amount asset { symbol decimals } } } }\n  }\n": types.MrrAssetsDocument,
    "\n  query Cluster { cluster { chain explorerUrl genesisHash isLocal } environments }\n": types.ClusterDocument,
    "\n  query Payment($id: ID!) { payment(id: $id) { id status amount subscription { id } } }\n": types.PaymentDocument,
    "\n  query Event($id: ID!) {\n    event(id: $id) { id type data subscription { id } deliveries { id status endpoint { url } } }\n  }\n": types.EventDocument,
    "\n  query Search($text: String!) { search(text: $text) { kind id label detail createdAt } }\n": types.SearchDocument,
    "\n  query Onboarding { onboarding { steps { step doneAt } dismissedAt } }\n": types.OnboardingDocument,
    "\n  mutation DismissOnboarding { dismissOnboarding { dismissedAt } }\n": types.DismissOnboardingDocument,
    "\n  query ServiceHealth {\n    serviceHealth {\n      collectors { environment role address lamports daysLeft canPay }\n      mirror { state slotsBehind silentSeconds doubt }\n      checkedAt\n    }\n  }\n": types.ServiceHealthDocument,
    "\n  query Me {\n    merchant { companyName logoUrl supportEmail walletAddress }\n    environment\n  }\n": types.MeDocument,
    "\n  query Plan($planId: String!) {\n    plan(planId: $planId) {\n      planId name description amount interval trialPeriodSeconds mint address status endsAt createdAt publishedAt\n      merchant { companyName }\n    }\n  }\n": types.PlanDocument,
    "\n  query Plans($status: PlanStatus, $first: Int, $after: String, $last: Int, $before: String) {\n    plans(status: $status, first: $first, after: $after, last: $last, before: $before) {\n      totalCount\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      edges { cursor node { planId } }\n    }\n  }\n": types.PlansDocument,
    "\n  query Subscription($id: ID!) {\n    subscription(id: $id) {\n      id lifeId status walletAddress metadata startedAt nextPaymentAt nextAttemptAt paymentCount failureCount\n      cancelAtPeriodEnd cancelledAt accessUntil createdAt\n      customer { email customerId walletAddress }\n      plan { planId }\n      checkoutSession { id status }\n      transitions { from to reason at }\n      payments(first: 2) {\n        totalCount\n        pageInfo { hasNextPage endCursor }\n        edges { node { id status amount } }\n      }\n    }\n  }\n": types.SubscriptionDocument,
    "\n  query Subscriptions($page: Int, $limit: Int, $filter: SubscriptionFilter) {\n    subscriptions(page: $page, limit: $limit, filter: $filter) {\n      data { id customer { email } plan { planId } }\n      pagination { page limit total pages }\n    }\n  }\n": types.SubscriptionsDocument,
    "\n  query SubscriptionsConnection(\n    $filter: SubscriptionFilter, $orderBy: SubscriptionOrder, $first: Int, $after: String, $last: Int, $before: String\n  ) {\n    subscriptionsConnection(\n      filter: $filter, orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before\n    ) {\n      totalCount\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      edges { node { id customer { email } } }\n    }\n  }\n": types.SubscriptionsConnectionDocument,
    "\n  query SubscriptionCounts { subscriptionCounts { active pastDue cancelled expired total } }\n": types.SubscriptionCountsDocument,
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
    "\n  query Receipt($number: Int, $paymentId: ID) {\n    receipt(number: $number, paymentId: $paymentId) { number payment { id } }\n  }\n": types.ReceiptDocument,
    "\n  query Receipts(\n    $number: Int, $subscriptionId: ID, $customer: String, $from: DateTime, $to: DateTime, $first: Int, $after: String,\n    $last: Int, $before: String\n  ) {\n    receipts(\n      number: $number, subscriptionId: $subscriptionId, customer: $customer, from: $from, to: $to, first: $first,\n      after: $after, last: $last, before: $before\n    ) {\n      totalCount\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      edges { node { number issuedAt pdfUrl document payment { id refundedAmount } } }\n    }\n  }\n": types.ReceiptsDocument,
    "\n  mutation CreatePaymentLink($input: CreatePaymentLinkInput!) {\n    createPaymentLink(input: $input) {\n      id url qrSvgUrl qrPngUrl embedScriptUrl name active successUrl cancelUrl metadata openedCount completedCount\n      plan { planId }\n    }\n  }\n": types.CreatePaymentLinkDocument,
    "\n  mutation UpdatePaymentLink($id: ID!, $input: UpdatePaymentLinkInput!) {\n    updatePaymentLink(id: $id, input: $input) { id name active successUrl metadata }\n  }\n": types.UpdatePaymentLinkDocument,
    "\n  query PaymentLink($id: ID!) { paymentLink(id: $id) { id active openedCount completedCount } }\n": types.PaymentLinkDocument,
    "\n  query PaymentLinks($planId: String, $active: Boolean, $first: Int, $after: String) {\n    paymentLinks(planId: $planId, active: $active, first: $first, after: $after) {\n      totalCount\n      edges { cursor node { id } }\n    }\n  }\n": types.PaymentLinksDocument,
    "\n  query PlanTotals($first: Int) {\n    plans(first: $first) {\n      edges {\n        node { planId revenue paymentCount subscribers { active pastDue cancelled expired } }\n      }\n    }\n  }\n": types.PlanTotalsDocument,
    "\n  query SessionPlanTotals($id: ID!) {\n    checkoutSession(id: $id) { plan { planId revenue } }\n  }\n": types.SessionPlanTotalsDocument,
    "\n  mutation SunsetPlan($planId: String!, $endsAt: DateTime!) {\n    sunsetPlanTransaction(planId: $planId, endsAt: $endsAt) { plan { planId status } transaction }\n  }\n": types.SunsetPlanDocument,
    "\n  query Settings { settings { maxFailures retryDelaysSeconds redirectUrlsAllowed sponsorsCustomers sponsoredLamportsPerDay } }\n": types.SettingsDocument,
    "\n  mutation UpdateSettings($input: UpdateSettingsInput!) {\n    updateSettings(input: $input) { maxFailures retryDelaysSeconds redirectUrlsAllowed sponsorsCustomers sponsoredLamportsPerDay }\n  }\n": types.UpdateSettingsDocument,
    "\n  query Customer($id: ID!) {\n    customer(id: $id) {\n      id email customerId walletAddress createdAt\n      subscriptions(first: 5) { totalCount edges { node { id status plan { planId } } } }\n    }\n  }\n": types.CustomerDocument,
    "\n  query Customers(\n    $search: String, $from: DateTime, $to: DateTime, $first: Int, $after: String, $last: Int, $before: String\n  ) {\n    customers(\n      search: $search, from: $from, to: $to, first: $first, after: $after, last: $last, before: $before\n    ) {\n      totalCount\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      edges { node { id email } }\n    }\n  }\n": types.CustomersDocument,
    "\n  query FilteredPayments(\n    $planId: String, $subscriptionId: ID, $status: PaymentStatus, $customer: String, $signature: String,\n    $failureCode: FailureCode, $from: DateTime, $to: DateTime, $first: Int, $after: String\n  ) {\n    payments(\n      planId: $planId, subscriptionId: $subscriptionId, status: $status, customer: $customer, signature: $signature,\n      failureCode: $failureCode, from: $from, to: $to, first: $first, after: $after\n    ) {\n      totalCount\n      pageInfo { hasNextPage endCursor }\n      edges { node { id status } }\n    }\n  }\n": types.FilteredPaymentsDocument,
    "\n  query Events(\n    $type: String, $subscriptionId: ID, $from: DateTime, $to: DateTime, $first: Int, $after: String\n  ) {\n    events(type: $type, subscriptionId: $subscriptionId, from: $from, to: $to, first: $first, after: $after) {\n      totalCount\n      pageInfo { hasNextPage endCursor }\n      edges { node { id type sequence createdAt data subscription { id } } }\n    }\n  }\n": types.EventsDocument,
    "\n  query History($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {\n    subscription(id: $id) {\n      history(first: $first, after: $after, last: $last, before: $before) {\n        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n        edges {\n          node {\n            at\n            item {\n              __typename\n              ... on SubscriptionTransition { to reason }\n              ... on Payment { id paymentStatus: status amount }\n              ... on Attempt { attemptStatus: status failureCode }\n              ... on Event { id type }\n            }\n          }\n        }\n      }\n    }\n  }\n": types.HistoryDocument,
    "\n  query SubscriptionPage($first: Int!) {\n    subscriptionsConnection(first: $first) {\n      edges { node { id status plan { planId amount } customer { email customerId } } }\n    }\n  }\n": types.SubscriptionPageDocument,
    "\n  query PlanPage($first: Int!) {\n    plans(first: $first) {\n      edges { node { planId revenue subscribers { active pastDue cancelled expired } } }\n    }\n  }\n": types.PlanPageDocument,
    "\n  query Upcoming($until: String!) {\n    upcomingCharges(until: $until) { day count amount { amount } short shortChecked }\n  }\n": types.UpcomingDocument,
    "\n  query Conversion($from: String!, $to: String!) {\n    checkoutConversion(from: $from, to: $to) { day created completed expired }\n  }\n": types.ConversionDocument,
    "\n  query EndpointStats($id: ID!, $hours: Int!) {\n    eventTypes { type description sample }\n    webhookEndpoint(id: $id) { description stats(hours: $hours) { delivered failed pending p50Ms p95Ms } }\n  }\n": types.EndpointStatsDocument,
    "\n  query RefusedDeliveries($statusCode: Int!) {\n    webhookDeliveries(statusCode: $statusCode) { edges { node { id lastStatusCode } } }\n  }\n": types.RefusedDeliveriesDocument,
    "\n  query PaidBy($id: ID!) {\n    customer(id: $id) {\n      totalPaid { mint amount }\n      nextCharge { at amount { mint amount asset { symbol } } }\n      payments(first: 5) { totalCount edges { node { id } } }\n    }\n  }\n": types.PaidByDocument,
    "\n  query AboutPayment($id: ID!) {\n    payment(id: $id) { dueAt periodEnd customer { id } mails { id template recipient status error createdAt sentAt } }\n    events(paymentId: $id, first: 5) { totalCount edges { node { id type deliveries { id } } } }\n  }\n": types.AboutPaymentDocument,
    "\n  query EventsAbout($id: ID!) { events(paymentId: $id) { edges { node { id } } } }\n": types.EventsAboutDocument,
    "\n  mutation UpdateBillingDetails($id: ID!, $input: BillingDetailsInput!) {\n    updateBillingDetails(id: $id, input: $input) { id billingName billingAddress taxId }\n  }\n": types.UpdateBillingDetailsDocument,
    "\n  mutation UpdateCustomer($id: ID!, $email: String!) { updateCustomer(id: $id, email: $email) { id email } }\n": types.UpdateCustomerDocument,
    "\n  mutation UpdatePlan($planId: String!, $input: UpdatePlanInput!) {\n    updatePlan(planId: $planId, input: $input) { planId name description imageUrl }\n  }\n": types.UpdatePlanDocument,
    "\n  mutation DeleteDraft($planId: String!) { deletePlanDraft(planId: $planId) }\n": types.DeleteDraftDocument,
    "\n  mutation RepairPlan($planId: String!) {\n    repairPlanTransaction(planId: $planId) { plan { planId status } transaction }\n  }\n": types.RepairPlanDocument,
    "\n  mutation DeletePlan($planId: String!) {\n    deletePlanTransaction(planId: $planId) { plan { planId status } transaction }\n  }\n": types.DeletePlanDocument,
    "\n  subscription PlanUpdated($planId: String) { planUpdated(planId: $planId) { planId name status problem } }\n": types.PlanUpdatedDocument,
    "\n  mutation CreatePrice($planId: String!, $amount: TokenAmount!) {\n    createPrice(planId: $planId, amount: $amount) { id version amount }\n  }\n": types.CreatePriceDocument,
    "\n  mutation CreateDiscount($input: CreateDiscountInput!) { createDiscount(input: $input) { id } }\n": types.CreateDiscountDocument,
    "\n  mutation UpdateDiscount($id: ID!, $input: UpdateDiscountInput!) { updateDiscount(id: $id, input: $input) { id } }\n": types.UpdateDiscountDocument,
    "\n  mutation ApplyDiscount($subscription: ID!, $discountId: ID!) {\n    applyDiscount(subscription: $subscription, discountId: $discountId) { id }\n  }\n": types.ApplyDiscountDocument,
    "\n  mutation RemoveDiscount($subscription: ID!) { removeDiscount(subscription: $subscription) { id } }\n": types.RemoveDiscountDocument,
    "\n  mutation RetirePrice($priceId: ID!) { retirePrice(priceId: $priceId) { id retiredAt } }\n": types.RetirePriceDocument,
    "\n  mutation CreatePortalSession($customer: ID!, $flow: PortalFlow, $returnUrl: String) {\n    createPortalSession(customer: $customer, flow: $flow, returnUrl: $returnUrl) {\n      url\n      expiresAt\n    }\n  }\n": types.CreatePortalSessionDocument,
    "\n  query ReceivingAccounts($mint: String) {\n    receivingAccounts(mint: $mint) {\n      asset { mint }\n      count\n      accounts { number address state isUsed balance }\n    }\n  }\n": types.ReceivingAccountsDocument,
    "\n  mutation SetReceivingAccounts($mint: String!, $count: Int!) {\n    setReceivingAccounts(mint: $mint, count: $count) { count accounts { number state isUsed } }\n  }\n": types.SetReceivingAccountsDocument,
    "\n  mutation CreateReceivingAccounts($mint: String!) {\n    receivingAccountsTransaction(mint: $mint) { receivingAccounts { count } transaction }\n  }\n": types.CreateReceivingAccountsDocument,
    "\n  mutation SweepReceivingAccounts($mint: String!) {\n    sweepReceivingAccountsTransaction(mint: $mint) { receivingAccounts { count } transaction }\n  }\n": types.SweepReceivingAccountsDocument,
    "\n  mutation SignInInput($address: String) {\n    signInInput(address: $address) {\n      domain address statement uri version chainId nonce issuedAt expirationTime\n    }\n  }\n": types.SignInInputDocument,
    "\n  mutation SignIn($output: SignInOutput!) {\n    signIn(output: $output) { memberId merchantId walletAddress role environment }\n  }\n": types.SignInDocument,
    "\n  query Viewer {\n    viewer {\n      walletAddress role environment merchantId\n      merchant { companyName }\n      memberships { merchantId role merchant { companyName } }\n    }\n  }\n": types.ViewerDocument,
    "\n  query UncheckedRestore {\n    viewer { uncheckedRestore { number lostFrom lostUntil isCollecting } }\n  }\n": types.UncheckedRestoreDocument,
    "\n  mutation ConfirmRestoreCheck($number: Int!) {\n    confirmRestoreCheck(number: $number) { number checkedAt }\n  }\n": types.ConfirmRestoreCheckDocument,
    "mutation SignOut { signOut }": types.SignOutDocument,
    "mutation SignOutEverywhere { signOutEverywhere }": types.SignOutEverywhereDocument,
    "\n  mutation ChooseMerchant($merchantId: ID!) { chooseMerchant(merchantId: $merchantId) { merchantId role environment } }\n": types.ChooseMerchantDocument,
    "\n  mutation UpdateProfile($input: MerchantProfileInput!) {\n    updateMerchantProfile(input: $input) { companyName logoUrl supportEmail walletAddress }\n  }\n": types.UpdateProfileDocument,
    "\n  query Members($first: Int, $after: String) {\n    members(first: $first, after: $after) {\n      totalCount\n      pageInfo { hasNextPage endCursor }\n      edges { node { id walletAddress role createdAt } }\n    }\n  }\n": types.MembersDocument,
    "\n  mutation InviteMember($walletAddress: String!, $role: MemberRole!) {\n    inviteMember(walletAddress: $walletAddress, role: $role) { id walletAddress role }\n  }\n": types.InviteMemberDocument,
    "\n  mutation ChangeMemberRole($id: ID!, $role: MemberRole!) { changeMemberRole(id: $id, role: $role) { id role } }\n": types.ChangeMemberRoleDocument,
    "\n  mutation RemoveMember($id: ID!) { removeMember(id: $id) { id } }\n": types.RemoveMemberDocument,
    "\n  query AuditLog($action: String, $targetId: String, $actorId: ID, $first: Int, $after: String) {\n    auditLog(action: $action, targetId: $targetId, actorId: $actorId, first: $first, after: $after) {\n      pageInfo { hasNextPage endCursor }\n      edges {\n        node {\n          id createdAt environment action targetId changes actor actorId actorName ipAddress userAgent requestId\n        }\n      }\n    }\n  }\n": types.AuditLogDocument,
    "query CanCreateMerchant($address: String!) { canCreateMerchant(address: $address) }": types.CanCreateMerchantDocument,
    "query SignUpPolicy { signUpPolicy }": types.SignUpPolicyDocument,
    "\n  mutation CreateMerchant($companyName: String!, $output: SignInOutput) {\n    createMerchant(companyName: $companyName, output: $output) {\n      walletAddress role merchantId merchant { companyName walletAddress }\n    }\n  }\n": types.CreateMerchantDocument,
    "\n  query Sessions {\n    viewer {\n      sessions { id isCurrent createdAt idleUntil expiresAt ipAddress userAgent merchant { companyName } }\n    }\n  }\n": types.SessionsDocument,
    "mutation EndMemberSession($id: ID!) { endMemberSession(id: $id) }": types.EndMemberSessionDocument,
    "\n  mutation RenameMember($id: ID!, $name: String) { renameMember(id: $id, name: $name) { id name } }\n": types.RenameMemberDocument,
    "\n  query MemberNames { members { edges { node { id name walletAddress } } } }\n": types.MemberNamesDocument,
    "\n  query AuditRange($from: DateTime, $to: DateTime) {\n    auditLog(from: $from, to: $to) { edges { node { action createdAt } } }\n  }\n": types.AuditRangeDocument,
    "\n  mutation UploadLogo($png: String!) {\n    uploadLogo(png: $png) { logoUrl }\n  }\n": types.UploadLogoDocument,
    "\n  query CanMoveTime { cluster { canMoveTime now } }\n": types.CanMoveTimeDocument,
    "\n  mutation AdvanceTestClock($seconds: Int!) { advanceTestClock(seconds: $seconds) }\n": types.AdvanceTestClockDocument,
    "\n  query WalletStateOf($id: ID!) {\n    subscription(id: $id) { id walletState { balance approval frozen runwayPeriods checkedAt } }\n  }\n": types.WalletStateOfDocument,
    "\n  query WalletStates($first: Int!) {\n    subscriptionsConnection(first: $first) { edges { node { id walletState { balance approval } } } }\n  }\n": types.WalletStatesDocument,
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
export function graphql(source: "\n  mutation AuditedTestClock($seconds: Int!) { advanceTestClock(seconds: $seconds) }\n"): (typeof documents)["\n  mutation AuditedTestClock($seconds: Int!) { advanceTestClock(seconds: $seconds) }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AuditedSettings($input: UpdateSettingsInput!) { updateSettings(input: $input) { maxFailures } }\n"): (typeof documents)["\n  mutation AuditedSettings($input: UpdateSettingsInput!) { updateSettings(input: $input) { maxFailures } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AuditedReceivingAccounts($mint: String!, $count: Int!) {\n    setReceivingAccounts(mint: $mint, count: $count) { count }\n  }\n"): (typeof documents)["\n  mutation AuditedReceivingAccounts($mint: String!, $count: Int!) {\n    setReceivingAccounts(mint: $mint, count: $count) { count }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AuditedMailSettings($input: UpdateMailSettingsInput!) { updateMailSettings(input: $input) { templates } }\n"): (typeof documents)["\n  mutation AuditedMailSettings($input: UpdateMailSettingsInput!) { updateMailSettings(input: $input) { templates } }\n"];
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
export function graphql(source: "\n  mutation AuditedSecretOverlap($id: ID!) { endWebhookSecretOverlap(id: $id) { previousSecretUntil } }\n"): (typeof documents)["\n  mutation AuditedSecretOverlap($id: ID!) { endWebhookSecretOverlap(id: $id) { previousSecretUntil } }\n"];
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
export function graphql(source: "\n  mutation RetryPayment($subscription: ID!) {\n    retryPayment(subscription: $subscription) { id status nextAttemptAt }\n  }\n"): (typeof documents)["\n  mutation RetryPayment($subscription: ID!) {\n    retryPayment(subscription: $subscription) { id status nextAttemptAt }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateRefund($input: CreateRefundInput!) {\n    createRefund(input: $input) { id status amount }\n  }\n"): (typeof documents)["\n  mutation CreateRefund($input: CreateRefundInput!) {\n    createRefund(input: $input) { id status amount }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CancelRefund($id: ID!) {\n    cancelRefund(id: $id) { id status }\n  }\n"): (typeof documents)["\n  mutation CancelRefund($id: ID!) {\n    cancelRefund(id: $id) { id status }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UndoCancellation($subscription: ID!) {\n    undoCancellation(subscription: $subscription) { id status cancelAtPeriodEnd nextPaymentAt }\n  }\n"): (typeof documents)["\n  mutation UndoCancellation($subscription: ID!) {\n    undoCancellation(subscription: $subscription) { id status cancelAtPeriodEnd nextPaymentAt }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation Pause($subscription: ID!) {\n    pauseSubscription(subscription: $subscription, periods: 2) { id pausedFrom pausedUntil }\n  }\n"): (typeof documents)["\n  mutation Pause($subscription: ID!) {\n    pauseSubscription(subscription: $subscription, periods: 2) { id pausedFrom pausedUntil }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation Skip($subscription: ID!) {\n    skipNextPayment(subscription: $subscription) { id pausedFrom pausedUntil }\n  }\n"): (typeof documents)["\n  mutation Skip($subscription: ID!) {\n    skipNextPayment(subscription: $subscription) { id pausedFrom pausedUntil }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation Unpause($subscription: ID!) {\n    unpauseSubscription(subscription: $subscription, chargeNow: false) { id pausedFrom pausedUntil }\n  }\n"): (typeof documents)["\n  mutation Unpause($subscription: ID!) {\n    unpauseSubscription(subscription: $subscription, chargeNow: false) { id pausedFrom pausedUntil }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation Waive($subscription: ID!) {\n    waivePayment(subscription: $subscription) { id nextPaymentAt }\n  }\n"): (typeof documents)["\n  mutation Waive($subscription: ID!) {\n    waivePayment(subscription: $subscription) { id nextPaymentAt }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation GrantFree($subscription: ID!) {\n    grantFreePeriods(subscription: $subscription, count: 2) { id nextPaymentAt }\n  }\n"): (typeof documents)["\n  mutation GrantFree($subscription: ID!) {\n    grantFreePeriods(subscription: $subscription, count: 2) { id nextPaymentAt }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Assets { assets { mint symbol name decimals logoUrl isDefault } }\n"): (typeof documents)["\n  query Assets { assets { mint symbol name decimals logoUrl isDefault } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PlanAsset($planId: String!) {\n    plan(planId: $planId) { mint asset { mint symbol name decimals logoUrl isDefault } }\n  }\n"): (typeof documents)["\n  query PlanAsset($planId: String!) {\n    plan(planId: $planId) { mint asset { mint symbol name decimals logoUrl isDefault } }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PlanAssets { plans(first: 100) { edges { node { planId asset { decimals } } } } }\n"): (typeof documents)["\n  query PlanAssets { plans(first: 100) { edges { node { planId asset { decimals } } } } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SessionAsset($id: ID!) { checkoutSession(id: $id) { plan { asset { symbol decimals } } } }\n"): (typeof documents)["\n  query SessionAsset($id: ID!) { checkoutSession(id: $id) { plan { asset { symbol decimals } } } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query MrrAssets($day: String!) {\n    metrics(from: $day, to: $day) { days { mrr { mint amount asset { symbol decimals } } } }\n  }\n"): (typeof documents)["\n  query MrrAssets($day: String!) {\n    metrics(from: $day, to: $day) { days { mrr { mint amount asset { symbol decimals } } } }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Cluster { cluster { chain explorerUrl genesisHash isLocal } environments }\n"): (typeof documents)["\n  query Cluster { cluster { chain explorerUrl genesisHash isLocal } environments }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Payment($id: ID!) { payment(id: $id) { id status amount subscription { id } } }\n"): (typeof documents)["\n  query Payment($id: ID!) { payment(id: $id) { id status amount subscription { id } } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Event($id: ID!) {\n    event(id: $id) { id type data subscription { id } deliveries { id status endpoint { url } } }\n  }\n"): (typeof documents)["\n  query Event($id: ID!) {\n    event(id: $id) { id type data subscription { id } deliveries { id status endpoint { url } } }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Search($text: String!) { search(text: $text) { kind id label detail createdAt } }\n"): (typeof documents)["\n  query Search($text: String!) { search(text: $text) { kind id label detail createdAt } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Onboarding { onboarding { steps { step doneAt } dismissedAt } }\n"): (typeof documents)["\n  query Onboarding { onboarding { steps { step doneAt } dismissedAt } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DismissOnboarding { dismissOnboarding { dismissedAt } }\n"): (typeof documents)["\n  mutation DismissOnboarding { dismissOnboarding { dismissedAt } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ServiceHealth {\n    serviceHealth {\n      collectors { environment role address lamports daysLeft canPay }\n      mirror { state slotsBehind silentSeconds doubt }\n      checkedAt\n    }\n  }\n"): (typeof documents)["\n  query ServiceHealth {\n    serviceHealth {\n      collectors { environment role address lamports daysLeft canPay }\n      mirror { state slotsBehind silentSeconds doubt }\n      checkedAt\n    }\n  }\n"];
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
export function graphql(source: "\n  query SubscriptionsConnection(\n    $filter: SubscriptionFilter, $orderBy: SubscriptionOrder, $first: Int, $after: String, $last: Int, $before: String\n  ) {\n    subscriptionsConnection(\n      filter: $filter, orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before\n    ) {\n      totalCount\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      edges { node { id customer { email } } }\n    }\n  }\n"): (typeof documents)["\n  query SubscriptionsConnection(\n    $filter: SubscriptionFilter, $orderBy: SubscriptionOrder, $first: Int, $after: String, $last: Int, $before: String\n  ) {\n    subscriptionsConnection(\n      filter: $filter, orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before\n    ) {\n      totalCount\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      edges { node { id customer { email } } }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SubscriptionCounts { subscriptionCounts { active pastDue cancelled expired total } }\n"): (typeof documents)["\n  query SubscriptionCounts { subscriptionCounts { active pastDue cancelled expired total } }\n"];
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
export function graphql(source: "\n  query Receipt($number: Int, $paymentId: ID) {\n    receipt(number: $number, paymentId: $paymentId) { number payment { id } }\n  }\n"): (typeof documents)["\n  query Receipt($number: Int, $paymentId: ID) {\n    receipt(number: $number, paymentId: $paymentId) { number payment { id } }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Receipts(\n    $number: Int, $subscriptionId: ID, $customer: String, $from: DateTime, $to: DateTime, $first: Int, $after: String,\n    $last: Int, $before: String\n  ) {\n    receipts(\n      number: $number, subscriptionId: $subscriptionId, customer: $customer, from: $from, to: $to, first: $first,\n      after: $after, last: $last, before: $before\n    ) {\n      totalCount\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      edges { node { number issuedAt pdfUrl document payment { id refundedAmount } } }\n    }\n  }\n"): (typeof documents)["\n  query Receipts(\n    $number: Int, $subscriptionId: ID, $customer: String, $from: DateTime, $to: DateTime, $first: Int, $after: String,\n    $last: Int, $before: String\n  ) {\n    receipts(\n      number: $number, subscriptionId: $subscriptionId, customer: $customer, from: $from, to: $to, first: $first,\n      after: $after, last: $last, before: $before\n    ) {\n      totalCount\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n      edges { node { number issuedAt pdfUrl document payment { id refundedAmount } } }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreatePaymentLink($input: CreatePaymentLinkInput!) {\n    createPaymentLink(input: $input) {\n      id url qrSvgUrl qrPngUrl embedScriptUrl name active successUrl cancelUrl metadata openedCount completedCount\n      plan { planId }\n    }\n  }\n"): (typeof documents)["\n  mutation CreatePaymentLink($input: CreatePaymentLinkInput!) {\n    createPaymentLink(input: $input) {\n      id url qrSvgUrl qrPngUrl embedScriptUrl name active successUrl cancelUrl metadata openedCount completedCount\n      plan { planId }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdatePaymentLink($id: ID!, $input: UpdatePaymentLinkInput!) {\n    updatePaymentLink(id: $id, input: $input) { id name active successUrl metadata }\n  }\n"): (typeof documents)["\n  mutation UpdatePaymentLink($id: ID!, $input: UpdatePaymentLinkInput!) {\n    updatePaymentLink(id: $id, input: $input) { id name active successUrl metadata }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PaymentLink($id: ID!) { paymentLink(id: $id) { id active openedCount completedCount } }\n"): (typeof documents)["\n  query PaymentLink($id: ID!) { paymentLink(id: $id) { id active openedCount completedCount } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PaymentLinks($planId: String, $active: Boolean, $first: Int, $after: String) {\n    paymentLinks(planId: $planId, active: $active, first: $first, after: $after) {\n      totalCount\n      edges { cursor node { id } }\n    }\n  }\n"): (typeof documents)["\n  query PaymentLinks($planId: String, $active: Boolean, $first: Int, $after: String) {\n    paymentLinks(planId: $planId, active: $active, first: $first, after: $after) {\n      totalCount\n      edges { cursor node { id } }\n    }\n  }\n"];
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
export function graphql(source: "\n  query Settings { settings { maxFailures retryDelaysSeconds redirectUrlsAllowed sponsorsCustomers sponsoredLamportsPerDay } }\n"): (typeof documents)["\n  query Settings { settings { maxFailures retryDelaysSeconds redirectUrlsAllowed sponsorsCustomers sponsoredLamportsPerDay } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateSettings($input: UpdateSettingsInput!) {\n    updateSettings(input: $input) { maxFailures retryDelaysSeconds redirectUrlsAllowed sponsorsCustomers sponsoredLamportsPerDay }\n  }\n"): (typeof documents)["\n  mutation UpdateSettings($input: UpdateSettingsInput!) {\n    updateSettings(input: $input) { maxFailures retryDelaysSeconds redirectUrlsAllowed sponsorsCustomers sponsoredLamportsPerDay }\n  }\n"];
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
export function graphql(source: "\n  query FilteredPayments(\n    $planId: String, $subscriptionId: ID, $status: PaymentStatus, $customer: String, $signature: String,\n    $failureCode: FailureCode, $from: DateTime, $to: DateTime, $first: Int, $after: String\n  ) {\n    payments(\n      planId: $planId, subscriptionId: $subscriptionId, status: $status, customer: $customer, signature: $signature,\n      failureCode: $failureCode, from: $from, to: $to, first: $first, after: $after\n    ) {\n      totalCount\n      pageInfo { hasNextPage endCursor }\n      edges { node { id status } }\n    }\n  }\n"): (typeof documents)["\n  query FilteredPayments(\n    $planId: String, $subscriptionId: ID, $status: PaymentStatus, $customer: String, $signature: String,\n    $failureCode: FailureCode, $from: DateTime, $to: DateTime, $first: Int, $after: String\n  ) {\n    payments(\n      planId: $planId, subscriptionId: $subscriptionId, status: $status, customer: $customer, signature: $signature,\n      failureCode: $failureCode, from: $from, to: $to, first: $first, after: $after\n    ) {\n      totalCount\n      pageInfo { hasNextPage endCursor }\n      edges { node { id status } }\n    }\n  }\n"];
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
export function graphql(source: "\n  query SubscriptionPage($first: Int!) {\n    subscriptionsConnection(first: $first) {\n      edges { node { id status plan { planId amount } customer { email customerId } } }\n    }\n  }\n"): (typeof documents)["\n  query SubscriptionPage($first: Int!) {\n    subscriptionsConnection(first: $first) {\n      edges { node { id status plan { planId amount } customer { email customerId } } }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PlanPage($first: Int!) {\n    plans(first: $first) {\n      edges { node { planId revenue subscribers { active pastDue cancelled expired } } }\n    }\n  }\n"): (typeof documents)["\n  query PlanPage($first: Int!) {\n    plans(first: $first) {\n      edges { node { planId revenue subscribers { active pastDue cancelled expired } } }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Upcoming($until: String!) {\n    upcomingCharges(until: $until) { day count amount { amount } short shortChecked }\n  }\n"): (typeof documents)["\n  query Upcoming($until: String!) {\n    upcomingCharges(until: $until) { day count amount { amount } short shortChecked }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Conversion($from: String!, $to: String!) {\n    checkoutConversion(from: $from, to: $to) { day created completed expired }\n  }\n"): (typeof documents)["\n  query Conversion($from: String!, $to: String!) {\n    checkoutConversion(from: $from, to: $to) { day created completed expired }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query EndpointStats($id: ID!, $hours: Int!) {\n    eventTypes { type description sample }\n    webhookEndpoint(id: $id) { description stats(hours: $hours) { delivered failed pending p50Ms p95Ms } }\n  }\n"): (typeof documents)["\n  query EndpointStats($id: ID!, $hours: Int!) {\n    eventTypes { type description sample }\n    webhookEndpoint(id: $id) { description stats(hours: $hours) { delivered failed pending p50Ms p95Ms } }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query RefusedDeliveries($statusCode: Int!) {\n    webhookDeliveries(statusCode: $statusCode) { edges { node { id lastStatusCode } } }\n  }\n"): (typeof documents)["\n  query RefusedDeliveries($statusCode: Int!) {\n    webhookDeliveries(statusCode: $statusCode) { edges { node { id lastStatusCode } } }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PaidBy($id: ID!) {\n    customer(id: $id) {\n      totalPaid { mint amount }\n      nextCharge { at amount { mint amount asset { symbol } } }\n      payments(first: 5) { totalCount edges { node { id } } }\n    }\n  }\n"): (typeof documents)["\n  query PaidBy($id: ID!) {\n    customer(id: $id) {\n      totalPaid { mint amount }\n      nextCharge { at amount { mint amount asset { symbol } } }\n      payments(first: 5) { totalCount edges { node { id } } }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query AboutPayment($id: ID!) {\n    payment(id: $id) { dueAt periodEnd customer { id } mails { id template recipient status error createdAt sentAt } }\n    events(paymentId: $id, first: 5) { totalCount edges { node { id type deliveries { id } } } }\n  }\n"): (typeof documents)["\n  query AboutPayment($id: ID!) {\n    payment(id: $id) { dueAt periodEnd customer { id } mails { id template recipient status error createdAt sentAt } }\n    events(paymentId: $id, first: 5) { totalCount edges { node { id type deliveries { id } } } }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query EventsAbout($id: ID!) { events(paymentId: $id) { edges { node { id } } } }\n"): (typeof documents)["\n  query EventsAbout($id: ID!) { events(paymentId: $id) { edges { node { id } } } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateBillingDetails($id: ID!, $input: BillingDetailsInput!) {\n    updateBillingDetails(id: $id, input: $input) { id billingName billingAddress taxId }\n  }\n"): (typeof documents)["\n  mutation UpdateBillingDetails($id: ID!, $input: BillingDetailsInput!) {\n    updateBillingDetails(id: $id, input: $input) { id billingName billingAddress taxId }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateCustomer($id: ID!, $email: String!) { updateCustomer(id: $id, email: $email) { id email } }\n"): (typeof documents)["\n  mutation UpdateCustomer($id: ID!, $email: String!) { updateCustomer(id: $id, email: $email) { id email } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdatePlan($planId: String!, $input: UpdatePlanInput!) {\n    updatePlan(planId: $planId, input: $input) { planId name description imageUrl }\n  }\n"): (typeof documents)["\n  mutation UpdatePlan($planId: String!, $input: UpdatePlanInput!) {\n    updatePlan(planId: $planId, input: $input) { planId name description imageUrl }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteDraft($planId: String!) { deletePlanDraft(planId: $planId) }\n"): (typeof documents)["\n  mutation DeleteDraft($planId: String!) { deletePlanDraft(planId: $planId) }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RepairPlan($planId: String!) {\n    repairPlanTransaction(planId: $planId) { plan { planId status } transaction }\n  }\n"): (typeof documents)["\n  mutation RepairPlan($planId: String!) {\n    repairPlanTransaction(planId: $planId) { plan { planId status } transaction }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeletePlan($planId: String!) {\n    deletePlanTransaction(planId: $planId) { plan { planId status } transaction }\n  }\n"): (typeof documents)["\n  mutation DeletePlan($planId: String!) {\n    deletePlanTransaction(planId: $planId) { plan { planId status } transaction }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription PlanUpdated($planId: String) { planUpdated(planId: $planId) { planId name status problem } }\n"): (typeof documents)["\n  subscription PlanUpdated($planId: String) { planUpdated(planId: $planId) { planId name status problem } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreatePrice($planId: String!, $amount: TokenAmount!) {\n    createPrice(planId: $planId, amount: $amount) { id version amount }\n  }\n"): (typeof documents)["\n  mutation CreatePrice($planId: String!, $amount: TokenAmount!) {\n    createPrice(planId: $planId, amount: $amount) { id version amount }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateDiscount($input: CreateDiscountInput!) { createDiscount(input: $input) { id } }\n"): (typeof documents)["\n  mutation CreateDiscount($input: CreateDiscountInput!) { createDiscount(input: $input) { id } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateDiscount($id: ID!, $input: UpdateDiscountInput!) { updateDiscount(id: $id, input: $input) { id } }\n"): (typeof documents)["\n  mutation UpdateDiscount($id: ID!, $input: UpdateDiscountInput!) { updateDiscount(id: $id, input: $input) { id } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ApplyDiscount($subscription: ID!, $discountId: ID!) {\n    applyDiscount(subscription: $subscription, discountId: $discountId) { id }\n  }\n"): (typeof documents)["\n  mutation ApplyDiscount($subscription: ID!, $discountId: ID!) {\n    applyDiscount(subscription: $subscription, discountId: $discountId) { id }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RemoveDiscount($subscription: ID!) { removeDiscount(subscription: $subscription) { id } }\n"): (typeof documents)["\n  mutation RemoveDiscount($subscription: ID!) { removeDiscount(subscription: $subscription) { id } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RetirePrice($priceId: ID!) { retirePrice(priceId: $priceId) { id retiredAt } }\n"): (typeof documents)["\n  mutation RetirePrice($priceId: ID!) { retirePrice(priceId: $priceId) { id retiredAt } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreatePortalSession($customer: ID!, $flow: PortalFlow, $returnUrl: String) {\n    createPortalSession(customer: $customer, flow: $flow, returnUrl: $returnUrl) {\n      url\n      expiresAt\n    }\n  }\n"): (typeof documents)["\n  mutation CreatePortalSession($customer: ID!, $flow: PortalFlow, $returnUrl: String) {\n    createPortalSession(customer: $customer, flow: $flow, returnUrl: $returnUrl) {\n      url\n      expiresAt\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ReceivingAccounts($mint: String) {\n    receivingAccounts(mint: $mint) {\n      asset { mint }\n      count\n      accounts { number address state isUsed balance }\n    }\n  }\n"): (typeof documents)["\n  query ReceivingAccounts($mint: String) {\n    receivingAccounts(mint: $mint) {\n      asset { mint }\n      count\n      accounts { number address state isUsed balance }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SetReceivingAccounts($mint: String!, $count: Int!) {\n    setReceivingAccounts(mint: $mint, count: $count) { count accounts { number state isUsed } }\n  }\n"): (typeof documents)["\n  mutation SetReceivingAccounts($mint: String!, $count: Int!) {\n    setReceivingAccounts(mint: $mint, count: $count) { count accounts { number state isUsed } }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateReceivingAccounts($mint: String!) {\n    receivingAccountsTransaction(mint: $mint) { receivingAccounts { count } transaction }\n  }\n"): (typeof documents)["\n  mutation CreateReceivingAccounts($mint: String!) {\n    receivingAccountsTransaction(mint: $mint) { receivingAccounts { count } transaction }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SweepReceivingAccounts($mint: String!) {\n    sweepReceivingAccountsTransaction(mint: $mint) { receivingAccounts { count } transaction }\n  }\n"): (typeof documents)["\n  mutation SweepReceivingAccounts($mint: String!) {\n    sweepReceivingAccountsTransaction(mint: $mint) { receivingAccounts { count } transaction }\n  }\n"];
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
export function graphql(source: "\n  query UncheckedRestore {\n    viewer { uncheckedRestore { number lostFrom lostUntil isCollecting } }\n  }\n"): (typeof documents)["\n  query UncheckedRestore {\n    viewer { uncheckedRestore { number lostFrom lostUntil isCollecting } }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ConfirmRestoreCheck($number: Int!) {\n    confirmRestoreCheck(number: $number) { number checkedAt }\n  }\n"): (typeof documents)["\n  mutation ConfirmRestoreCheck($number: Int!) {\n    confirmRestoreCheck(number: $number) { number checkedAt }\n  }\n"];
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
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query CanCreateMerchant($address: String!) { canCreateMerchant(address: $address) }"): (typeof documents)["query CanCreateMerchant($address: String!) { canCreateMerchant(address: $address) }"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query SignUpPolicy { signUpPolicy }"): (typeof documents)["query SignUpPolicy { signUpPolicy }"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateMerchant($companyName: String!, $output: SignInOutput) {\n    createMerchant(companyName: $companyName, output: $output) {\n      walletAddress role merchantId merchant { companyName walletAddress }\n    }\n  }\n"): (typeof documents)["\n  mutation CreateMerchant($companyName: String!, $output: SignInOutput) {\n    createMerchant(companyName: $companyName, output: $output) {\n      walletAddress role merchantId merchant { companyName walletAddress }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Sessions {\n    viewer {\n      sessions { id isCurrent createdAt idleUntil expiresAt ipAddress userAgent merchant { companyName } }\n    }\n  }\n"): (typeof documents)["\n  query Sessions {\n    viewer {\n      sessions { id isCurrent createdAt idleUntil expiresAt ipAddress userAgent merchant { companyName } }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation EndMemberSession($id: ID!) { endMemberSession(id: $id) }"): (typeof documents)["mutation EndMemberSession($id: ID!) { endMemberSession(id: $id) }"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RenameMember($id: ID!, $name: String) { renameMember(id: $id, name: $name) { id name } }\n"): (typeof documents)["\n  mutation RenameMember($id: ID!, $name: String) { renameMember(id: $id, name: $name) { id name } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query MemberNames { members { edges { node { id name walletAddress } } } }\n"): (typeof documents)["\n  query MemberNames { members { edges { node { id name walletAddress } } } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query AuditRange($from: DateTime, $to: DateTime) {\n    auditLog(from: $from, to: $to) { edges { node { action createdAt } } }\n  }\n"): (typeof documents)["\n  query AuditRange($from: DateTime, $to: DateTime) {\n    auditLog(from: $from, to: $to) { edges { node { action createdAt } } }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UploadLogo($png: String!) {\n    uploadLogo(png: $png) { logoUrl }\n  }\n"): (typeof documents)["\n  mutation UploadLogo($png: String!) {\n    uploadLogo(png: $png) { logoUrl }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CanMoveTime { cluster { canMoveTime now } }\n"): (typeof documents)["\n  query CanMoveTime { cluster { canMoveTime now } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AdvanceTestClock($seconds: Int!) { advanceTestClock(seconds: $seconds) }\n"): (typeof documents)["\n  mutation AdvanceTestClock($seconds: Int!) { advanceTestClock(seconds: $seconds) }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query WalletStateOf($id: ID!) {\n    subscription(id: $id) { id walletState { balance approval frozen runwayPeriods checkedAt } }\n  }\n"): (typeof documents)["\n  query WalletStateOf($id: ID!) {\n    subscription(id: $id) { id walletState { balance approval frozen runwayPeriods checkedAt } }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query WalletStates($first: Int!) {\n    subscriptionsConnection(first: $first) { edges { node { id walletState { balance approval } } } }\n  }\n"): (typeof documents)["\n  query WalletStates($first: Int!) {\n    subscriptionsConnection(first: $first) { edges { node { id walletState { balance approval } } } }\n  }\n"];

export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}

export type DocumentType<TDocumentNode extends DocumentNode<any, any>> = TDocumentNode extends DocumentNode<  infer TType,  any>  ? TType  : never;