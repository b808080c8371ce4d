// The newest slot known to any process of dues: the slot of the newest block seen by the indexer,
// or of a newer read. Reads that decide something use it as their minimum slot, so that a node that
// is behind cannot return a state older than one already seen.

import type { AppContext } from '../../../app.ts';
import type { Chain } from '../../../chain/chain.ts';
import { asOf } from '../../../chain/rpc/as-of.ts';
import type { Environment } from '../../../generated/prisma/client.ts';

/**
 * About seven minutes. A stream that is further ahead of the RPC node is not trusted, and a known
 * slot that is further ahead needs an operator.
 */
export const MAX_SLOTS_AHEAD = 1_000n;

/** Reads the newest known slot; 0 if no indexer has ever run. */
export async function knownSlot({ db }: Pick<AppContext, 'db'>, environment: Environment): Promise<bigint> {
  const row = await db.streamPosition.findUnique({ where: { environment } });
  if (!row) return 0n;
  const { slot, headSlot } = row;
  return headSlot !== null && headSlot > slot ? headSlot : slot;
}

/** Returns the chain with the newest known slot as its minimum slot. */
export async function upToDate(
  ctx: Pick<AppContext, 'db'>,
  chain: Chain,
  slotAttempts?: number,
): Promise<Chain> {
  return asOf(chain, await knownSlot(ctx, chain.environment), slotAttempts);
}

/**
 * Records the slot of an observed change, for example a top-up or a new subscription. Call it
 * before other processes act on the change.
 */
export async function recordSlot(
  { db }: Pick<AppContext, 'db'>,
  environment: Environment,
  slot: bigint,
): Promise<void> {
  await db.$executeRaw`
    UPDATE "StreamPosition" SET "headSlot" = ${slot}
    WHERE "environment" = ${environment}::"Environment" AND greatest("slot", "headSlot") < ${slot}`;
}
