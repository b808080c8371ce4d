import { invalidRequest } from '../../errors.ts';
import type { CancellationRequest, PortalFlow, Subscription } from '../../generated/prisma/client.ts';
import { COLLECTING, isCancelledOnChain } from '../billing/book/status.ts';
import type { WalletState } from '../wallet-state/read-wallet-states.ts';

/**
 * What a customer may do with a subscription. `cancel` and `undo` need no wallet, because dues stops
 * or continues collection itself. `top_up` is a transfer from any wallet. The customer's wallet signs
 * all others.
 */
export type PortalAction =
  | 'cancel'
  | 'undo'
  | 'cancel_on_chain'
  | 'resume'
  | 'repair_approval'
  | 'top_up'
  | 'close';

const OF_FLOW: Readonly<Record<Exclude<PortalFlow, 'ALL'>, readonly PortalAction[]>> = {
  CANCEL: ['cancel', 'undo', 'cancel_on_chain', 'resume', 'close'],
  REPAIR_APPROVAL: ['repair_approval'],
  TOP_UP: ['top_up'],
};

/** Whether a session with this flow is for the action. */
export function isForAction(flow: PortalFlow, action: PortalAction): boolean {
  return flow === 'ALL' || OF_FLOW[flow].includes(action);
}

/** @throws BillingError invalid_request, param `action`, in a session for another task */
export function assertForAction(flow: PortalFlow, action: PortalAction): void {
  if (!isForAction(flow, action)) throw anotherTask();
}

/** @throws BillingError invalid_request, param `action`, in a session for one task */
export function assertForAll(flow: PortalFlow): void {
  if (flow !== 'ALL') throw anotherTask();
}

const anotherTask = () =>
  invalidRequest('action', 'This link was made for another task. Sign in to do more.');

export interface Standing {
  readonly subscription: Pick<
    Subscription,
    'status' | 'cancelAtPeriodEnd' | 'nextPaymentAt' | 'accessUntil' | 'closedAt'
  >;
  /** The reason of its status. */
  readonly lastReason: string | undefined;
  /** The customer's own cancellation. */
  readonly request: Pick<CancellationRequest, 'createdAt'> | null;
  /** Null while the chain cannot be read. */
  readonly wallet: WalletState | null;
}

/** What makes sense now, whatever the flow. */
export function possibleActions(
  { subscription, lastReason, request, wallet }: Standing,
  now: Date,
): PortalAction[] {
  const { status, cancelAtPeriodEnd, nextPaymentAt, accessUntil, closedAt } = subscription;
  const collects = COLLECTING.includes(status);
  const continues = collects && !cancelAtPeriodEnd;
  const account = closedAt === null ? wallet?.account : null;
  const isRepairable =
    wallet?.approval === 'REVOKED' ||
    wallet?.approval === 'REPLACED' ||
    (wallet?.approval === 'CLOSED' && wallet.balance === null);
  const isOver = account?.endsAt != null && account.endsAt <= now;
  const mayResume =
    status === 'CANCELLED' && isCancelledOnChain(lastReason) && accessUntil !== null && accessUntil > now;
  const when: Readonly<Record<PortalAction, boolean>> = {
    repair_approval: continues && isRepairable,
    top_up: continues,
    cancel: continues,
    undo: (collects || mayResume) && cancelAtPeriodEnd && request !== null && nextPaymentAt > now,
    resume: mayResume,
    cancel_on_chain: !continues && account != null && account.endsAt === null,
    close: !continues && isOver && account?.isOwnRent === true,
  };
  return (Object.keys(when) as PortalAction[]).filter((action) => when[action]);
}

/** The date until which the balance is enough, if the wallet pays for nothing else. */
export function runwayUntil(
  { nextPaymentAt }: Pick<Subscription, 'nextPaymentAt'>,
  { intervalSeconds }: { readonly intervalSeconds: number },
  { runwayPeriods }: Pick<WalletState, 'runwayPeriods'>,
): Date | null {
  const at = nextPaymentAt.getTime() + runwayPeriods * intervalSeconds * 1_000;
  // Beyond what a date can hold.
  return runwayPeriods > 0 && at < 8.64e15 ? new Date(at) : null;
}
