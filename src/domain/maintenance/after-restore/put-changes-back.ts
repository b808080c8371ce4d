import type { AppContext } from '../../../app.ts';
import { BillingError } from '../../../errors.ts';
import type { Environment, Subscription } from '../../../generated/prisma/client.ts';
import { WAIVER_CHANGES } from '../../../jobs/catalog.ts';
import { type KeptChange, keptChanges } from '../../../jobs/kept-changes.ts';
import { revokeApiKey } from '../../accounts/api-key/revoke-api-key.ts';
import { cancelSubscription } from '../../billing/lifecycle/cancel-subscription.ts';
import { restoreWaivers } from '../../billing/waive/restore-waivers.ts';

/**
 * Revokes the keys again whose revocation the database lost.
 *
 * @throws errors of the database or the store of the jobs
 */
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
 *
 * @throws errors of the database or the store of the jobs
 */
export async function putCancellationsBack(ctx: AppContext, environment: Environment): Promise<void> {
  for (const change of await keptChanges(ctx)) {
    const { id, kind, when = 'PERIOD_END', byCustomer = false } = change;
    if (change.environment !== environment || kind !== 'subscription.cancelled') continue;
    const subscription = await findChanged(ctx, change);
    if (!subscription) continue;
    const { customerId, walletAddress, merchantId } = subscription;
    const actor = byCustomer ? ({ kind: 'CUSTOMER', id: customerId, walletAddress } as const) : undefined;
    const scope = { merchantId, environment, actor };
    await putBack(ctx, change, () => cancelSubscription(ctx, scope, { subscription: id, when }));
  }
}

/**
 * Makes the pauses and other waivers again that the database lost: nobody who was told so is charged. They come
 * before cancellations, because a cancelled subscription takes none.
 *
 * @throws errors of the database or the store of the jobs
 */
export async function putWaiversBack(ctx: AppContext, environment: Environment): Promise<void> {
  for (const change of await keptChanges(ctx)) {
    const kind = WAIVER_CHANGES.find((each) => each === change.kind);
    if (change.environment !== environment || !kind || !(await findChanged(ctx, change))) continue;
    await putBack(ctx, change, () => restoreWaivers(ctx, change, { ...change, kind }));
  }
}

/** The subscription of a kept change that the database lost; undefined if the change is there. */
async function findChanged(
  { db, log }: AppContext,
  { id, kind, merchantId, environment, at }: KeptChange,
): Promise<Subscription | undefined> {
  // The change and its entry in the audit log were one transaction.
  const entry = { merchantId, targetId: id, action: kind, createdAt: { gte: new Date(at) } };
  if ((await db.auditEntry.count({ where: entry })) > 0) return undefined;
  const subscription = await db.subscription.findFirst({ where: { id, merchantId, environment } });
  if (subscription) return subscription;
  log.error({ kind, id }, 'change not put back: the plan or checkout of the lost time is not known');
  return undefined;
}

/**
 * Makes a change again. One that the rules refuse must not stop the others, nor collection. After any
 * other error the whole put-back is tried again, and nothing is collected until then.
 */
async function putBack(
  ctx: AppContext,
  { kind, id }: KeptChange,
  change: () => Promise<unknown>,
): Promise<void> {
  try {
    await change();
    ctx.log.warn({ kind, id }, 'change put back that the database had lost');
  } catch (err) {
    if (!(err instanceof BillingError)) throw err;
    ctx.log.error({ err, kind, id }, 'change not put back that the database had lost');
  }
}
