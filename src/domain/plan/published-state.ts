import type { PlanAccount } from '../../chain/accounts.ts';
import { SECONDS_PER_HOUR } from '../../chain/plan-transactions.ts';
import type { Plan, PlanStatus } from '../../generated/prisma/client.ts';

type StoredPlan = Pick<
  Plan,
  'status' | 'amount' | 'intervalSeconds' | 'mint' | 'chainPlanId' | 'chainCreatedAt'
>;

/** Whom the money of a plan has to go to, and who has to be allowed to collect it. */
export interface Parties {
  readonly merchantWallet: string;
  /** Any of them may. */
  readonly collectors: readonly string[];
}

export interface PublishedState {
  readonly status: Exclude<PlanStatus, 'DRAFT'>;
  readonly chainCreatedAt: bigint;
  readonly endsAt: Date | null;
}

/** Which of the plan's terms the account on chain has otherwise; none where it is the plan that was drafted. */
export function differences(
  plan: StoredPlan,
  account: PlanAccount,
  { merchantWallet, collectors }: Parties,
): string[] {
  const hours = BigInt(plan.intervalSeconds) / BigInt(SECONDS_PER_HOUR);
  const checks: Readonly<Record<string, boolean>> = {
    owner: account.owner === merchantWallet,
    chainPlanId: account.chainPlanId === plan.chainPlanId,
    mint: account.mint === plan.mint,
    amount: account.amount === plan.amount,
    interval: account.periodHours === hours,
    destinations: account.destinations.length === 1 && account.destinations[0] === merchantWallet,
    pullers: account.pullers.some((puller) => collectors.includes(puller)),
    // Deleted and made again: whoever subscribed to the first one did not agree to this one.
    createdAt: plan.chainCreatedAt === null || plan.chainCreatedAt === account.createdAt,
  };
  return Object.entries(checks).flatMap(([name, same]) => (same ? [] : [name]));
}

/** An end beyond this (the year 9999) is none that anybody can live to see, or a date can hold. */
const LAST_SECOND = 253_402_300_799n;

/** What a plan with the right terms is, by its account. */
export function publishedState(account: PlanAccount, now: Date): PublishedState {
  const endsAt =
    account.endsAt === 0n || account.endsAt > LAST_SECOND ? null : new Date(Number(account.endsAt) * 1000);
  const open = account.active && (endsAt === null || endsAt > now);
  return { status: open ? 'ACTIVE' : 'INACTIVE', chainCreatedAt: account.createdAt, endsAt };
}
