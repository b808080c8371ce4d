import type { Address } from '@solana/kit';
import type { AppContext } from '../../src/app.ts';
import { type AuthorityAccount, decodeSubscription } from '../../src/chain/accounts/accounts.ts';
import { COLLECTING } from '../../src/domain/billing/book/status.ts';
import { observeAuthorityClosed } from '../../src/domain/billing/lifecycle/observe-authorities-closed.ts';
import type { Environment } from '../../src/generated/prisma/client.ts';

/**
 * Applies an existing authority. If it was created again, the subscriptions that were paid through
 * the previous one end: a subscription names the slot in which its authority was created. These
 * slots only grow, so an old state that is seen late is harmless, and authorities need no mirror.
 */
export async function applyAuthority(
  ctx: AppContext,
  environment: Environment,
  { address, slot }: { readonly address: Address; readonly slot: bigint },
  { user, mint, initId }: AuthorityAccount,
): Promise<void> {
  const running = await ctx.db.subscription.findMany({
    where: { environment, walletAddress: user, plan: { mint }, status: { in: [...COLLECTING] } },
    select: { address: true },
  });
  if (running.length === 0) return;
  const mirrored = await ctx.db.chainAccount.findMany({
    where: {
      environment,
      closed: false,
      address: { in: running.map((subscription) => subscription.address) },
    },
  });
  const isReplaced = mirrored.some(({ data }) => decodeSubscription(data).initId < initId);
  if (isReplaced) await observeAuthorityClosed(ctx, environment, { address, user, slot });
}
