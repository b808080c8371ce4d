import type { AppContext } from '../../app.ts';
import { notFound } from '../../errors.ts';
import { isId } from '../merchant/valid-text.ts';

/** What the plan's account on chain refers to as its metadata: anyone may read it. */
export interface PublicPlan {
  readonly planId: string;
  readonly name: string;
  readonly description: string | null;
  /** Price of an interval in base units of the asset, an integer string. */
  readonly amount: string;
  /** Seconds, an integer string. */
  readonly interval: string;
  readonly trialPeriodSeconds: string;
  readonly mint: string;
  readonly merchant: { readonly companyName: string; readonly logoUrl: string | null };
}

/** Where it is served: by our own id of the plan, which tells nothing of the merchant. */
export function planMetadataUri({ publicUrl }: { readonly publicUrl: string }, id: string): string {
  return `${publicUrl}/plans/${id}.json`;
}

/** By our own id. @throws BillingError not_found */
export async function getPublicPlan({ db }: Pick<AppContext, 'db'>, id: string): Promise<PublicPlan> {
  const plan = isId(id) ? await db.plan.findUnique({ where: { id }, include: { merchant: true } }) : null;
  if (!plan) throw notFound('plan');
  const { planId, name, description, mint, merchant } = plan;
  const { companyName, logoUrl } = merchant;
  return {
    planId,
    name,
    description,
    amount: String(plan.amount),
    interval: String(plan.intervalSeconds),
    trialPeriodSeconds: String(plan.trialPeriodSeconds),
    mint,
    merchant: { companyName, logoUrl },
  };
}
