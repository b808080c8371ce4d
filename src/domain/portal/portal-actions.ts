import { invalidRequest } from '../../errors.ts';
import type { CancellationRequest, Plan, PortalFlow, Subscription } from '../../generated/prisma/client.ts';
import { COLLECTING, isCancelledOnChain } from '../billing/book/status.ts';
import type { WalletState } from '../chain-state/wallet-state/read-wallet-states.ts';

/**
 * The actions of a customer on a subscription. `cancel`, `undo`, `pause` and `unpause` need no wallet,
 * because dues stops or continues collection itself. `top_up` is a transfer from any wallet. The customer's
 * wallet signs all others.
 */
export type PortalAction =
  | 'cancel'
  | 'undo'
  | 'pause'
  | 'unpause'
  | 'cancel_on_chain'
  | 'resume'
  | 'repair_approval'
  | 'top_up'
  | 'close';

const ACTIONS_OF_FLOW: Readonly<Record<Exclude<PortalFlow, 'ALL'>, readonly PortalAction[]>> = {
  CANCEL: ['cancel', 'undo', 'cancel_on_chain', 'resume', 'close'],
  REPAIR_APPROVAL: ['repair_approval'],
  TOP_UP: ['top_up'],
};

/** Whether a portal session with this flow allows the action. */
export function isForAction(flow: PortalFlow, action: PortalAction): boolean {
  return flow === 'ALL' || ACTIONS_OF_FLOW[flow].includes(action);
}

/** @throws BillingError invalid_request, param `action`, if the flow does not allow the action */
export function assertForAction(flow: PortalFlow, action: PortalAction): void {
  if (!isForAction(flow, action)) throw anotherTask();
}

/** @throws BillingError invalid_request, param `action`, if the flow allows only some actions */
export function assertForAll(flow: PortalFlow): void {
  if (flow !== 'ALL') throw anotherTask();
}

const anotherTask = () =>
  invalidRequest('action', 'This link was made for another task. Sign in to do more.');

/** The facts on which the possible actions depend. */
export interface SubscriptionFacts {
  readonly subscription: Pick<
    Subscription,
    'status' | 'cancelAtPeriodEnd' | 'nextPaymentAt' | 'accessUntil' | 'closedAt' | 'pausedFrom'
  > & { readonly plan: Pick<Plan, 'maxPausedPeriods'> };
  /** Whether the customer made the pause. */
  readonly isOwnPause: boolean;
  /** The reason of its status. */
  readonly lastReason: string | undefined;
  /** The customer's own cancellation. */
  readonly request: Pick<CancellationRequest, 'createdAt'> | null;
  /** Null while the chain cannot be read. */
  readonly wallet: WalletState | null;
}

/** The actions that are possible now, whatever the flow. */
export function possibleActions(
  { subscription, isOwnPause, lastReason, request, wallet }: SubscriptionFacts,
  now: Date,
): PortalAction[] {
  const { status, cancelAtPeriodEnd, nextPaymentAt, accessUntil, closedAt } = subscription;
  const { pausedFrom, plan } = subscription;
  const isCollecting = COLLECTING.includes(status);
  const willContinue = isCollecting && !cancelAtPeriodEnd;
  const account = closedAt === null ? wallet?.account : null;
  const isRepairable =
    wallet?.approval === 'REVOKED' ||
    wallet?.approval === 'REPLACED' ||
    (wallet?.approval === 'CLOSED' && wallet.balance === null);
  const isOver = account?.endsAt != null && account.endsAt <= now;
  const mayResume =
    status === 'CANCELLED' && isCancelledOnChain(lastReason) && accessUntil !== null && accessUntil > now;
  const isPossible: Readonly<Record<PortalAction, boolean>> = {
    repair_approval: willContinue && isRepairable,
    top_up: willContinue,
    unpause: willContinue && pausedFrom !== null && isOwnPause,
    pause: willContinue && pausedFrom === null && plan.maxPausedPeriods > 0,
    cancel: willContinue,
    undo: (isCollecting || mayResume) && cancelAtPeriodEnd && request !== null && nextPaymentAt > now,
    resume: mayResume,
    cancel_on_chain: !willContinue && account != null && account.endsAt === null,
    close: !willContinue && isOver && account?.isOwnRent === true,
  };
  return (Object.keys(isPossible) as PortalAction[]).filter((action) => isPossible[action]);
}

/** The date until which the balance is enough, if the wallet pays for nothing else. */
export function runwayUntil(
  { nextPaymentAt }: Pick<Subscription, 'nextPaymentAt'>,
  { intervalSeconds }: { readonly intervalSeconds: number },
  { runwayPeriods }: Pick<WalletState, 'runwayPeriods'>,
): Date | null {
  const at = nextPaymentAt.getTime() + runwayPeriods * intervalSeconds * 1_000;
  // 8.64e15 is the last time that a Date can hold.
  return runwayPeriods > 0 && at < 8.64e15 ? new Date(at) : null;
}
