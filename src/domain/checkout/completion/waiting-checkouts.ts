import type { AppContext } from '../../../app.ts';
import type { SubscriptionAccount } from '../../../chain/accounts/accounts.ts';
import type { CheckoutSession, Environment } from '../../../generated/prisma/client.ts';

/**
 * Maximum sessions of a wallet and plan that are read. Anybody can open sessions and request
 * transactions for any wallet. A customer signs within minutes, so the newest sessions are read.
 */
export const MAX_WAITING_SESSIONS = 1_000;

/** A session that waits for a subscription. */
export type WaitingSession = Pick<
  CheckoutSession,
  'id' | 'customerEmail' | 'customerId' | 'expiresAt' | 'priceId' | 'discountId'
>;

/**
 * The sessions without a subscription in which a transaction was requested for the wallet, newest
 * first.
 *
 * @param from sessions that expired before this time are left out
 */
export function listWaitingSessions(
  { db }: Pick<AppContext, 'db'>,
  { planId, wallet, from }: { readonly planId: string; readonly wallet: string; readonly from?: Date },
): Promise<WaitingSession[]> {
  return db.checkoutSession.findMany({
    where: {
      planId,
      OR: [{ walletAddress: wallet }, { earlierWallets: { has: wallet } }],
      status: { in: ['OPEN', 'EXPIRED'] },
      ...(from && { expiresAt: { gte: from } }),
    },
    orderBy: { createdAt: 'desc' },
    take: MAX_WAITING_SESSIONS,
    select: {
      id: true,
      customerEmail: true,
      customerId: true,
      expiresAt: true,
      priceId: true,
      discountId: true,
    },
  });
}

/**
 * The subscriptions whose wallet and plan have a checkout session without a subscription. Most have
 * none, so one query checks all of them.
 */
export async function withWaitingCheckout<
  T extends { readonly account: Pick<SubscriptionAccount, 'subscriber' | 'plan'> },
>({ db }: Pick<AppContext, 'db'>, environment: Environment, candidates: readonly T[]): Promise<T[]> {
  if (candidates.length === 0) return [];
  const wallets = candidates.map(({ account }) => account.subscriber);
  // Two lookups, because PostgreSQL may read all sessions for one with OR. The first stops at one
  // session of each wallet. The second may also return other candidates that a session names.
  const rows = await db.$queryRaw<{ plan: string; wallet: string }[]>`
    SELECT k."plan", k."wallet"
    FROM unnest(${candidates.map(({ account }) => account.plan)}::text[], ${wallets}::text[]) AS k("plan", "wallet")
      JOIN "Plan" p ON p."environment" = ${environment}::"Environment" AND p."address" = k."plan"
    WHERE EXISTS (SELECT FROM "CheckoutSession" c
      WHERE c."planId" = p."id" AND c."walletAddress" = k."wallet" AND c."status" IN ('OPEN', 'EXPIRED'))
    UNION
    SELECT p."address", asked."wallet"
    FROM "CheckoutSession" c
      JOIN "Plan" p ON p."id" = c."planId" AND p."environment" = ${environment}::"Environment"
      CROSS JOIN unnest(c."earlierWallets") AS asked("wallet")
    WHERE c."earlierWallets" && ${wallets}::text[] AND c."status" IN ('OPEN', 'EXPIRED')
      AND asked."wallet" = ANY (${wallets}::text[])`;
  const waiting = new Set(rows.map(({ plan, wallet }) => `${plan} ${wallet}`));
  return candidates.filter(({ account }) => waiting.has(`${account.plan} ${account.subscriber}`));
}
