import type { AppContext } from '../../../app.ts';
import { notFound } from '../../../errors.ts';
import { isId } from '../../kernel/input/valid-text.ts';

/** The public metadata of a plan. Its account on chain contains their URL. */
export interface PublicPlan {
  readonly planId: string;
  readonly name: string;
  readonly description: string | null;
  readonly imageUrl: string | null;
  /** Price of one interval in base units of the token, an integer string. */
  readonly amount: string;
  /** The most that can be collected in one interval, in base units of the token, an integer string. */
  readonly maxAmount: string;
  /** Seconds, as an integer string. */
  readonly interval: string;
  readonly trialPeriodSeconds: string;
  readonly mint: string;
  readonly merchant: { readonly companyName: string; readonly logoUrl: string | null };
}

/** Returns the URL of the metadata. It contains our own id of the plan, which reveals nothing. */
export function planMetadataUri({ publicUrl }: { readonly publicUrl: string }, id: string): string {
  return `${publicUrl}/plans/${id}.json`;
}

/**
 * Finds a plan by our own id.
 *
 * @throws BillingError not_found
 */
export async function getPublicPlan({ db }: Pick<AppContext, 'db'>, id: string): Promise<PublicPlan> {
  const plan = isId(id) ? await db.plan.findUnique({ where: { id }, include: { merchant: true } }) : null;
  if (!plan) throw notFound('plan');
  const { planId, name, description, imageUrl, mint, merchant } = plan;
  const { companyName, logoUrl } = merchant;
  return {
    planId,
    name,
    description,
    imageUrl,
    amount: String(plan.amount),
    maxAmount: String(plan.maxAmount),
    interval: String(plan.intervalSeconds),
    trialPeriodSeconds: String(plan.trialPeriodSeconds),
    mint,
    merchant: { companyName, logoUrl },
  };
}
