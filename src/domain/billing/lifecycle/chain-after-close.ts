import type { AppContext } from '../../../app.ts';
import type { Chain } from '../../../chain/chain.ts';
import { unixSeconds } from '../../../chain/chain-time.ts';
import { asOf, highestSlot } from '../../../chain/rpc/as-of.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import { knownSlot } from '../../chain-state/mirror/known-slot.ts';
import { chainOf } from '../../kernel/access/chain-of.ts';

/** A subscription created longer ago is also shown by a node that is `SLOTS_BEHIND` behind. */
const RECENT_SECONDS = 600n;
/** About four minutes. */
const SLOTS_BEHIND = 600n;

/**
 * The chain for checking whether subscriptions have ended by a close, which may be observed late. A
 * node that shows the close may not show a subscription created after it. Such a node is not
 * accepted: recent subscriptions need the newest known slot. For older ones a node may be behind,
 * so that they end even if the only node is always behind.
 *
 * @param slots the slots of the closes
 * @param createdAt when the subscriptions were created on chain, in unix seconds. Their rows must
 *   be read before the call, so that the known slot is not older than they are
 */
export async function chainAfterClose(
  ctx: AppContext,
  environment: Environment,
  { slots, createdAt }: { readonly slots: readonly bigint[]; readonly createdAt: readonly bigint[] },
): Promise<Chain> {
  const known = await knownSlot(ctx, environment);
  const recentSince = unixSeconds(ctx.clock.now()) - RECENT_SECONDS;
  const isRecent = createdAt.some((time) => time > recentSince);
  return asOf(chainOf(ctx, environment), highestSlot([isRecent ? known : known - SLOTS_BEHIND, ...slots]));
}
