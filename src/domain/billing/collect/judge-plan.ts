import type { SubscriptionAccount } from '../../../chain/accounts/accounts.ts';
import type { PlanNow } from '../../../chain/accounts/plans.ts';
import type { Receiver } from '../../../chain/accounts/pulls.ts';
import type { MintFacts } from '../../../chain/accounts/token-extensions.ts';

/** The state of a plan and its receiver, for one payment. */
export interface PlanCircumstances {
  readonly plan: PlanNow;
  readonly receiver: Receiver;
  /** The merchant's wallet. */
  readonly receiverWallet: string;
  /** The subscription's account, with the terms that the subscriber agreed to. */
  readonly subscription: SubscriptionAccount | null;
  /** The addresses of the collectors. */
  readonly collectors: readonly string[];
  /** Whether the mirror shows the plan as closed to new subscribers. */
  readonly isClosedInMirror: boolean;
  /** Undefined for a token without extensions. */
  readonly mint: MintFacts | undefined;
  /** The chain's own time, unix seconds. */
  readonly chainTime: bigint;
}

/** Why a plan's payments cannot be collected, regardless of their payers. */
export type PlanTrouble =
  /** Nothing can be collected any more: its subscriptions end. */
  | { readonly kind: 'over'; readonly why: 'ended' | 'deleted' | 'made_again' }
  /** Nothing can be collected until the merchant fixes it. */
  | {
      readonly kind: 'blocked';
      readonly why:
        | 'not_found'
        | 'unreadable'
        | 'not_our_plan_to_pull'
        | 'other_destination'
        | 'mint_takes_fee'
        | 'mint_has_hook'
        | 'mint_paused'
        | ReceiverTrouble;
    };
type ReceiverTrouble = `receiver_${NonNullable<Receiver['refuses']>}`;

/** The problem of a plan, checked in the program's order. Undefined if there is none. */
export function judgePlan(circumstances: PlanCircumstances): PlanTrouble | undefined {
  const { plan, receiver, receiverWallet, subscription, collectors, mint, chainTime } = circumstances;
  const blocked = (why: Extract<PlanTrouble, { kind: 'blocked' }>['why']) =>
    ({ kind: 'blocked', why }) as const;
  // A faulty node may also return no account, so the mirror must confirm that the plan is gone.
  if (plan === 'gone') {
    return circumstances.isClosedInMirror ? { kind: 'over', why: 'deleted' } : blocked('not_found');
  }
  if (plan === 'unreadable') return blocked('unreadable');
  if (plan.endsAt !== 0n && chainTime > plan.endsAt) return { kind: 'over', why: 'ended' };
  if (subscription && subscription.planCreatedAt !== plan.createdAt)
    return { kind: 'over', why: 'made_again' };
  if (![plan.owner, ...plan.pullers].some((puller) => collectors.includes(puller))) {
    return blocked('not_our_plan_to_pull');
  }
  if (plan.destinations.length > 0 && !plan.destinations.some((to) => to === receiverWallet)) {
    return blocked('other_destination');
  }
  if (mint?.takesFee) return blocked('mint_takes_fee');
  if (mint?.hasHook) return blocked('mint_has_hook');
  if (mint?.isPaused) return blocked('mint_paused');
  return receiver.refuses ? blocked(`receiver_${receiver.refuses}`) : undefined;
}
