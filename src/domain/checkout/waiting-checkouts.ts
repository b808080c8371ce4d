import type { AppContext } from '../../app.ts';
import type { SubscriptionAccount } from '../../chain/accounts/accounts.ts';
import type { Environment } from '../../generated/prisma/client.ts';

/**
 * The subscriptions whose wallet and plan have a checkout session without a subscription. Most have
 * none, so one query checks all of them.
 */
export async function withWaitingCheckout<
  T extends { readonly account: Pick<SubscriptionAccount, 'subscriber' | 'plan'> },
>({ db }: Pick<AppContext, 'db'>, environment: Environment, candidates: readonly T[]): Promise<T[]> {
  if (candidates.length === 0) return [];
  const wallets = candidates.map(({ account }) => account.subscriber);
  // Two lookups: for one with OR the database may read all sessions. The second one may find other
  // wallets of a session too.
  const rows = await db.$queryRaw<{ plan: string; wallet: string }[]>`
    SELECT k."plan", k."wallet"
    FROM unnest(${candidates.map(({ account }) => account.plan)}::text[], ${wallets}::text[]) AS k("plan", "wallet")
      JOIN "Plan" p ON p."environment" = ${environment}::"Environment" AND p."address" = k."plan"
      JOIN "CheckoutSession" c ON c."planId" = p."id" AND c."walletAddress" = k."wallet"
    WHERE c."status" IN ('OPEN', 'EXPIRED')
    UNION
    SELECT p."address", asked."wallet"
    FROM "CheckoutSession" c
      JOIN "Plan" p ON p."id" = c."planId" AND p."environment" = ${environment}::"Environment"
      CROSS JOIN unnest(c."earlierWallets") AS asked("wallet")
    WHERE c."earlierWallets" && ${wallets}::text[] AND c."status" IN ('OPEN', 'EXPIRED')`;
  const waiting = new Set(rows.map(({ plan, wallet }) => `${plan} ${wallet}`));
  return candidates.filter(({ account }) => waiting.has(`${account.plan} ${account.subscriber}`));
}
