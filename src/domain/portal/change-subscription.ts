import type { AppContext } from '../../app.ts';
import { invalidRequest } from '../../errors.ts';
import type { Customer } from '../../generated/prisma/client.ts';
import { type BillingDetails, updateBillingDetails } from '../accounts/customer/billing-details.ts';
import { cancelSubscription } from '../billing/lifecycle/cancel-subscription.ts';
import type { CancellationFeedback } from '../billing/lifecycle/cancellation-feedback.ts';
import { undoCancellation } from '../billing/lifecycle/undo-cancellation.ts';
import { type WalletAction, walletTransaction } from '../billing/read/wallet-transaction.ts';
import type { BillableSubscription } from '../billing/schedule/billable.ts';
import { pauseSubscription } from '../billing/waive/pause-subscription.ts';
import { unpauseSubscription } from '../billing/waive/unpause-subscription.ts';
import type { ActingScope, RequestOrigin } from '../kernel/audit-log/actor.ts';
import { assertForAction, assertForAll, type PortalAction } from './portal-actions.ts';
import type { PortalCaller } from './portal-session.ts';
import { findPortalSubscription } from './portal-subscriptions.ts';

/**
 * Stops collection at the end of the period, on behalf of the customer, without a signature. The
 * subscription on chain remains until the wallet cancels it there too, but dues collects nothing.
 *
 * @throws BillingError not_found, param `id`; invalid_request, param `comment` or `action`
 */
export async function cancelInPortal(
  ctx: AppContext,
  caller: PortalCaller,
  id: string,
  feedback: CancellationFeedback,
  origin: RequestOrigin,
): Promise<void> {
  assertForAction(caller.flow, 'cancel');
  const subscription = await findPortalSubscription(ctx, caller, id);
  const input = { subscription: subscription.id, when: 'PERIOD_END', feedback } as const;
  await cancelSubscription(ctx, actingCustomer(subscription, origin), input);
}

/**
 * Takes the customer's own cancellation back before it takes effect.
 *
 * @throws BillingError not_found, param `id`; invalid_request, param `subscription` or `action`
 */
export async function undoInPortal(
  ctx: AppContext,
  caller: PortalCaller,
  id: string,
  origin: RequestOrigin,
): Promise<void> {
  assertForAction(caller.flow, 'undo');
  const subscription = await findPortalSubscription(ctx, caller, id);
  await undoCancellation(ctx, actingCustomer(subscription, origin), subscription.id);
}

/**
 * Pauses a subscription for whole periods, from its next due date. The customer has no access in them.
 *
 * @throws BillingError not_found, param `id`; invalid_request, param `periods`, `subscription` or `action`
 */
export async function pauseInPortal(
  ctx: AppContext,
  caller: PortalCaller,
  id: string,
  periods: number,
  origin: RequestOrigin,
): Promise<void> {
  assertForAction(caller.flow, 'pause');
  const subscription = await findPortalSubscription(ctx, caller, id);
  const pause = { subscription: subscription.id, periods, keepsAccess: false };
  await pauseSubscription(ctx, actingCustomer(subscription, origin), pause);
}

/**
 * Ends the customer's own pause: at the next due date, or at once with a payment.
 *
 * @throws BillingError not_found, param `id`; invalid_request, param `subscription` or `action`
 */
export async function unpauseInPortal(
  ctx: AppContext,
  caller: PortalCaller,
  id: string,
  chargeNow: boolean,
  origin: RequestOrigin,
): Promise<void> {
  assertForAction(caller.flow, 'unpause');
  const subscription = await findPortalSubscription(ctx, caller, id);
  const input = { subscription: subscription.id, chargeNow };
  await unpauseSubscription(ctx, actingCustomer(subscription, origin), input);
}

const PORTAL_ACTIONS: Readonly<Record<WalletAction, PortalAction>> = {
  cancel: 'cancel_on_chain',
  resume: 'resume',
  repair_approval: 'repair_approval',
  close: 'close',
};

/**
 * Creates the transaction with which the paying wallet changes the subscription: unsigned, in
 * base64.
 *
 * @throws BillingError not_found, param `id`; invalid_request, param `action`
 */
export async function transactionInPortal(
  ctx: AppContext,
  caller: PortalCaller,
  id: string,
  action: WalletAction,
): Promise<string> {
  assertForAction(caller.flow, PORTAL_ACTIONS[action]);
  const { address, closedAt } = await findPortalSubscription(ctx, caller, id);
  // A later subscription may have the address of one that is closed.
  if (closedAt !== null) throw invalidRequest('action', 'The account of this subscription is closed.');
  return walletTransaction(ctx, address, action);
}

/**
 * Changes the buyer's details on later receipts.
 *
 * @throws BillingError not_found, param `id`; invalid_request, param `action` or the name of the
 *   invalid field
 */
export async function updateBillingInPortal(
  ctx: AppContext,
  caller: PortalCaller,
  id: string,
  input: BillingDetails,
  origin: RequestOrigin,
): Promise<Customer> {
  assertForAll(caller.flow);
  const subscription = await findPortalSubscription(ctx, caller, id);
  return updateBillingDetails(ctx, actingCustomer(subscription, origin), subscription.customerId, input);
}

/** The customer as the actor in the merchant's audit log. */
function actingCustomer(
  { merchantId, environment, customerId: id, walletAddress }: BillableSubscription,
  origin: RequestOrigin,
): ActingScope {
  return { merchantId, environment, actor: { ...origin, kind: 'CUSTOMER', id, walletAddress } };
}
