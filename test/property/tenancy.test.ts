import { getNamedType, isRequiredArgument } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createApiKey } from '../../src/domain/accounts/api-key/create-api-key.ts';
import { createDiscount } from '../../src/domain/billing/discount/create-discount.ts';
import { createRefund } from '../../src/domain/billing/refund/create-refund.ts';
import { createLink } from '../../src/domain/checkout/payment-link/create-link.ts';
import { recordEvent } from '../../src/domain/messages/event/record-event.ts';
import { sampleEvents } from '../../src/domain/messages/webhook/sample-events.ts';
import { Browser } from '../api/browser.ts';
import { seedPayments, seedReceipt, seedTransfer } from '../api/seed.ts';
import { startApiWorld } from '../api/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { argumentsOf, documentFor, nestedArguments, type RootField, rootFields } from './operations.ts';

/** Text in every row of merchant A that could be shown to others. */
const MARK = 'tenant-a';

/** A merchant's rows, by the name that arguments use. */
interface NamedRows {
  readonly [name: string]: string;
}

/** An argument that names rows, and the rows of A with which to test it. */
const of = (name: keyof NamedRows & string) => ({ of: name });
/** An argument with free text, which names no row. */
const FREE_TEXT = 'free text';

/**
 * Every argument that is text or an id. A new one fails here until it is listed here with the rows
 * that it names, or as free text.
 */
