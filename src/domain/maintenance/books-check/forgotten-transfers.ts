import { inChunks } from '../../../async/in-chunks.ts';
import type { Chain } from '../../../chain/chain.ts';
import { highestSlot } from '../../../chain/rpc/as-of.ts';
import { readFirstBlocks } from '../../../chain/rpc/each-node.ts';
import type { Db } from '../../../db/db.ts';
import { KEYS_PER_QUERY, keyOf, type PeriodKey, recordsOfPeriods } from './booked-payments.ts';

/** The transfers of a period that are in our ledger and older than all that a node has. */
export interface ForgottenTransfers extends PeriodKey {
  readonly amount: bigint;
  /** The signature of one of them. */
  readonly signature: string;
}

export interface Forgotten {
  /** The oldest block of the node that has the fewest; 0 if no node reports it. */
  readonly firstBlock: bigint;
  /** By `keyOf`. */
  readonly transfers: ReadonlyMap<string, ForgottenTransfers>;
}

/**
 * Finds the transfers of these periods that no answer of a node can show, because they are older
 * than its oldest block. Most providers drop old blocks.
 */
export async function forgottenTransfers(
  db: Db,
  chain: Chain,
  periods: readonly PeriodKey[],
): Promise<Forgotten> {
  const transfers = new Map<string, ForgottenTransfers>();
  const firstBlock = highestSlot(periods.length === 0 ? [] : await readFirstBlocks(chain));
  for (const chunk of inChunks(periods, KEYS_PER_QUERY)) {
    const found = await db.$queryRaw<ForgottenTransfers[]>`
      SELECT c."subscriptionAddress" AS "subscription", c."periodStart", sum(c."amount")::bigint AS "amount",
        min(c."signature") AS "signature"
      FROM ${recordsOfPeriods(chunk)} AS k
        JOIN "ChainTransfer" c ON c."environment" = ${chain.environment}::"Environment"
          AND c."subscriptionAddress" = k."subscriptionAddress" AND c."periodStart" = k."periodStart"
      WHERE c."slot" < ${firstBlock}
      GROUP BY c."subscriptionAddress", c."periodStart"`;
    for (const transfer of found) transfers.set(keyOf(transfer), transfer);
  }
  return { firstBlock, transfers };
}
