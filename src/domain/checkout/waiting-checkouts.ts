import type { AppContext } from '../../app.ts';
import type { SubscriptionAccount } from '../../chain/accounts.ts';
import type { Environment } from '../../generated/prisma/client.ts';

/**
 * Those of many subscriptions on chain for whose wallet and plan there is a checkout that has no subscription yet. Most have
 * none, and this asks for all of them at once.
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
      JOIN "CheckoutSession" c ON c."planId" = p."id" AND c."walletAddress" = k."wallet"
    WHERE c."status" IN ('OPEN', 'EXPIRED')`;
  const waiting = new Set(rows.map(({ plan, wallet }) => `${plan} ${wallet}`));
  return candidates.filter(({ account }) => waiting.has(`${account.plan} ${account.subscriber}`));
}