const ARGUMENTS: Record<string, typeof FREE_TEXT | { of: string }> = {
  'Query.apiKeys.after': of('apiKeyCursor'),
  'Query.apiKeys.before': of('apiKeyCursor'),
  'Query.auditLog.action': FREE_TEXT,
  'Query.auditLog.actorId': of('apiKey'),
  'Query.auditLog.after': of('auditCursor'),
  'Query.auditLog.before': of('auditCursor'),
  'Query.auditLog.targetId': of('apiKey'),
  'Query.auditLog.filter.action': FREE_TEXT,
  'Query.auditLog.filter.actorId': of('apiKey'),
  'Query.auditLog.filter.targetId': of('apiKey'),
  'Query.canCreateMerchant.address': FREE_TEXT,
  'Query.checkoutConversion.from': FREE_TEXT,
  'Query.checkoutConversion.to': FREE_TEXT,
  'Query.checkoutSession.id': of('session'),
  'Query.customer.id': of('customer'),
  'Query.customerState.customerId': FREE_TEXT,
  'Query.customerStates.customerIds': FREE_TEXT,
  // Says what has changed of the caller's own customers, whoever it was given to.
  'Query.customerStatesChangedSince.cursor': FREE_TEXT,
  'Query.customers.after': of('customerCursor'),
  'Query.customers.before': of('customerCursor'),
  'Query.customers.search': of('email'),
  'Query.event.id': of('event'),
  'Query.events.after': of('eventCursor'),
  'Query.events.before': of('eventCursor'),
  'Query.events.paymentId': of('payment'),
  'Query.events.subscriptionId': of('subscription'),
  'Query.events.type': FREE_TEXT,
  'Query.events.filter.paymentId': of('payment'),
  'Query.events.filter.subscriptionId': of('subscription'),
  'Query.events.filter.type': FREE_TEXT,
  'Query.members.after': of('memberCursor'),
  'Query.discount.id': of('discount'),
  'Query.discounts.after': of('discountCursor'),
  'Query.discounts.before': of('discountCursor'),
  'Query.members.before': of('memberCursor'),
  'Query.metrics.from': FREE_TEXT,
  'Query.metrics.planId': of('plan'),
  'Query.metrics.to': FREE_TEXT,
  'Query.payment.id': of('payment'),
  'Query.paymentLink.id': of('paymentLink'),
  'Query.paymentLinks.after': of('paymentLinkCursor'),
  'Query.paymentLinks.before': of('paymentLinkCursor'),
  'Query.paymentLinks.planId': of('plan'),
  'Query.payments.after': of('paymentCursor'),
  'Query.payments.before': of('paymentCursor'),
  'Query.payments.customer': of('email'),
  'Query.payments.planId': of('plan'),
  'Query.payments.signature': of('signature'),
  'Query.payments.subscriptionId': of('subscription'),
  'Query.payments.filter.customer': of('email'),
  'Query.payments.filter.planId': of('plan'),
  'Query.payments.filter.signature': of('signature'),
  'Query.payments.filter.subscriptionId': of('subscription'),
  'Query.plan.planId': of('plan'),
  'Query.previewFeatures.features.key': FREE_TEXT,
  'Query.previewFeatures.planId': of('plan'),
  'Query.receipt.paymentId': of('payment'),
  'Query.receipts.after': of('receiptCursor'),
  'Query.receipts.before': of('receiptCursor'),
  'Query.receipts.customer': of('email'),
  'Query.receipts.subscriptionId': of('subscription'),
  'Query.receipts.filter.customer': of('email'),
  'Query.receipts.filter.subscriptionId': of('subscription'),
  'Query.receivingAccounts.mint': FREE_TEXT,
  'Query.refund.id': of('refund'),
  'Query.refunds.after': of('refundCursor'),
  'Query.refunds.before': of('refundCursor'),
  'Query.refunds.paymentId': of('payment'),
  'Query.upcomingCharges.until': FREE_TEXT,
  'Query.plans.after': of('planCursor'),
  'Query.plans.before': of('planCursor'),
  'Query.search.text': of('email'),
  'Query.subscription.id': of('subscription'),
  'Query.subscriptions.filter.customer': of('email'),
  'Query.subscriptions.filter.planId': of('plan'),
  'Query.subscriptions.filter.search': of('email'),
  'Query.subscriptions.filter.walletAddress': of('wallet'),
  'Query.subscriptionsConnection.after': of('subscriptionCursor'),
  'Query.subscriptionsConnection.before': of('subscriptionCursor'),
  'Query.subscriptionsConnection.filter.customer': of('email'),
  'Query.subscriptionsConnection.filter.planId': of('plan'),
  'Query.subscriptionsConnection.filter.search': of('email'),
  'Query.subscriptionsConnection.filter.walletAddress': of('wallet'),
  'Query.webhookDeliveries.after': of('deliveryCursor'),
  'Query.webhookDeliveries.before': of('deliveryCursor'),
  'Query.webhookDeliveries.endpointId': of('endpoint'),
  'Query.webhookDeliveries.eventId': of('event'),
  'Query.webhookDeliveries.eventType': FREE_TEXT,
  'Query.webhookDeliveries.subscriptionId': of('subscription'),
  'Query.webhookDeliveries.filter.endpointId': of('endpoint'),
  'Query.webhookDeliveries.filter.eventId': of('event'),
  'Query.webhookDeliveries.filter.eventType': FREE_TEXT,
  'Query.webhookDeliveries.filter.subscriptionId': of('subscription'),
  'Query.webhookDelivery.id': of('delivery'),
  'Query.webhookEndpoint.id': of('endpoint'),
  'Query.webhookEndpoints.after': of('endpointCursor'),
  'Query.webhookEndpoints.before': of('endpointCursor'),
  'Mutation.applyDiscount.discountId': of('discount'),
  'Mutation.applyDiscount.subscription': of('subscription'),
  'Mutation.cancelRefund.id': of('refund'),
  'Mutation.cancelSubscription.subscription': of('subscription'),
  'Mutation.changeMemberRole.id': of('member'),
  'Mutation.chooseMerchant.merchantId': of('merchant'),
  // The id of a session is the permission to complete it. It gives access to the customer's own
  // data.
  'Mutation.completeCheckout.sessionId': FREE_TEXT,
  'Mutation.completeCheckout.signature': FREE_TEXT,
  'Mutation.completeCheckout.subscriptionPda': FREE_TEXT,
  'Mutation.completeCheckout.userWallet': FREE_TEXT,
  'Mutation.createApiKey.name': FREE_TEXT,
  'Mutation.createCheckoutSession.input.cancelUrl': FREE_TEXT,
  'Mutation.createCheckoutSession.input.customerEmail': FREE_TEXT,
  'Mutation.createCheckoutSession.input.customerId': FREE_TEXT,
  'Mutation.createCheckoutSession.input.idempotencyKey': of('idempotencyKey'),
  'Mutation.createCheckoutSession.input.merchantWallet': of('merchantWallet'),
  'Mutation.createCheckoutSession.input.planId': of('plan'),
  'Mutation.createCheckoutSession.input.priceId': of('price'),
  'Mutation.createCheckoutSession.input.successUrl': FREE_TEXT,
  'Mutation.createMerchant.companyName': FREE_TEXT,
  'Mutation.createMerchant.output.address': FREE_TEXT,
  'Mutation.createMerchant.output.signature': FREE_TEXT,
  'Mutation.createMerchant.output.signedMessage': FREE_TEXT,
  'Mutation.createPaymentLink.input.cancelUrl': FREE_TEXT,
  'Mutation.createPaymentLink.input.name': FREE_TEXT,
  'Mutation.createPaymentLink.input.planId': of('plan'),
  'Mutation.createPaymentLink.input.successUrl': FREE_TEXT,
  'Mutation.createCheckoutSession.input.discountId': of('discount'),
  'Mutation.createDiscount.input.code': FREE_TEXT,
  'Mutation.createDiscount.input.mint': FREE_TEXT,
  'Mutation.createDiscount.input.name': FREE_TEXT,
  'Mutation.createDiscount.input.planIds': of('plan'),
  'Mutation.createPlan.input.description': FREE_TEXT,
  'Mutation.createPlan.input.imageUrl': FREE_TEXT,
  'Mutation.createPlan.input.mint': FREE_TEXT,
  'Mutation.createPlan.input.name': FREE_TEXT,
  'Mutation.createPlan.input.planId': FREE_TEXT,
  'Mutation.createPlan.input.features.key': FREE_TEXT,
  'Mutation.createPrice.planId': of('plan'),
  'Mutation.createPortalSession.customer': of('customer'),
  'Mutation.createPortalSession.returnUrl': FREE_TEXT,
  'Mutation.createRefund.input.idempotencyKey': of('idempotencyKey'),
  'Mutation.createRefund.input.paymentId': of('payment'),
  'Mutation.createRefund.input.reason': FREE_TEXT,
  'Mutation.createWebhookEndpoint.description': FREE_TEXT,
  'Mutation.createWebhookEndpoint.eventTypes': FREE_TEXT,
  'Mutation.createWebhookEndpoint.url': FREE_TEXT,
  'Mutation.deletePlanDraft.planId': of('plan'),
  'Mutation.deletePlanTransaction.planId': of('plan'),
  'Mutation.deleteWebhookEndpoint.id': of('endpoint'),
  'Mutation.endMemberSession.id': of('memberSession'),
  'Mutation.endWebhookSecretOverlap.id': of('endpoint'),
  'Mutation.grantFreePeriods.idempotencyKey': FREE_TEXT,
  'Mutation.grantFreePeriods.reason': FREE_TEXT,
  'Mutation.grantFreePeriods.subscription': of('subscription'),
  'Mutation.inviteMember.walletAddress': FREE_TEXT,
  'Mutation.pauseSubscription.reason': FREE_TEXT,
  'Mutation.pauseSubscription.subscription': of('subscription'),
  'Mutation.publishPlanTransaction.planId': of('plan'),
  'Mutation.refundTransaction.id': of('refund'),
  'Mutation.removeDiscount.subscription': of('subscription'),
  'Mutation.removeMember.id': of('member'),
  'Mutation.renameMember.id': of('member'),
  'Mutation.renameMember.name': FREE_TEXT,
  'Mutation.repairPlanTransaction.planId': of('plan'),
  'Mutation.replayWebhooks.input.endpointId': of('endpoint'),
  'Mutation.replayWebhooks.input.eventTypes': FREE_TEXT,
  'Mutation.resendEvent.eventId': of('event'),
  'Mutation.resendWebhook.deliveryId': of('delivery'),
  'Mutation.retryPayment.subscription': of('subscription'),
  'Mutation.revokeApiKey.id': of('apiKey'),
  'Mutation.rotateApiKey.id': of('apiKey'),
  'Mutation.rotateWebhookSecret.id': of('endpoint'),
  // A token of the caller's own plans.
  'Mutation.receivingAccountsTransaction.mint': FREE_TEXT,
  'Mutation.setReceivingAccounts.mint': FREE_TEXT,
  'Mutation.sweepReceivingAccountsTransaction.mint': FREE_TEXT,
  'Mutation.sendTestWebhook.endpointId': of('endpoint'),
  'Mutation.sendTestWebhook.type': FREE_TEXT,
  'Mutation.signIn.output.address': FREE_TEXT,
  'Mutation.signIn.output.signature': FREE_TEXT,
  'Mutation.signIn.output.signedMessage': FREE_TEXT,
  'Mutation.signInInput.address': FREE_TEXT,
  'Mutation.retirePrice.priceId': of('price'),
  'Mutation.skipNextPayment.reason': FREE_TEXT,
  'Mutation.skipNextPayment.subscription': of('subscription'),
  'Mutation.sunsetPlanTransaction.planId': of('plan'),
  'Mutation.triggerEvent.subscriptionId': of('subscription'),
  'Mutation.triggerEvent.type': FREE_TEXT,
  'Mutation.updateDiscount.id': of('discount'),
  'Mutation.updateDiscount.input.name': FREE_TEXT,
  'Mutation.undoCancellation.subscription': of('subscription'),
  'Mutation.unpauseSubscription.subscription': of('subscription'),
  'Mutation.updateBillingDetails.id': of('customer'),
  'Mutation.updateBillingDetails.input.billingAddress': FREE_TEXT,
  'Mutation.updateBillingDetails.input.billingName': FREE_TEXT,
  'Mutation.updateBillingDetails.input.taxId': FREE_TEXT,
  'Mutation.updateCustomer.email': FREE_TEXT,
  'Mutation.updateCustomer.id': of('customer'),
  'Mutation.updateMailSettings.input.merchantEmail': FREE_TEXT,
  'Mutation.updateMerchantProfile.input.brandColor': FREE_TEXT,
  'Mutation.updateMerchantProfile.input.companyName': FREE_TEXT,
  'Mutation.updateMerchantProfile.input.legalName': FREE_TEXT,
  'Mutation.updateMerchantProfile.input.logoUrl': FREE_TEXT,
  'Mutation.updateMerchantProfile.input.postalAddress': FREE_TEXT,
  'Mutation.updateMerchantProfile.input.supportEmail': FREE_TEXT,
  'Mutation.updateMerchantProfile.input.taxId': FREE_TEXT,
  'Mutation.updatePaymentLink.id': of('paymentLink'),
  'Mutation.updatePaymentLink.input.cancelUrl': FREE_TEXT,
  'Mutation.updatePaymentLink.input.name': FREE_TEXT,
  'Mutation.updatePaymentLink.input.successUrl': FREE_TEXT,
  'Mutation.updatePlan.input.description': FREE_TEXT,
  'Mutation.updatePlan.input.imageUrl': FREE_TEXT,
  'Mutation.updatePlan.input.name': FREE_TEXT,
  'Mutation.updatePlan.input.features.key': FREE_TEXT,
  'Mutation.updatePlan.planId': of('plan'),
  'Mutation.updateSettings.input.redirectUrlsAllowed': FREE_TEXT,
  'Mutation.updateWebhookEndpoint.id': of('endpoint'),
  'Mutation.updateWebhookEndpoint.input.description': FREE_TEXT,
  'Mutation.updateWebhookEndpoint.input.eventTypes': FREE_TEXT,
  'Mutation.updateWebhookEndpoint.input.url': FREE_TEXT,
  'Mutation.uploadLogo.png': FREE_TEXT,
  'Mutation.waivePayment.idempotencyKey': FREE_TEXT,
  'Mutation.waivePayment.paymentId': of('payment'),
  'Mutation.waivePayment.reason': FREE_TEXT,
  'Mutation.waivePayment.subscription': of('subscription'),
  'Subscription.checkoutSessionUpdated.id': of('session'),
  'Subscription.events.after': of('eventsCursor'),
  'Subscription.events.types': FREE_TEXT,
  'Subscription.customerStateUpdated.customerId': FREE_TEXT,
  'Subscription.planUpdated.planId': of('plan'),
  'Subscription.subscriptionUpdated.id': of('subscription'),
  // Filters the messages of the caller's own scope.
  'Subscription.webhookDeliveryUpdated.endpointId': FREE_TEXT,
};

