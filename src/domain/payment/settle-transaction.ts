import type { AppContext } from '../../app.ts';
import type { ChainTransaction } from '../../chain/chain-transaction.ts';
import { decodeEvents } from '../../chain/events.ts';
import type { Environment } from '../../generated/prisma/client.ts';
import { dateOf } from './billable.ts';
import { settleTransfer } from './settle-transfer.ts';

/** Books every transfer that the transaction made; one that failed made none. Answers with how many there were. */
export async function settleTransactionTransfers(
  ctx: AppContext,
  environment: Environment,
  transaction: ChainTransaction,
): Promise<number> {
  const { signature, slot, blockTime } = transaction;
  const at = blockTime === null ? null : dateOf(blockTime);
  let transfers = 0;
  for (const event of decodeEvents(transaction)) {
    if (event.type !== 'transfer') continue;
    transfers += 1;
    await settleTransfer(ctx, environment, { ...event, signature, slot, at });
  }
  return transfers;
}
