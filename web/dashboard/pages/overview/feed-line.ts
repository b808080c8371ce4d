import type { NamedPlan } from '../../../shared/api/plan-options.ts';
import { formatAmount } from '../../../shared/money/token-amount.ts';
import { eventNames, feedText as text } from '../../../shared/text/overview.ts';
import { failures } from '../../../shared/text/statuses.ts';

/** An event in the feed. */
export interface FeedEvent {
  readonly id: string;
  readonly type: string;
  readonly createdAt: string;
  readonly data: unknown;
}

/** The parts of the data of events that the feed names. */
interface FeedData {
  readonly customer?: { readonly email?: string };
  readonly customerId?: string;
  readonly planId?: string;
  readonly plan?: { readonly planId?: string; readonly planName?: string };
  readonly amount?: string;
  readonly amountRequired?: string;
  readonly failureCode?: string;
  /** Of a discount. */
  readonly name?: string;
  readonly url?: string;
}

/** What the feed says of an event. */
export interface FeedLine {
  /** Who, and how much: `5.00 USDC from ada@example.com`. */
  readonly title: string;
  /** `Collected`, or the name of the event. */
  readonly outcome: string;
  readonly tone: 'good' | 'warn' | 'bad' | 'neutral';
  /** The reason of a failure and the plan. */
  readonly details: readonly string[];
}

const TONES: Readonly<Record<string, FeedLine['tone']>> = {
  'subscription.payment_succeeded': 'good',
  'subscription.payment_failed': 'bad',
  'subscription.payment_missed': 'warn',
  'subscription.payment_reversed': 'bad',
  'subscription.expired': 'bad',
  'endpoint.disabled': 'bad',
};

/** The plan id in the data of an event. */
export function planIdOf({ data }: FeedEvent): string | undefined {
  const { planId, plan } = data as FeedData;
  return planId ?? plan?.planId;
}

/**
 * Says who an event is about and how much moved. The event has the amount in base units, so without
 * the plan, which names the token, the amount is left out.
 */
export function feedLine(event: FeedEvent, plan: NamedPlan | undefined): FeedLine {
  const { type } = event;
  const data = event.data as FeedData;
  const name = eventNames[type] ?? type;
  const subject = data.customer?.email ?? data.customerId ?? data.url ?? data.name;
  const units = type === 'subscription.payment_failed' ? data.amountRequired : data.amount;
  const amount = plan && units !== undefined ? formatAmount({ ...plan, amount: units }) : undefined;
  const failure = failures[data.failureCode as keyof typeof failures];
  const planName = plan?.name ?? data.plan?.planName ?? data.planId;
  return {
    title:
      subject === undefined || amount === undefined
        ? (subject ?? name)
        : type.startsWith('payment.')
          ? text.to(amount, subject)
          : text.from(amount, subject),
    outcome: text.outcomes[type] ?? name,
    tone: TONES[type] ?? 'neutral',
    details: [failure, planName].filter((detail) => detail !== undefined),
  };
}
