import type { Address } from '@solana/kit';
import type { AppContext } from '../src/app.ts';
import { type AuthorityAccount, decodeSubscription } from '../src/chain/accounts.ts';
import { observeAuthorityClosed } from '../src/domain/subscription/observe-authorities-closed.ts';
import { COLLECTING } from '../src/domain/subscription/status.ts';
import type { Environment } from '../src/generated/prisma/client.ts';

/**
 * An authority is there. Where it was made again, what was agreed to through the one before is over: a subscription
 * names its authority by the slot that it was made in. Those slots only grow, so an old state that is seen late does no
 * harm, and authorities need no mirror.
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
    where: { environment, closed: false, address: { in: running.map((each) => each.address) } },
  });
  const older = mirrored.some(({ data }) => decodeSubscription(data).initId < initId);
  if (older) await observeAuthorityClosed(ctx, environment, { address, user, slot });
}
