import type { AppContext } from '../../../app.ts';
import type { WAIVER_CHANGES } from '../../../jobs/catalog.ts';
import { KEPT_MS, keepChange, keepsChanges } from '../../../jobs/kept-changes.ts';
import type { Scope } from '../../kernel/access/scope.ts';

/**
 * Keeps the waivers of a subscription after a change outside the database, also those that ended within the
 * time for which changes are kept. Without a waiver nothing is kept.
 *
 * @param change.id our id of the subscription
 * @param change.at a time before the change
 */
export async function keepWaivers(
  ctx: AppContext,
  { merchantId, environment }: Scope,
  {
    kind,
    id,
    at,
  }: { readonly kind: (typeof WAIVER_CHANGES)[number]; readonly id: string; readonly at: Date },
): Promise<void> {
  if (!keepsChanges(ctx)) return;
  const since = new Date(at.getTime() - KEPT_MS);
  const waivers = await ctx.db.waiver.findMany({
    where: { subscriptionId: id, OR: [{ endedAt: null }, { endedAt: { gte: since } }] },
    select: {
      ...{ id: true, kind: true, fromIndex: true, untilIndex: true, keepsAccess: true, actor: true },
      endedAt: true,
    },
  });
  if (waivers.length === 0) return;
  const kept = waivers.map(({ endedAt, ...waiver }) => ({ ...waiver, hasEnded: endedAt !== null }));
  await keepChange(ctx, { kind, merchantId, environment, id, waivers: kept, at });
}