/** Arguments of nested fields, tested on B's own rows with a cursor of A. */
const NESTED: Record<string, { of: string }> = {
  'BillingSubscription.history.after': of('historyCursor'),
  'BillingSubscription.history.before': of('historyCursor'),
  'BillingSubscription.payments.after': of('paymentCursor'),
  'BillingSubscription.payments.before': of('paymentCursor'),
  'Customer.payments.after': of('paymentCursor'),
  'Customer.payments.before': of('paymentCursor'),
  'Customer.subscriptions.after': of('subscriptionCursor'),
  'Customer.subscriptions.before': of('subscriptionCursor'),
  'Discount.redemptions.after': of('discountCursor'),
  'Discount.redemptions.before': of('discountCursor'),
};

/** The same for parameters of REST paths and queries. */
const PARAMETERS: Record<string, typeof FREE_TEXT | { of: string }> = {
  'get /api/checkout/{sessionId} sessionId': of('session'),
  // Wallets call these without a key: the id of the session is the permission.
  'get /api/checkout/{sessionId}/solana-pay sessionId': FREE_TEXT,
  'post /api/checkout/{sessionId}/solana-pay sessionId': FREE_TEXT,
  // The link is public: anyone may see its page.
  'get /pay/{linkId} linkId': FREE_TEXT,
  'post /pay/{linkId} linkId': FREE_TEXT,
  'get /api/exports/customers.csv environment': FREE_TEXT,
  'get /api/exports/customers.csv from': FREE_TEXT,
  'get /api/exports/customers.csv search': of('email'),
  'get /api/exports/customers.csv to': FREE_TEXT,
  'get /api/exports/events.csv environment': FREE_TEXT,
  'get /api/exports/events.csv from': FREE_TEXT,
  'get /api/exports/events.csv subscriptionId': of('subscription'),
  'get /api/exports/events.csv to': FREE_TEXT,
  'get /api/exports/events.csv type': FREE_TEXT,
  'get /api/exports/payments.csv customer': of('email'),
  'get /api/exports/payments.csv environment': FREE_TEXT,
  'get /api/exports/payments.csv failureCode': FREE_TEXT,
  'get /api/exports/payments.csv from': FREE_TEXT,
  'get /api/exports/payments.csv planId': of('plan'),
  'get /api/exports/payments.csv status': FREE_TEXT,
  'get /api/exports/payments.csv subscriptionId': of('subscription'),
  'get /api/exports/payments.csv to': FREE_TEXT,
  'get /api/exports/receipts.csv customer': of('email'),
  'get /api/exports/receipts.csv environment': FREE_TEXT,
  'get /api/exports/receipts.csv from': FREE_TEXT,
  'get /api/exports/receipts.csv number': of('receiptNumber'),
  'get /api/exports/receipts.csv subscriptionId': of('subscription'),
  'get /api/exports/receipts.csv to': FREE_TEXT,
  'get /api/exports/subscriptions.csv cancelAtPeriodEnd': FREE_TEXT,
  'get /api/exports/subscriptions.csv customer': of('email'),
  'get /api/exports/subscriptions.csv environment': FREE_TEXT,
  'get /api/exports/subscriptions.csv failureCode': FREE_TEXT,
  'get /api/exports/subscriptions.csv from': FREE_TEXT,
  'get /api/exports/subscriptions.csv planId': of('plan'),
  'get /api/exports/subscriptions.csv search': of('email'),
  'get /api/exports/subscriptions.csv status': FREE_TEXT,
  'get /api/exports/subscriptions.csv statuses': FREE_TEXT,
  'get /api/exports/subscriptions.csv to': FREE_TEXT,
  'get /api/exports/subscriptions.csv walletAddress': of('wallet'),
  // A receipt number, which only selects from the caller's own receipts.
  // A customer of another merchant has no access, like one who never subscribed.
  'get /api/customers/{customerId}/state customerId': FREE_TEXT,
  'get /api/customers/{customerId}/state if-none-match': FREE_TEXT,
  'get /api/receipts before': FREE_TEXT,
  'get /api/receipts customer': of('email'),
  'get /api/receipts from': FREE_TEXT,
  'get /api/receipts limit': FREE_TEXT,
  'get /api/receipts number': of('receiptNumber'),
  'get /api/receipts subscriptionId': of('subscription'),
  'get /api/receipts to': FREE_TEXT,
  'get /api/subscriptions page': FREE_TEXT,
  'get /api/subscriptions limit': FREE_TEXT,
  // For customers without a key: the id is the permission.
  'get /checkout/{sessionId} sessionId': FREE_TEXT,
  // Public: the ids are known to the customer's page and app, and to readers of a plan's account on
  // chain.
  'get /plans/{file} file': FREE_TEXT,
  'post /api/checkout/{sessionId}/complete sessionId': FREE_TEXT,
  'post /checkout/create Idempotency-Key': FREE_TEXT,
  'delete /api/checkout/{sessionId}/discount sessionId': FREE_TEXT,
  'post /api/checkout/{sessionId}/discount sessionId': FREE_TEXT,
  'post /api/checkout/{sessionId}/transaction sessionId': FREE_TEXT,
  'post /api/checkout/{sessionId}/wallet sessionId': FREE_TEXT,
  // An address on chain: only the holder of its wallet can sign the transaction.
  'post /api/subscriptions/{subscriptionId}/transaction subscriptionId': FREE_TEXT,
};

