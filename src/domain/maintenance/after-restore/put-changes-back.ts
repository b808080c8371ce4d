import type { AppContext } from '../../../app.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import { type KeptChange, keptChanges } from '../../../jobs/kept-changes.ts';
import { revokeApiKey } from '../../accounts/api-key/revoke-api-key.ts';
import { cancelSubscription } from '../../billing/lifecycle/cancel-subscription.ts';

/** Revokes the keys again whose revocation the database lost. */
export async function putRevocationsBack(ctx: AppContext, environment: Environment): Promise<void> {
  for (const change of await keptChanges(ctx)) {
    if (change.environment !== environment || change.kind !== 'api_key.revoked') continue;
    const lost = { id: change.id, merchantId: change.merchantId, environment, revokedAt: null };
    if ((await ctx.db.apiKey.count({ where: lost })) === 0) continue;
    await putBack(ctx, change, () => revokeApiKey(ctx, change, change));
  }
}

/**
 * Cancels the subscriptions again whose cancellation the database lost: the customer or the merchant
 * was told that it is done. One that was lost together with its undoing stays as it is.
 */
export async function putCancellationsBack(ctx: AppContext, environment: Environment): Promise<void> {
  const changes = (await keptChanges(ctx)).filter(
    (change) => change.environment === environment && change.kind !== 'api_key.revoked',
  );
  // The newest of each subscription.
  for (const change of new Map(changes.map((each) => [each.id, each])).values()) {
    const { id, kind, merchantId, when = 'PERIOD_END', byCustomer = false, at } = change;
    if (kind !== 'subscription.cancelled') continue;
    // The change and its entry in the audit log were one transaction.
    const entry = { merchantId, targetId: id, action: kind, createdAt: { gte: new Date(at) } };
    if ((await ctx.db.auditEntry.count({ where: entry })) > 0) continue;
    const subscription = await ctx.db.subscription.findFirst({ where: { id, merchantId, environment } });
    // A plan or checkout of the lost time is not known.
    if (!subscription) continue;
    const { customerId, walletAddress } = subscription;
    const actor = byCustomer ? ({ kind: 'CUSTOMER', id: customerId, walletAddress } as const) : undefined;
    const scope = { merchantId, environment, actor };
    await putBack(ctx, change, () => cancelSubscription(ctx, scope, { subscription: id, when }));
  }
}

/** One change that cannot be made must not stop the others, nor collection. */
async function putBack(
  ctx: AppContext,
  { kind, id }: KeptChange,
  change: () => Promise<unknown>,
): Promise<void> {
  try {
    await change();
    ctx.log.warn({ kind, id }, 'change put back that the database had lost');
  } catch (err) {
    ctx.log.error({ err, kind, id }, 'change not put back that the database had lost');
  }
}
