import { type Address, address } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { mapConcurrently } from '../../../async/map-concurrently.ts';
import { tokenAccountAddress } from '../../../chain/accounts/addresses.ts';
import type { Chain } from '../../../chain/chain.ts';
import { type ChainTransaction, readTransaction } from '../../../chain/rpc/chain-transaction.ts';
import { historySince } from '../../../chain/rpc/history-since.ts';
import { memosOf } from '../../../chain/transactions/memo.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import { upToDate } from '../../chain-state/mirror/known-slot.ts';

const MAX_CONCURRENT_READS = 8;

/** A refund that its merchant has sent, and that the database does not know any more. */
export interface UnknownRefund {
  readonly environment: Environment;
  readonly merchantId: string;
  /** The id that the refund had, which its transaction names. */
  readonly refundId: string;
  readonly signature: string;
}

/**
 * Finds the refunds that were sent since the database may have lost rows, and have none. It reads what
 * the merchants' token accounts have sent, so wallets that leave the memo out are not found. If the
 * merchant requests such a refund again, dues finds the transfer and it is known again.
 *
 * @throws NodeBehind, and errors of the cluster or the database
 */
export async function unknownRefunds(
  ctx: Pick<AppContext, 'db' | 'chain'>,
  {
    environment,
    merchantId,
  }: { readonly environment?: Environment | undefined; readonly merchantId?: string | undefined },
): Promise<readonly UnknownRefund[]> {
  const unknown: UnknownRefund[] = [];
  for (const configuredChain of Object.values(ctx.chain)) {
    if (environment && configuredChain.environment !== environment) continue;
    const { _min } = await ctx.db.databaseTimeline.aggregate({
      where: { environment: configuredChain.environment, number: { gt: 1 } },
      _min: { fromSlot: true },
    });
    if (_min.fromSlot === null) continue;
    const chain = await upToDate(ctx, configuredChain);
    const accounts = await ctx.db.plan.findMany({
      where: { environment: chain.environment, ...(merchantId && { merchantId }) },
      distinct: ['merchantId', 'mint', 'tokenProgram'],
      include: { merchant: true },
      orderBy: { id: 'asc' },
    });
    for (const { merchantId: owner, mint, tokenProgram, merchant } of accounts) {
      const account = await tokenAccountAddress(
        address(merchant.walletAddress),
        address(mint),
        address(tokenProgram),
      );
      for (const sent of await sentRefunds(chain, account, _min.fromSlot)) {
        if (await isKnown(ctx, chain, sent)) continue;
        unknown.push({ environment: chain.environment, merchantId: owner, ...sent });
      }
    }
  }
  return unknown;
}

type SentRefund = Pick<UnknownRefund, 'refundId' | 'signature'>;

/** The refunds that transfers from an account name since a slot. */
async function sentRefunds(chain: Chain, account: Address, since: bigint): Promise<SentRefund[]> {
  const found: SentRefund[] = [];
  const history = await historySince(chain, account, since);
  for await (const page of history.pages()) {
    const successful = page.filter(({ failed }) => !failed);
    const read = await mapConcurrently(successful, MAX_CONCURRENT_READS, ({ signature }) =>
      readTransaction(chain, signature),
    );
    for (const transaction of read) if (transaction) found.push(...refundsIn(transaction, account));
  }
  return found;
}

function refundsIn(transaction: ChainTransaction, account: Address): SentRefund[] {
  // The source is the first account of each kind of transfer.
  if (!transaction.instructions.some(({ accounts }) => accounts[0] === account)) return [];
  return memosOf(transaction).flatMap((memo) => {
    const refundId = /^Refund ([0-9a-f-]{36})$/.exec(memo)?.[1];
    return refundId ? [{ refundId, signature: transaction.signature }] : [];
  });
}

async function isKnown(
  { db }: Pick<AppContext, 'db'>,
  { environment }: Chain,
  { refundId, signature }: SentRefund,
): Promise<boolean> {
  const row = await db.refund.findFirst({
    where: { OR: [{ id: refundId }, { environment, signature }] },
    select: { id: true },
  });
  return row !== null || (await db.refundExcess.count({ where: { environment, signature } })) > 0;
}