/** The same for properties of request bodies. */
const PROPERTIES: Record<string, typeof FREE_TEXT | { of: string }> = {
  // The id of a session is the permission to complete it. It gives access to the customer's own
  // data.
  'post /api/checkout/{sessionId}/complete signature': FREE_TEXT,
  'post /api/checkout/{sessionId}/complete subscriptionPda': FREE_TEXT,
  'post /api/checkout/{sessionId}/complete userWallet': FREE_TEXT,
  // A code is public, and its session names the merchant.
  'post /api/checkout/{sessionId}/discount code': FREE_TEXT,
  'post /api/checkout/{sessionId}/solana-pay account': FREE_TEXT,
  'post /api/checkout/{sessionId}/transaction userWallet': FREE_TEXT,
  'post /api/checkout/{sessionId}/wallet userWallet': FREE_TEXT,
  'post /api/subscriptions/{subscriptionId}/transaction action': FREE_TEXT,
  'post /checkout/create allowsCodes': FREE_TEXT,
  'post /checkout/create cancelUrl': FREE_TEXT,
  'post /checkout/create customerEmail': FREE_TEXT,
  'post /checkout/create customerId': FREE_TEXT,
  'post /checkout/create idempotency_key': of('idempotencyKey'),
  'post /checkout/create merchantWallet': of('merchantWallet'),
  'post /checkout/create metadata': FREE_TEXT,
  'post /checkout/create discountId': of('discount'),
  'post /checkout/create planId': of('plan'),
  'post /checkout/create priceId': of('price'),
  'post /checkout/create successUrl': FREE_TEXT,
  'post /portal/create flow': FREE_TEXT,
  'post /portal/create returnUrl': FREE_TEXT,
  'post /portal/create subscriptionId': of('subscription'),
};

