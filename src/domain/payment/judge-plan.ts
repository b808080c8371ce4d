import type { SubscriptionAccount } from '../../chain/accounts.ts';
import type { PlanNow } from '../../chain/plans.ts';
import type { Receiver } from '../../chain/pulls.ts';

/** What stands behind a plan's payments just now. */
export interface PlanCircumstances {
  readonly plan: PlanNow;
  readonly receiver: Receiver;
  /** The merchant's wallet. */
  readonly receiverWallet: string;
  /** What the subscriber agreed to. */
  readonly subscription: SubscriptionAccount | null;
  /** Whoever collects for dues. */
  readonly collectors: readonly string[];
  /** Whether the mirror has seen that the plan takes nobody any more. */
  readonly isClosedInMirror: boolean;
  /** The chain's own time, unix seconds. */
  readonly chainTime: bigint;
}

/** Why a plan's payments cannot be collected, whatever their payers have. */
export type PlanTrouble =
  /** Nothing can ever be collected again: its subscriptions end. */
  | { readonly kind: 'over'; readonly why: 'ended' | 'deleted' | 'made_again' }
  /** Until its merchant does something about it. */
  | {
      readonly kind: 'blocked';
      readonly why:
        | 'not_found'
        | 'unreadable'
        | 'not_our_plan_to_pull'
        | 'other_destination'
        | ReceiverTrouble;
    };
type ReceiverTrouble = `receiver_${NonNullable<Receiver['refuses']>}`;

/** The rule, in the order in which the program looks at these. Undefined where nothing stands in the way. */
export function judgePlan(circumstances: PlanCircumstances): PlanTrouble | undefined {
  const { plan, receiver, receiverWallet, subscription, collectors, chainTime } = circumstances;
  const blocked = (why: Extract<PlanTrouble, { kind: 'blocked' }>['why']) =>
    ({ kind: 'blocked', why }) as const;
  // That there is none is what a node in trouble says, too. It is believed where the mirror has seen the same.
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
  return receiver.refuses ? blocked(`receiver_${receiver.refuses}`) : undefined;
}
