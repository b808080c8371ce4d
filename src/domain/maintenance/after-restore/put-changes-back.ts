import type { AppContext } from '../../../app.ts';
import { isDataError } from '../../../db/is-data-error.ts';
import { BillingError, notFound } from '../../../errors.ts';
import type { Subscription } from '../../../generated/prisma/client.ts';
import { WAIVER_CHANGES } from '../../../jobs/catalog.ts';
import type { KeptChange } from '../../../jobs/kept-changes.ts';
import { revokeApiKey } from '../../accounts/api-key/revoke-api-key.ts';
import { cancelSubscription } from '../../billing/lifecycle/cancel-subscription.ts';
import { restoreWaivers } from '../../billing/waive/restore-waivers.ts';
import { isRecorded } from '../../kernel/audit-log/is-recorded.ts';

/** A kept change that could not be made again. The operator decides about it. */
export interface NotPutBack extends Pick<KeptChange, 'kind' | 'id' | 'merchantId'> {
  readonly reason: string;
}

/**
 * Revokes the keys again whose revocation the database lost.
 *
 * @param kept of one environment
 * @throws errors of the database
 */
export function putRevocationsBack(ctx: AppContext, kept: readonly KeptChange[]): Promise<NotPutBack[]> {
  return putBack(ctx, kept, ['api_key.revoked'], async (change) => {
    const { id, merchantId, environment } = change;
    const lost = { id, merchantId, environment, revokedAt: null };
    if ((await ctx.db.apiKey.count({ where: lost })) === 0) return false;
    await revokeApiKey(ctx, change, change);
    return true;
  });
}

/**
 * Cancels the subscriptions again whose cancellation the database lost: the customer or the merchant
 * was told that it is done. One that was lost together with its undoing stays as it is.
 *
 * @param kept of one environment
 * @throws errors of the database
 */
export function putCancellationsBack(ctx: AppContext, kept: readonly KeptChange[]): Promise<NotPutBack[]> {
  return putBack(ctx, kept, ['subscription.cancelled'], async (change) => {
    if (await isRecorded(ctx, change)) return false;
    const { id, environment, when = 'PERIOD_END', byCustomer = false } = change;
    const { customerId, walletAddress, merchantId } = await findSubscription(ctx, change);
    const actor = byCustomer ? ({ kind: 'CUSTOMER', id: customerId, walletAddress } as const) : undefined;
    await cancelSubscription(ctx, { merchantId, environment, actor }, { subscription: id, when });
    return true;
  });
}

/**
 * Makes the pauses and other waivers again that the database lost: nobody who was told so is charged. They come
 * before cancellations, because a cancelled subscription takes none.
 *
 * @param kept of one environment
 * @throws errors of the database
 */
export function putWaiversBack(ctx: AppContext, kept: readonly KeptChange[]): Promise<NotPutBack[]> {
  return putBack(ctx, kept, WAIVER_CHANGES, async (change) => {
    await findSubscription(ctx, change);
    return restoreWaivers(ctx, change);
  });
}

/** @throws BillingError not_found */
async function findSubscription(
  { db }: AppContext,
  { id, merchantId, environment }: KeptChange,
): Promise<Subscription> {
  const subscription = await db.subscription.findFirst({ where: { id, merchantId, environment } });
  if (!subscription) throw notFound('subscription: its plan or checkout is lost too');
  return subscription;
}

/**
 * Makes kept changes of some kinds again. One that the rules or the database refuse must not stop collection: it
 * is returned. After any other error the put-back is tried again, and nothing is collected until then, but
 * the other changes are made.
 *
 * @param put returns whether the database had lost the change
 */
async function putBack(
  ctx: AppContext,
  kept: readonly KeptChange[],
  kinds: readonly KeptChange['kind'][],
  put: (change: KeptChange) => Promise<boolean>,
): Promise<NotPutBack[]> {
  const refused: NotPutBack[] = [];
  const errors: unknown[] = [];
  for (const change of kept.filter(({ kind }) => kinds.includes(kind))) {
    const { kind, id, merchantId } = change;
    try {
      if (await put(change)) ctx.log.warn({ kind, id }, 'change put back that the database had lost');
    } catch (err) {
      ctx.log.error({ err, kind, id }, 'change not put back that the database had lost');
      const reason = refusalOf(err);
      if (reason === undefined) errors.push(err);
      else refused.push({ kind, id, merchantId, reason });
    }
  }
  for (const error of errors) throw error;
  return refused;
}

/** Why a change is refused for good; undefined if it may succeed later. */
function refusalOf(error: unknown): string | undefined {
  if (error instanceof BillingError) return error.message;
  return isDataError(error) ? 'It does not fit what the database has.' : undefined;
}