/** The caller: a backend with its key, or a dashboard with its cookie. */
interface Caller {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const world = await sharedByFile(startApiWorld());
const a = await world.newKeyedMerchant();
const b = await world.newKeyedMerchant();
await world.db.merchant.update({ where: { id: a.merchant.id }, data: { companyName: MARK } });
const rowsOfA = await seed();
const plan = await world.publishPlan(b, { planId: 'own', name: 'own' });
const { address, customerId } = await world.subscribe(b, plan, await world.newWallet());
await seedPayments(world.db, b.scope, address);
/** B's own rows. */
const own: { readonly subscription: string; readonly customer: string; readonly discount: string } = {
  subscription: address,
  customer: customerId,
  discount: (await createDiscount(world.ctx, b.scope, { name: 'own', percentBps: 1 })).id,
};
const dashboard = new Browser(world);
await dashboard.signIn(b.wallet);
/** Every caller except A in the environment of A's rows. */
const others = [
  { key: b.testKey },
  { key: b.liveKey },
  { key: a.liveKey },
  { headers: dashboard.headers },
  { headers: dashboard.copyWith({ environment: 'live' }).headers },
];

/** Creates one row of every kind for A. */
async function seed(): Promise<NamedRows> {
  const { db, ctx } = world;
  const email = `${MARK}@example.com`;
  const plan = await world.publishPlan(a, { planId: `${MARK}-plan`, name: MARK });
  const wallet = await world.newWallet();
  const request = { customerEmail: email, customerId: MARK, metadata: { of: MARK } };
  const subscription = await world.subscribe(a, plan, wallet, request);
  await seedPayments(db, a.scope, subscription.address);
  const session = await world.openSession(a, plan, { ...request, idempotencyKey: MARK });
  const { key } = await createApiKey(ctx, a.scope, { name: MARK });
  const endpoint = { url: `https://${MARK}.example/hook`, encryptedSecret: Buffer.from('x') };
  const { id: endpointId } = await db.webhookEndpoint.create({ data: { ...a.scope, ...endpoint } });
  const event = await db.event.findFirstOrThrow({ where: { subscriptionId: subscription.id } });
  const payment = await db.payment.findFirstOrThrow({ where: { subscriptionId: subscription.id } });
  const signature = await seedTransfer(db, payment);
  const refunded = await db.payment.findFirstOrThrow({
    where: { subscriptionId: subscription.id, status: 'SUCCEEDED', finalized: true },
  });
  await seedReceipt(db, a.scope, refunded.id, 1, ctx.clock.now());
  await recordEvent(db, {
    ...a.scope,
    type: 'payment.refunded',
    subscriptionId: subscription.id,
    data: { ...sampleEvents['payment.refunded'], paymentId: refunded.id },
    at: ctx.clock.now(),
  });
  const refund = await createRefund(ctx, a.scope, {
    paymentId: refunded.id,
    amount: 1n,
    reason: MARK,
    idempotencyKey: MARK,
  });
  const link = await createLink(ctx, a.scope, { planId: plan.planId, name: MARK, metadata: { of: MARK } });
  const discount = await createDiscount(ctx, a.scope, { name: MARK, code: MARK, percentBps: 1_000 });
  const delivery = await db.delivery.create({
    data: {
      ...a.scope,
      endpointId,
      eventId: event.id,
      subscriptionId: subscription.id,
      sequence: event.sequence,
      status: 'SUCCEEDED',
      createdAt: ctx.clock.now(),
    },
  });
  const price = await db.price.findFirstOrThrow({ where: { planId: plan.id } });
  const member = await db.member.findFirstOrThrow({ where: { merchantId: a.merchant.id } });
  await new Browser(world).signIn(a.wallet);
  const memberSession = await db.memberSession.findFirstOrThrow({ where: { memberId: member.id } });
  const { eventsCursor } = (await ask({ key: a.testKey }, '{ eventsCursor }')).data as {
    eventsCursor: string;
  };
  const history = `query ($id: ID!) { subscription(id: $id) { history(first: 1) { edges { cursor } } } }`;
  const result = await ask({ key: a.testKey }, history, { id: subscription.address });
  const { edges } = (result.data as { subscription: { history: { edges: { cursor: string }[] } } })
    .subscription.history;
  return {
    merchant: a.merchant.id,
    merchantWallet: a.merchant.walletAddress,
    plan: plan.planId,
    price: price.id,
    discount: discount.id,
    subscription: subscription.address,
    wallet: wallet.address,
    customer: subscription.customerId,
    email,
    session,
    idempotencyKey: MARK,
    apiKey: key.id,
    endpoint: endpointId,
    event: event.id,
    payment: refunded.id,
    paymentLink: link.id,
    receiptNumber: '1',
    refund: refund.id,
    signature,
    delivery: delivery.id,
    member: member.id,
    memberSession: memberSession.id,
    eventsCursor,
    historyCursor: edges[0]?.cursor ?? '',
    ...(await cursors()),
  };
}

/** The first cursor of each of A's lists. */
async function cursors(): Promise<NamedRows> {
  const lists = {
    apiKeyCursor: 'apiKeys',
    auditCursor: 'auditLog',
    customerCursor: 'customers',
    deliveryCursor: 'webhookDeliveries',
    discountCursor: 'discounts',
    eventCursor: 'events',
    memberCursor: 'members',
    paymentCursor: 'payments',
    paymentLinkCursor: 'paymentLinks',
    planCursor: 'plans',
    receiptCursor: 'receipts',
    refundCursor: 'refunds',
    subscriptionCursor: 'subscriptionsConnection',
    endpointCursor: 'webhookEndpoints',
  };
  const found = await Promise.all(
    Object.entries(lists).map(async ([name, list]) => {
      const { data } = await ask({ key: a.testKey }, `{ ${list}(first: 1) { edges { cursor } } }`);
      const [edge] = (data as Record<string, { edges: { cursor: string }[] }> | null)?.[list]?.edges ?? [];
      // A list that no key can read has no cursor, so a cursor of any row is used.
      return [name, edge?.cursor ?? 'R1BDOlM6MDE5MGI3YzQtMDAwMC03MDAwLTgwMDAtMDAwMDAwMDAwMDAw'] as const;
    }),
  );
  return Object.fromEntries(found);
}

interface GraphqlResult {
  readonly data?: unknown;
  readonly errors?: readonly { readonly extensions: { readonly code: string; readonly param?: string } }[];
}

async function ask(
  by: Caller,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<GraphqlResult> {
  if (!query.startsWith('subscription')) {
    return (await world.request('POST', '/graphql', { ...by, body: { query, variables } })).body;
  }
  const first = await world.socket(by.key, [], by.headers).iterate({ query, variables }).next();
  return first.value as GraphqlResult;
}

/**
 * Checks that a response to another caller contains nothing of A, except its name, which is the
 * same in both environments.
 */
function expectNothingOfA(shown: unknown): void {
  const text = JSON.stringify(shown ?? null).replaceAll(`"companyName":"${MARK}"`, '');
  expect(text).not.toContain(MARK);
  expect(text).not.toContain(rowsOfA.subscription);
}

/**
 * Names that are no secret of A, with the arguments that are refused instead: anyone may read the
 * page of a session, and A has the same wallet in its other environment.
 */
const OTHERS_REFUSED: Record<string, readonly string[]> = {
  session: [],
  merchantWallet: ['planId'],
  price: ['planId'],
  discount: ['planId', 'subscription'],
  idempotencyKey: ['planId', 'paymentId'],
};

/** The same by mutation. */
const REFUSED_IN: Record<string, readonly string[]> = {
  // Sample events exist in TEST only.
  triggerEvent: ['type'],
  // Another merchant may have a plan with this id, with a lower limit.
  createPrice: ['amount'],
};

/** A value of the same form as the name of a row, which no row has. */
const unlike = (value: string) => value.slice(0, -1) + (value.endsWith('1') ? '2' : '1');

const named = (each: RootField) => `${each.root}.${each.field.name}`;
const fields = rootFields('Query', 'Mutation', 'Subscription');

it('every argument that could name a row is listed, and nothing else', () => {
  const texts = fields.flatMap((each) =>
    argumentsOf(each)
      .filter(({ type }) => ['ID', 'String'].includes(getNamedType(type).name))
      .map(({ path }) => `${named(each)}.${path}`),
  );
  expect(Object.keys(ARGUMENTS).toSorted()).toEqual(texts.toSorted());
});

it('every parameter of a path or query is listed, and nothing else', async () => {
  const { body } = await world.request('GET', '/openapi.json');
  const found = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, { parameters?: { name: string }[] }>).flatMap(
      ([method, { parameters }]) => (parameters ?? []).map(({ name }) => `${method} ${path} ${name}`),
    ),
  );
  expect(Object.keys(PARAMETERS).toSorted()).toEqual(found.toSorted());
});

