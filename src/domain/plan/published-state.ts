import type { PlanAccount } from '../../chain/accounts/accounts.ts';
import { SECONDS_PER_HOUR } from '../../chain/transactions/plan-transactions.ts';
import type { Plan, PlanStatus } from '../../generated/prisma/client.ts';

type StoredPlan = Pick<
  Plan,
  'status' | 'amount' | 'intervalSeconds' | 'mint' | 'chainPlanId' | 'chainCreatedAt'
>;

/** The required receiver and collectors of a plan. */
export interface Parties {
  readonly merchantWallet: string;
  /** Any one of them suffices. */
  readonly collectors: readonly string[];
}

export interface PublishedState {
  readonly status: Exclude<PlanStatus, 'DRAFT'>;
  readonly chainCreatedAt: bigint;
  readonly endsAt: Date | null;
}

/**
 * The terms that differ between the plan and its account on chain; empty if it is the drafted plan.
 */
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
    // The plan was deleted and created again: customers of the first one did not agree to this one.
    createdAt: plan.chainCreatedAt === null || plan.chainCreatedAt === account.createdAt,
  };
  return Object.entries(checks).flatMap(([name, same]) => (same ? [] : [name]));
}

/** The year 9999, the last year of a date: a later end counts as none. */
const LAST_SECOND = 253_402_300_799n;

/** The state of a published plan, by its account. */
export function publishedState(account: PlanAccount, now: Date): PublishedState {
  const endsAt =
    account.endsAt === 0n || account.endsAt > LAST_SECOND ? null : new Date(Number(account.endsAt) * 1000);
  const open = account.active && (endsAt === null || endsAt > now);
  return { status: open ? 'ACTIVE' : 'INACTIVE', chainCreatedAt: account.createdAt, endsAt };
}
