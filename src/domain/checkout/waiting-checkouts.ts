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
  const rows = await db.$queryRaw<{ plan: string; wallet: string }[]>`
    SELECT DISTINCT k."plan", k."wallet"
    FROM unnest(
        ${candidates.map(({ account }) => account.plan)}::text[],
        ${candidates.map(({ account }) => account.subscriber)}::text[]
      ) AS k("plan", "wallet")
      JOIN "Plan" p ON p."environment" = ${environment}::"Environment" AND p."address" = k."plan"
      JOIN "CheckoutSession" c ON c."planId" = p."id"
        AND (c."walletAddress" = k."wallet" OR c."earlierWallets" @> ARRAY[k."wallet"])
    WHERE c."status" IN ('OPEN', 'EXPIRED')`;
  const waiting = new Set(rows.map(({ plan, wallet }) => `${plan} ${wallet}`));
  return candidates.filter(({ account }) => waiting.has(`${account.plan} ${account.subscriber}`));
}