it('every argument below the root fields is listed, and nothing else', () => {
  const texts = nestedArguments()
    .filter(({ type }) => ['ID', 'String'].includes(getNamedType(type).name))
    .map(({ path }) => path);
  expect(Object.keys(NESTED).toSorted()).toEqual(texts.toSorted());
});

it('every property of a body is listed, and nothing else', async () => {
  const { body } = await world.request('GET', '/openapi.json');
  const found = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, OperationWithBody>).flatMap(([method, { requestBody }]) => {
      const { properties = {} } = requestBody?.content['application/json']?.schema ?? {};
      return path === '/graphql' ? [] : Object.keys(properties).map((name) => `${method} ${path} ${name}`);
    }),
  );
  expect(Object.keys(PROPERTIES).toSorted()).toEqual(found.toSorted());
});

interface OperationWithBody {
  readonly requestBody?: { readonly content: Record<string, { readonly schema: { properties?: object } }> };
}

/** Variables for a field: the argument and all other required ones. */
function variablesFor({ field }: RootField, path: string, value: string): Record<string, unknown> {
  const variables: Record<string, unknown> = {};
  for (const { name, type } of field.args) {
    if (String(type).endsWith('!')) variables[name] = filler(name, String(type));
  }
  const [head = '', tail] = path.split('.');
  const list = /^\[/.test(String(field.args.find(({ name }) => name === head)?.type));
  variables[head] =
    tail === undefined ? (list ? [value] : value) : { ...(variables[head] as object), [tail]: value };
  return variables;
}

/** Valid texts, by the names of their arguments. */
const FILLERS: Record<string, string> = {
  email: 'b@example.com',
  from: '2026-11-01',
  to: '2026-11-02',
  type: 'subscription.cancelled',
};

function filler(name: string, type: string): unknown {
  if (FILLERS[name]) return FILLERS[name];
  if (name === 'features') return [];
  switch (type.replace('!', '')) {
    case 'CreateCheckoutSessionInput':
      return { planId: 'own', customerEmail: 'b@example.com' };
    case 'ReplayWebhooksInput':
      return { endpointId: 'x', from: '2026-01-01T00:00:00.000Z', to: '2027-01-01T00:00:00.000Z' };
    case 'UpdateWebhookEndpointInput':
      return { maxPerSecond: 1 };
    case 'CreateDiscountInput':
      return { name: 'own', percentBps: 1 };
    case 'UpdateDiscountInput':
    case 'UpdatePlanInput':
    case 'UpdatePaymentLinkInput':
      return { name: 'own' };
    case 'CreateRefundInput':
      return { paymentId: 'x' };
    case 'CreatePaymentLinkInput':
      return { planId: 'own' };
    case 'CancelWhen':
      return 'NOW';
    case 'MemberRole':
      return 'OWNER';
    case 'DateTime':
      return '2027-01-01T00:00:00.000Z';
    case 'BillingDetailsInput':
      return { billingName: 'own' };
    case 'Boolean':
      return true;
    case 'Int':
      return 1;
    default:
      return 'x';
  }
}

/** All rows of A in one text. */
async function stateOfA(): Promise<string> {
  const { db } = world;
  const where = { merchantId: a.merchant.id };
  const rows = await Promise.all([
    db.plan.findMany({ where, orderBy: { id: 'asc' } }),
    db.subscription.findMany({ where, orderBy: { id: 'asc' } }),
    db.checkoutSession.findMany({ where, orderBy: { id: 'asc' } }),
    db.webhookEndpoint.findMany({ where, orderBy: { id: 'asc' } }),
    db.delivery.findMany({ where, orderBy: { id: 'asc' } }),
    db.member.findMany({ where, orderBy: { id: 'asc' } }),
    db.payment.findMany({ where, orderBy: { id: 'asc' } }),
    db.paymentLink.findMany({ where, orderBy: { id: 'asc' } }),
    db.receipt.findMany({ where, orderBy: { number: 'asc' } }),
    db.refund.findMany({ where, orderBy: { id: 'asc' } }),
    db.event.findMany({ where, orderBy: { id: 'asc' } }),
    db.apiKey.findMany({ where, orderBy: { id: 'asc' }, omit: { lastUsedAt: true } }),
  ]);
  return JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value));
}

