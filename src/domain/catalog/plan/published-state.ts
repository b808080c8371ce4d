import type { PlanAccount } from '../../../chain/accounts/accounts.ts';
import { dateOf, LAST_SECOND } from '../../../chain/chain-time.ts';
import { SECONDS_PER_HOUR } from '../../../chain/transactions/plan-transactions.ts';
import type { Plan, PlanStatus } from '../../../generated/prisma/client.ts';

type StoredPlan = Pick<
  Plan,
  'status' | 'maxAmount' | 'periodSeconds' | 'mint' | 'chainPlanId' | 'chainCreatedAt'
>;

/** The parties that a plan on chain must name. */
export interface Parties {
  /** The owner and only receiver. */
  readonly merchantWallet: string;
  /** The collectors of dues. The plan must name at least one. */
  readonly collectors: readonly string[];
}

export interface PublishedState {
  readonly status: Exclude<PlanStatus, 'DRAFT'>;
  readonly chainCreatedAt: bigint;
  readonly endsAt: Date | null;
}

/**
 * Returns the names of the terms that differ between the plan and its account on chain; empty if
 * the account is of this plan.
 */
export function differingTerms(
  plan: StoredPlan,
  account: PlanAccount,
  { merchantWallet, collectors }: Parties,
): string[] {
  const hours = BigInt(plan.periodSeconds) / BigInt(SECONDS_PER_HOUR);
  const checks: Readonly<Record<string, boolean>> = {
    owner: account.owner === merchantWallet,
    chainPlanId: account.chainPlanId === plan.chainPlanId,
    mint: account.mint === plan.mint,
    maxAmount: account.amount === plan.maxAmount,
    interval: account.periodHours === hours,
    destinations: account.destinations.length === 1 && account.destinations[0] === merchantWallet,
    pullers: account.pullers.some((puller) => collectors.includes(puller)),
    // Differs if the plan was deleted and created again: its customers agreed only to the first
    // one.
    createdAt: plan.chainCreatedAt === null || plan.chainCreatedAt === account.createdAt,
  };
  return Object.entries(checks).flatMap(([name, isEqual]) => (isEqual ? [] : [name]));
}

/**
 * Determines the state of a published plan from its account. An end that no date can show counts as
 * none.
 */
export function publishedState(account: PlanAccount, now: Date): PublishedState {
  const endsAt = account.endsAt === 0n || account.endsAt > LAST_SECOND ? null : dateOf(account.endsAt);
  const isOpen = account.active && (endsAt === null || endsAt > now);
  return { status: isOpen ? 'ACTIVE' : 'INACTIVE', chainCreatedAt: account.createdAt, endsAt };
}
