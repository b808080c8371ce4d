import type { AppContext } from '../../../app.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { MAX_TOTAL } from '../../kernel/paging/numbered-page.ts';
import { type Feature, validFeatures } from './features.ts';
import { getPlan } from './get-plan.ts';

/** What a change of a plan's features would do. */
export interface FeaturesPreview {
  readonly planId: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Keys with another limit. */
  readonly changed: readonly string[];
  /** The number of the plan's subscriptions that give access now, counted up to `MAX_TOTAL`. */
  readonly subscriptionCount: number;
}

/**
 * Says what a change of a plan's features would do, and changes nothing.
 *
 * @throws BillingError not_found, param `planId`; invalid_request, param `features`
 */
export async function previewFeatures(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  scope: Scope,
  planId: string,
  features: readonly Feature[],
): Promise<FeaturesPreview> {
  const { id } = await getPlan(ctx, scope, planId);
  const wanted = new Map(validFeatures(features).map(({ key, limit }) => [key, limit ?? null]));
  const rows = await ctx.db.planFeature.findMany({ where: { planId: id }, orderBy: { key: 'asc' } });
  const before = new Map(rows.map(({ key, limit }) => [key, limit === null ? null : Number(limit)]));
  const added = [...wanted.keys()].filter((key) => !before.has(key)).sort();
  const removed = [...before.keys()].filter((key) => !wanted.has(key));
  const changed = [...before.keys()].filter((key) => wanted.has(key) && wanted.get(key) !== before.get(key));
  const [count] = await ctx.db.$queryRaw<{ total: number }[]>`
    SELECT count(*)::int AS "total" FROM (
      SELECT FROM "Subscription" WHERE "planId" = ${id}::uuid
        AND ("status" IN ('ACTIVE', 'PAST_DUE') OR "accessUntil" > ${ctx.clock.now()}) LIMIT ${MAX_TOTAL}) AS "open"`;
  return { planId, added, removed, changed, subscriptionCount: count?.total ?? 0 };
}