const references = fields.flatMap((each) =>
  argumentsOf(each).flatMap(({ path }): [string, RootField, string, string][] => {
    const listed = ARGUMENTS[`${named(each)}.${path}`];
    return typeof listed === 'object' ? [[`${named(each)}.${path}`, each, path, listed.of]] : [];
  }),
);

describe('the rows of A', () => {
  it.each(references)('are for others like rows that do not exist: %s', async (_, each, path, name) => {
    const value = rowsOfA[name];
    if (value === undefined) throw new Error(`A has no ${name}`);
    const document = documentFor(each);
    const argument = path.split('.').at(-1);
    const namesTarget = each.root === 'Mutation' && !each.field.name.startsWith('create');
    const alsoRefused = REFUSED_IN[each.field.name] ?? [];
    const before = await stateOfA();
    for (const by of others) {
      const { data, errors } = await ask(by, document, variablesFor(each, path, value));
      expectNothingOfA(data);
      for (const { extensions } of errors ?? []) {
        const { code, param } = extensions;
        expect(['not_found', 'invalid_request', 'authentication_error']).toContain(code);
        // Otherwise another argument was refused before this one was read.
        if (param) expect([argument, ...(OTHERS_REFUSED[name] ?? []), ...alsoRefused]).toContain(param);
        if (param === argument && namesTarget) expect(code).toBe('not_found');
      }
      if (each.root === 'Mutation' && name !== 'idempotencyKey') expect(errors).toHaveLength(1);
      if (name.endsWith('Cursor') || name in OTHERS_REFUSED) continue;
      const ofNoRow = await ask(by, document, variablesFor(each, path, unlike(value)));
      expect(errors).toEqual(ofNoRow.errors);
    }
    expect(await stateOfA()).toBe(before);
  });

  it('are shown to A with the same arguments, so the refusals have no other cause', async () => {
    for (const [label, each, path, name] of references) {
      if (each.root !== 'Query' || path === 'after' || path === 'before' || label.startsWith('Query.metrics'))
        continue;
      if (label.startsWith('Query.auditLog')) continue;
      const { data } = await ask(
        { key: a.testKey },
        documentFor(each),
        variablesFor(each, path, rowsOfA[name] ?? ''),
      );
      const text = JSON.stringify(data);
      expect({ label, shown: text.includes(MARK) || text.includes('"edges":[{') }).toEqual({
        label,
        shown: true,
      });
    }
  });

  it.each(
    Object.entries(PARAMETERS).flatMap(([parameter, listed]): [string, string][] =>
      typeof listed === 'object' ? [[parameter, listed.of]] : [],
    ),
  )('are for others like rows that do not exist over REST: %s', async (parameter, name) => {
    const [method = '', path = '', param = ''] = parameter.split(' ');
    const value = encodeURIComponent(rowsOfA[name] ?? '');
    const target = path.includes(`{${param}}`)
      ? path.replace(`{${param}}`, value)
      : `${path}?${param}=${value}`;
    // The cookie is ignored there: anyone with the id of a session may see its page.
    const callers = path.startsWith('/api/checkout/') ? others.filter(({ key }) => key) : others;
    for (const by of callers) {
      const { status, body } = await world.request(method.toUpperCase(), target, by);
      // Only the exports accept a cookie.
      expect(by.key === undefined ? [200, 401, 404] : [200, 404]).toContain(status);
      expectNothingOfA(body);
      const ofNoRow = await world.request(method.toUpperCase(), target.replace(value, unlike(value)), by);
      expect({ status, body }).toEqual({ status: ofNoRow.status, body: ofNoRow.body });
    }
    const own = await world.request(method.toUpperCase(), target, { key: a.testKey });
    expect({
      status: own.status,
      isShown:
        JSON.stringify(own.body).includes(rowsOfA.subscription ?? '') ||
        JSON.stringify(own.body).includes(MARK),
    }).toEqual({ status: 200, isShown: true });
  });

  const withoutArguments = fields.filter(
    ({ root, field }) => root === 'Query' && !field.args.some(isRequiredArgument),
  );
  it.each(withoutArguments.map((each): [string, RootField] => [named(each), each]))(
    'are in no list of another caller: %s',
    async (_, each) => {
      for (const by of others) {
        const { data } = await ask(by, documentFor(each));
        expectNothingOfA(data);
        // A has its keys, its team and their actions in both environments, and else nothing.
        if (by.key !== a.liveKey || ['apiKeys', 'auditLog', 'members'].includes(each.field.name)) continue;
        expect(JSON.stringify(data)).not.toMatch(/"(totalCount|total)":[1-9]/);
      }
    },
  );

  it('are in no list of another caller over REST', async () => {
    const lists = new Set(Object.keys(PARAMETERS).map((parameter) => parameter.split(' ')[1] ?? ''));
    for (const list of [...lists].filter((path) => /^.api.(exports|receipts|subscriptions$)/.test(path))) {
      for (const by of others) expectNothingOfA((await world.request('GET', list, by)).body);
      const own = await world.request('GET', list, { key: a.testKey });
      expect({ list, status: own.status }).toEqual({ list, status: 200 });
    }
  });

  it.each(Object.entries(NESTED))(
    'have cursors that B cannot use for its own rows: %s',
    async (path, { of: name }) => {
      const [type, field, argument] = path.split('.');
      const root = { Customer: 'customer', Discount: 'discount' }[type ?? ''] ?? 'subscription';
      const id = own[root as keyof typeof own];
      const document = `query ($id: ID!, $cursor: String!) { ${root}(id: $id) { ${field}(${argument}: $cursor) { edges { cursor } } } }`;
      const { data, errors = [] } = await ask({ key: b.testKey }, document, { id, cursor: rowsOfA[name] });
      expectNothingOfA(data);
      expect(JSON.stringify(data)).not.toContain('"cursor"');
      for (const { extensions } of errors) expect(extensions.code).toBe('invalid_request');
    },
  );

  it.each(
    Object.entries(PROPERTIES).flatMap(([property, listed]): [string, string][] =>
      typeof listed === 'object' ? [[property, listed.of]] : [],
    ),
  )('are for others like rows that do not exist in a body: %s', async (property, name) => {
    const [method = '', path = '', field = ''] = property.split(' ');
    const before = await stateOfA();
    const send = (by: Caller, value = '') => {
      const body = { planId: 'own', customerEmail: 'b@example.com', [field]: value };
      return world.request(method.toUpperCase(), path, { ...by, body });
    };
    for (const by of others) {
      const { status, body } = await send(by, rowsOfA[name]);
      expectNothingOfA(body);
      if (name in OTHERS_REFUSED) continue;
      const ofNoRow = await send(by, unlike(rowsOfA[name] ?? ''));
      expect({ status, error: body.error }).toEqual({ status: ofNoRow.status, error: ofNoRow.body.error });
    }
    expect(await stateOfA()).toBe(before);
  });
});
