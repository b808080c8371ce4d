import type { Address } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { unixSeconds } from '../../../chain/chain-time.ts';
import { asRows } from '../../../db/bulk.ts';
import type { CheckoutSession, Environment, Plan } from '../../../generated/prisma/client.ts';
import { afterCommit, inTransaction } from '../../../jobs/in-transaction.ts';
import { countDuplicateSubscription } from '../../../observability/metrics/counters.ts';
import { chainOf } from '../../kernel/access/chain-of.ts';
import { metadataOf } from '../../kernel/input/metadata-of.ts';
import { notifyRelay } from '../../messages/event/notify-relay.ts';
import { recordEvent } from '../../messages/event/record-event.ts';
import { CreationHidden, findCreation, type SeenOnChain } from '../proof/account-creation.ts';
import { madeFor } from '../proof/session-memo.ts';

/** Maximum completed sessions that are compared with one new subscription, the newest ones. */
const MAX_SESSIONS = 50;
/** A node lists a transaction at most this much later. */
const MAX_LISTING_SECONDS = 10n * 60n;

/** A new subscription whose wallet requested a transaction of sessions that others completed. */
export interface PossibleDuplicate {
  readonly seen: SeenOnChain;
  readonly sessions: readonly (CheckoutSession & { readonly plan: Plan })[];
}

/**
 * The subscriptions whose wallet and plan have a checkout session that another wallet completed,
 * without those that are recorded.
 */
export async function findPossibleDuplicates(
  { db }: Pick<AppContext, 'db'>,
  environment: Environment,
  candidates: readonly SeenOnChain[],
): Promise<PossibleDuplicate[]> {
  if (candidates.length === 0) return [];
  const rows = candidates.map(({ address, account: { subscriber, plan } }) => ({
    address,
    wallet: subscriber,
    plan,
  }));
  const found = await db.$queryRaw<{ address: Address; sessionId: string }[]>`
    SELECT r."address", c."id" AS "sessionId"
    FROM jsonb_to_recordset(${asRows(rows)}::jsonb) AS r("address" text, "wallet" text, "plan" text)
      JOIN "Plan" p ON p."environment" = ${environment}::"Environment" AND p."address" = r."plan"
      CROSS JOIN LATERAL (
        SELECT c."id", c."completedAt" FROM "CheckoutSession" c
        WHERE c."planId" = p."id" AND c."status" = 'COMPLETED' AND c."earlierWallets" @> ARRAY[r."wallet"]
        ORDER BY c."completedAt" DESC LIMIT ${MAX_SESSIONS}) AS c
    WHERE NOT EXISTS (
      SELECT FROM "DuplicateSubscription" d
      WHERE d."environment" = ${environment}::"Environment" AND d."address" = r."address")`;
  const sessionIds = Map.groupBy(found, ({ address }) => address);
  const sessions = await db.checkoutSession.findMany({
    where: { id: { in: found.map(({ sessionId }) => sessionId) } },
    include: { plan: true },
  });
  const byId = new Map(sessions.map((session) => [session.id, session]));
  return candidates.flatMap((seen) => {
    const own = (sessionIds.get(seen.address) ?? []).flatMap(({ sessionId }) => byId.get(sessionId) ?? []);
    return own.length > 0 ? [{ seen, sessions: own }] : [];
  });
}

/**
 * Records a subscription that a further wallet created for a checkout session which another wallet
 * has completed. Such a subscription is never collected; its wallet can cancel and close it.
 */
export async function recordIfDuplicate(
  ctx: AppContext,
  environment: Environment,
  { seen, sessions }: PossibleDuplicate,
): Promise<void> {
  const [first] = sessions;
  if (!first) return;
  try {
    const creation = await findCreation(chainOf(ctx, environment), first.plan, seen);
    if (!creation) {
      const message = `No transaction found that created the subscription ${seen.address}`;
      const ageSeconds = unixSeconds(ctx.clock.now()) - seen.account.periodStart;
      // The update is applied again later. A node that lacks an old transaction does not get it.
      if (ageSeconds <= MAX_LISTING_SECONDS) throw new Error(message);
      throw new CreationHidden(message);
    }
    const session = sessions.find(({ id }) => madeFor(creation.transaction, id) === 'this');
    if (session) await recordDuplicate(ctx, session.id, { ...seen, signature: creation.signature });
  } catch (err) {
    // A hidden transaction stays hidden.
    if (!(err instanceof CreationHidden)) throw err;
    ctx.log.warn({ err }, 'subscription of a completed checkout not compared');
  }
}

/** A subscription on chain, and the transaction that created it. */
export interface CreatedOnChain {
  readonly address: Address;
  readonly account: Pick<SeenOnChain['account'], 'subscriber'>;
  readonly signature: string;
}

/** Records one such subscription, with its event, once. */
export async function recordDuplicate(
  ctx: AppContext,
  sessionId: string,
  { address, account: { subscriber: walletAddress }, signature }: CreatedOnChain,
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const session = await tx.checkoutSession.findUniqueOrThrow({
      where: { id: sessionId },
      include: { plan: true, subscription: { include: { customer: true } } },
    });
    const { merchantId, environment, plan, subscription } = session;
    if (!subscription || subscription.address === address) return;
    // Locked like for every event of a subscription, so that its events stay in order.
    await tx.$executeRaw`SELECT FROM "Subscription" WHERE "id" = ${subscription.id}::uuid FOR NO KEY UPDATE`;
    const createdAt = ctx.clock.now();
    const row = { environment, address, merchantId, planId: plan.id, sessionId, walletAddress };
    const { count } = await tx.duplicateSubscription.createMany({
      data: [{ ...row, signature, createdAt }],
      skipDuplicates: true,
    });
    if (count === 0) return;
    const { email, customerId } = subscription.customer;
    await recordEvent(tx, {
      merchantId,
      environment,
      type: 'checkout.subscribed_again',
      subscriptionId: subscription.id,
      data: {
        sessionId,
        subscriptionId: subscription.address,
        planId: plan.planId,
        customer: { email, customerId, walletAddress: subscription.walletAddress },
        duplicateSubscriptionId: address,
        duplicateWalletAddress: walletAddress,
        signature,
        metadata: metadataOf(session),
      },
      at: createdAt,
    });
    afterCommit(tx, (context) => {
      countDuplicateSubscription(environment);
      context.log.warn(
        { environment, address, wallet: walletAddress, subscription: subscription.address },
        'two wallets subscribed for one checkout session: the second is not collected',
      );
      return notifyRelay(context);
    });
  });
}
