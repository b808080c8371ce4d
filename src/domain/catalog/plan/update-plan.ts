import type { AppContext } from '../../../app.ts';
import type { DbTransaction } from '../../../db/db.ts';
import type { Plan, RetryPolicy } from '../../../generated/prisma/client.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { changedFields } from '../../kernel/audit-log/changed-fields.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { type Feature, featureRows, featuresText, validFeatures } from './features.ts';
import { getPlan } from './get-plan.ts';
import { validGrace } from './grace.ts';
import { validCollectWithin, validMaxPaused } from './plan-terms.ts';
import { type PlanTexts, validPlanTexts } from './plan-texts.ts';
import { publishPlans } from './publish-plans.ts';
import { validRetryPolicy } from './retry-policy.ts';

/** What can be changed of a plan. Omitted fields stay unchanged. */
export interface PlanChanges extends Partial<PlanTexts> {
  /** All features of the plan. They reach its running subscribers at once. */
  readonly features?: readonly Feature[] | undefined;
  /** Seconds of grace after a failed payment; null for the setting of the environment. */
  readonly graceSeconds?: number | null | undefined;
  /** How failed payments are retried. It applies from the next failure on. */
  readonly retryPolicy?: RetryPolicy | undefined;
  /** The most periods for which a customer may pause at a time, from 0 (not at all) to 12. */
  readonly maxPausedPeriods?: number | undefined;
  /**
   * Seconds after a due date within which each of its payments is first attempted. It applies to due dates that
   * are set later: the next attempt of a subscription stays as it is.
   */
  readonly collectWithinSeconds?: number | undefined;
}

/**
 * Changes what is not on chain of a plan: its texts and picture, its features and its grace, how failed
 * payments are retried, how long its customers may pause, and the time over which payments are spread.
 * A new grace applies to payments that fail for the last time later.
 *
 * @throws BillingError not_found, param `planId`; invalid_request, param `name`, `description`,
 *   `imageUrl`, `features`, `graceSeconds`, `retryPolicy`, `maxPausedPeriods` or `collectWithinSeconds`
 */
export async function updatePlan(
  ctx: Pick<AppContext, 'db' | 'clock' | 'live' | 'jobs' | 'log'>,
  scope: ActingScope,
  planId: string,
  { features, graceSeconds, maxPausedPeriods, retryPolicy, collectWithinSeconds, ...texts }: PlanChanges,
): Promise<Plan> {
  const wanted = features && validFeatures(features);
  const plan = await getPlan(ctx, scope, planId);
  const { id } = plan;
  const data = {
    ...validPlanTexts(texts),
    ...(graceSeconds !== undefined && {
      graceSeconds: graceSeconds === null ? null : validGrace(graceSeconds),
    }),
    ...(maxPausedPeriods !== undefined && { maxPausedPeriods: validMaxPaused(maxPausedPeriods) }),
    ...(retryPolicy !== undefined && { retryPolicy: validRetryPolicy(retryPolicy, plan) }),
    ...(collectWithinSeconds !== undefined && {
      collectWithinSeconds: validCollectWithin(collectWithinSeconds, plan.intervalSeconds),
    }),
  };
  const changed = await ctx.db.$transaction(async (tx) => {
    // Two changes of one plan run one after the other.
    await tx.$executeRaw`SELECT FROM "Plan" WHERE "id" = ${id}::uuid FOR UPDATE`;
    const before = await tx.plan.findUniqueOrThrow({ where: { id }, include: { features: ORDERED } });
    const changes = changedFields(
      { ...before, features: featuresText(before.features) },
      { ...data, ...(wanted && { features: featuresText(wanted) }) },
    );
    if (Object.keys(changes).length === 0) return undefined;
    await recordAudit(ctx, tx, scope, { action: 'plan.updated', targetId: planId, changes });
    if (wanted && 'features' in changes) await replaceFeatures(tx, before, wanted);
    const { maxCollectWithinSeconds: most } = before;
    const maxCollectWithinSeconds = Math.max(most, data.collectWithinSeconds ?? 0);
    return tx.plan.update({ where: { id }, data: { ...data, maxCollectWithinSeconds } });
  });
  if (!changed) return getPlan(ctx, scope, planId);
  await publishPlans(ctx, [changed]);
  if (wanted) await refreshSoon(ctx);
  return changed;
}

const ORDERED = { orderBy: { key: 'asc' } } as const;

/** Replaces the features, and marks the states of the plan's customers for a refresh. */
async function replaceFeatures(
  tx: DbTransaction,
  { id: planId, merchantId, environment }: Plan,
  features: readonly Feature[],
): Promise<void> {
  await tx.planFeature.deleteMany({ where: { planId } });
  await tx.planFeature.createMany({
    data: featureRows(features).map((feature) => ({ planId, ...feature })),
  });
  // An earlier mark begins again with these features.
  await tx.stateRefresh.deleteMany({ where: { planId } });
  await tx.stateRefresh.create({ data: { merchantId, environment, planId } });
}

/** Refreshes the marked states now. Never rejects: the scheduler does it every 15 seconds. */
async function refreshSoon({ jobs, log }: Pick<AppContext, 'jobs' | 'log'>): Promise<void> {
  const deduplication = { id: 'asked', keepLastIfActive: true };
  await jobs
    .add('states.refresh', {}, { deduplication })
    .catch((err: unknown) => log.warn({ err }, 'states not refreshed: the scheduler will refresh them'));
}
