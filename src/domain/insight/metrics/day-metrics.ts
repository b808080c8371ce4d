import type { FailureCode, Plan } from '../../../generated/prisma/client.ts';
import { type MrrMovement, NO_MOVEMENT, netOf, sumMovements } from './mrr-movement.ts';
import { NO_CHANGES, type PlanChanges } from './plan-changes.ts';

/** The metrics of a UTC day; docs/metrics.md defines each number. */
export interface DayMetrics extends Activity {
  readonly day: string;
  readonly active: number;
  readonly pastDue: number;
  /** Reasons with at least one failure. */
  readonly failedByCode: readonly CodeCount[];
  readonly mrr: readonly MintAmount[];
  /** Why `mrr` differs from the day before, by token. */
  readonly mrrMovement: readonly MintMovement[];
}

export interface MintMovement extends MrrMovement {
  readonly mint: string;
}

/** What happened in some time. These numbers can be added over plans and over days. */
export interface Activity {
  readonly new: number;
  readonly resumed: number;
  readonly churned: number;
  readonly expired: number;
  readonly recovered: number;
  readonly failed: number;
  /** Number of collected payments. */
  readonly paid: number;
  /** Amounts are by token, because those of different tokens cannot be added. */
  readonly collected: readonly MintAmount[];
  readonly recoveredAmount: readonly MintAmount[];
  /** Number of refunds; `refunded` has their amounts. */
  readonly refunds: number;
  readonly refunded: readonly MintAmount[];
}

export interface MintAmount {
  readonly mint: string;
  /** Base units. */
  readonly amount: bigint;
}

export interface CodeCount {
  readonly code: FailureCode;
  readonly count: number;
}

const CODES = {
  INSUFFICIENT_FUNDS: 'insufficientFunds',
  APPROVAL_REVOKED: 'approvalRevoked',
  ACCOUNT_FROZEN: 'accountFrozen',
  ACCOUNT_CLOSED: 'accountClosed',
} as const satisfies Record<FailureCode, keyof PlanChanges>;
const codes = Object.keys(CODES) as FailureCode[];

export type PricedPlan = Pick<Plan, 'amount' | 'mint'>;

/** A plan's metrics of each day, from its totals before the first day and each day's changes. */
export function planDays(
  plan: PricedPlan,
  days: readonly string[],
  before: PlanChanges,
  changesOn: ReadonlyMap<string, PlanChanges>,
  movements: { readonly before: MrrMovement; readonly on: ReadonlyMap<string, MrrMovement> },
): DayMetrics[] {
  let { active, pastDue } = before;
  let revenue = netOf(movements.before);
  return days.map((day) => {
    const changes = changesOn.get(day) ?? NO_CHANGES;
    active += changes.active;
    pastDue += changes.pastDue;
    const movement = movements.on.get(day) ?? NO_MOVEMENT;
    revenue += netOf(movement);
    const { started, returned, recovered, failed, paid, collected, refunds, refunded } = changes;
    const resumed = changes.resumed + returned;
    const expired = changes.expired + returned;
    const { mint, amount } = plan;
    return {
      day,
      active,
      pastDue,
      new: started,
      resumed,
      // A resumption reduces `cancelled`, so it is added back.
      churned: changes.cancelled + changes.resumed + expired,
      expired,
      recovered,
      failed,
      failedByCode: withoutZeros(codes.map((code) => ({ code, count: changes[CODES[code]] }))),
      paid,
      collected: [{ mint, amount: collected }],
      recoveredAmount: [{ mint, amount: BigInt(recovered) * amount }],
      refunds,
      refunded: [{ mint, amount: refunded }],
      mrr: [{ mint, amount: revenue }],
      mrrMovement: [{ mint, ...movement }],
    };
  });
}

/** The sum of one day over several plans. */
export function sumDay(day: string, parts: readonly DayMetrics[]): DayMetrics {
  const sum = (read: (part: DayMetrics) => number) => parts.reduce((total, part) => total + read(part), 0);
  return {
    day,
    active: sum((part) => part.active),
    pastDue: sum((part) => part.pastDue),
    failedByCode: sumCodes(parts.flatMap((part) => part.failedByCode)),
    mrr: sumAmounts(parts.flatMap((part) => part.mrr)),
    mrrMovement: sumByMint(parts.flatMap((part) => part.mrrMovement)),
    ...sumActivity(parts),
  };
}

/** Adds up what happened, over plans or days. */
export function sumActivity(parts: readonly Activity[]): Activity {
  const sum = (read: (part: Activity) => number) => parts.reduce((total, part) => total + read(part), 0);
  return {
    new: sum((part) => part.new),
    resumed: sum((part) => part.resumed),
    churned: sum((part) => part.churned),
    expired: sum((part) => part.expired),
    recovered: sum((part) => part.recovered),
    failed: sum((part) => part.failed),
    paid: sum((part) => part.paid),
    collected: sumAmounts(parts.flatMap((part) => part.collected)),
    recoveredAmount: sumAmounts(parts.flatMap((part) => part.recoveredAmount)),
    refunds: sum((part) => part.refunds),
    refunded: sumAmounts(parts.flatMap((part) => part.refunded)),
  };
}

function sumCodes(counts: readonly CodeCount[]): CodeCount[] {
  const withCode = (code: FailureCode) => counts.filter((count) => count.code === code);
  return withoutZeros(
    codes.map((code) => ({ code, count: withCode(code).reduce((total, { count }) => total + count, 0) })),
  );
}

function withoutZeros(counts: readonly CodeCount[]): CodeCount[] {
  return counts.filter(({ count }) => count !== 0);
}

function sumByMint(movements: readonly MintMovement[]): MintMovement[] {
  const byMint = Map.groupBy(movements, ({ mint }) => mint);
  return [...byMint].map(([mint, ofMint]) => ({ mint, ...sumMovements(ofMint) }));
}

/** The total of each token. */
export function sumAmounts(amounts: readonly MintAmount[]): MintAmount[] {
  const totals = new Map<string, bigint>();
  for (const { mint, amount } of amounts) totals.set(mint, (totals.get(mint) ?? 0n) + amount);
  return [...totals].map(([mint, amount]) => ({ mint, amount }));
}
