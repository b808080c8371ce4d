import type { Event, Plan } from '../../src/generated/prisma/client.ts';

/** The figures of one day, calculated only from events, exactly as docs/metrics.md defines them. */
export interface ReplayedDay {
  readonly active: number;
  readonly pastDue: number;
  readonly new: number;
  readonly resumed: number;
  readonly churned: number;
  readonly expired: number;
  readonly recovered: number;
  readonly failed: number;
  readonly failedByCode: readonly { readonly code: string; readonly count: number }[];
  readonly paid: number;
  readonly collected: bigint;
  readonly recoveredAmount: bigint;
  readonly refunds: number;
  readonly refunded: bigint;
  readonly mrr: bigint;
}

const CODES = ['INSUFFICIENT_FUNDS', 'APPROVAL_REVOKED', 'ACCOUNT_FROZEN', 'ACCOUNT_CLOSED'];

type ReplayedEvent = Pick<Event, 'type' | 'createdAt' | 'sequence' | 'subscriptionId' | 'data'>;
type Status = 'active' | 'pastDue' | 'ended';

/** Calculates a plan's days from the events of its subscriptions. */
export function replay(
  events: readonly ReplayedEvent[],
  { amount, intervalSeconds }: Pick<Plan, 'amount' | 'intervalSeconds'>,
  days: readonly string[],
): ReplayedDay[] {
  const statuses = new Map<string, Status>();
  const paidOnce = new Set<string>();
  const waiting = [...events].sort(
    (a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.sequence ?? 0) - (b.sequence ?? 0),
  );
  // A payment in parts counts in full on the day of its first transfer.
  const paidOn = new Map<string, string>();
  const collectedOn = new Map<string, bigint>();
  for (const { type, createdAt, data } of waiting) {
    if (type !== 'subscription.payment_succeeded') continue;
    const { paymentId, amount } = data as { paymentId: string; amount: string };
    const day = paidOn.get(paymentId) ?? createdAt.toISOString().slice(0, 10);
    paidOn.set(paymentId, day);
    collectedOn.set(day, (collectedOn.get(day) ?? 0n) + BigInt(amount));
  }
  return days.map((day) => {
    const counts = { new: 0, resumed: 0, churned: 0, expired: 0, recovered: 0, failed: 0 };
    const codes = new Map(CODES.map((code) => [code, 0]));
    let [paid, refunds, refunded] = [0, 0, 0n];
    while (waiting[0] && waiting[0].createdAt.toISOString().slice(0, 10) <= day) {
      const { type, createdAt, subscriptionId, data } = waiting.shift() as ReplayedEvent;
      const eventData = data as { paymentId: string; amount: string; failureCode: string };
      const isToday = createdAt.toISOString().startsWith(day);
      if (type === 'subscription.payment_succeeded') {
        if (isToday && !paidOnce.has(eventData.paymentId)) paid++;
        paidOnce.add(eventData.paymentId);
      }
      if (isToday && type === 'payment.refunded') {
        refunds++;
        refunded += BigInt(eventData.amount);
      }
      if (isToday && type === 'subscription.payment_failed') {
        codes.set(eventData.failureCode, (codes.get(eventData.failureCode) ?? 0) + 1);
      }
      // Events before the first day only set the initial state.
      const count = isToday ? counts : { ...counts };
      const before = statuses.get(`${subscriptionId}`);
      statuses.set(`${subscriptionId}`, statusAfter(type, before, count));
    }
    const countOf = (status: Status) => [...statuses.values()].filter((other) => other === status).length;
    const [active, pastDue] = [countOf('active'), countOf('pastDue')];
    const paying = BigInt(active + pastDue);
    return {
      active,
      pastDue,
      ...counts,
      failedByCode: [...codes].flatMap(([code, count]) => (count > 0 ? [{ code, count }] : [])),
      paid,
      collected: collectedOn.get(day) ?? 0n,
      recoveredAmount: BigInt(counts.recovered) * amount,
      refunds,
      refunded,
      mrr: paying * ((amount * 2_592_000n) / BigInt(intervalSeconds)),
    };
  });
}

type Counts = Record<'new' | 'resumed' | 'churned' | 'expired' | 'recovered' | 'failed', number>;

function statusAfter(type: string, before: Status | undefined, counts: Counts): Status {
  switch (type) {
    case 'subscription.created':
      // It has been there before if its wallet has subscribed again.
      if (before === undefined) counts.new++;
      else counts.resumed++;
      return 'active';
    case 'subscription.resumed':
      counts.resumed++;
      return 'active';
    case 'subscription.payment_succeeded':
      if (before !== 'pastDue') return before ?? 'ended';
      counts.recovered++;
      return 'active';
    // A missed period, a payment that was rolled back or refunded, and a cancellation that has not
    // taken effect do not change the status.
    case 'subscription.payment_missed':
    case 'subscription.payment_reversed':
    case 'payment.refunded':
    case 'payment.refunded_again':
    case 'checkout.subscribed_again':
    case 'subscription.cancellation_scheduled':
    case 'subscription.cancellation_undone':
      return before ?? 'ended';
    case 'subscription.payment_failed':
      counts.failed++;
      return 'pastDue';
    case 'subscription.cancelled':
      counts.churned++;
      return 'ended';
    case 'subscription.expired':
      counts.churned++;
      counts.expired++;
      return 'ended';
    default:
      throw new Error(`No metric handles ${type}`);
  }
}
