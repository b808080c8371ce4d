import type { Event, Plan } from '../../src/generated/prisma/client.ts';

/** The numbers of one day, made from nothing but events: what docs/metrics.md says, word by word. */
export interface ReplayedDay {
  readonly active: number;
  readonly pastDue: number;
  readonly new: number;
  readonly resumed: number;
  readonly churned: number;
  readonly expired: number;
  readonly recovered: number;
  readonly failed: number;
  readonly mrr: bigint;
}

type Told = Pick<Event, 'type' | 'createdAt' | 'sequence' | 'subscriptionId'>;
type Status = 'active' | 'pastDue' | 'over';

/** A plan's days, from the events about its subscriptions. */
export function replay(
  events: readonly Told[],
  { amount, intervalSeconds }: Pick<Plan, 'amount' | 'intervalSeconds'>,
  days: readonly string[],
): ReplayedDay[] {
  const statuses = new Map<string, Status>();
  const waiting = [...events].sort(
    (a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.sequence ?? 0) - (b.sequence ?? 0),
  );
  const all = days.map((day) => {
    const counts = { new: 0, resumed: 0, churned: 0, expired: 0, recovered: 0, failed: 0 };
    while (waiting[0] && waiting[0].createdAt.toISOString().slice(0, 10) <= day) {
      const { type, createdAt, subscriptionId } = waiting.shift() as Told;
      // What was before the first day counts for how things stood only.
      const count = createdAt.toISOString().startsWith(day) ? counts : { ...counts };
      const was = statuses.get(`${subscriptionId}`);
      statuses.set(`${subscriptionId}`, after(type, was, count));
    }
    const among = (status: Status) => [...statuses.values()].filter((each) => each === status).length;
    const [active, pastDue] = [among('active'), among('pastDue')];
    const paying = BigInt(active + pastDue);
    return {
      ...{ active, pastDue, ...counts },
      mrr: (paying * amount * 2_592_000n) / BigInt(intervalSeconds),
    };
  });
  return all;
}

type Counts = Record<'new' | 'resumed' | 'churned' | 'expired' | 'recovered' | 'failed', number>;

function after(type: string, was: Status | undefined, counts: Counts): Status {
  switch (type) {
    case 'subscription.created':
      counts.new++;
      return 'active';
    case 'subscription.resumed':
      counts.resumed++;
      return 'active';
    case 'subscription.payment_succeeded':
      if (was !== 'pastDue') return was ?? 'over';
      counts.recovered++;
      return 'active';
    case 'subscription.payment_failed':
      counts.failed++;
      return 'pastDue';
    case 'subscription.cancelled':
      counts.churned++;
      return 'over';
    case 'subscription.expired':
      counts.churned++;
      counts.expired++;
      return 'over';
    default:
      throw new Error(`no metric knows ${type}`);
  }
}
