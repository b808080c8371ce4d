import { type Address, address } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { mapConcurrently } from '../../../async/map-concurrently.ts';
import { readAccounts } from '../../../chain/accounts/read-accounts.ts';
import {
  MAX_RECEIVING_ACCOUNTS,
  type ReceivedAsset,
  receivingAddresses,
} from '../../../chain/accounts/receiving-accounts.ts';
import type { Chain } from '../../../chain/chain.ts';
import { type ChainTransaction, readTransaction } from '../../../chain/rpc/chain-transaction.ts';
import { historySince } from '../../../chain/rpc/history-since.ts';
import { memosOf } from '../../../chain/transactions/memo.ts';
import { sendsFrom } from '../../../chain/transactions/refund-transactions.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import { refundIdIn } from '../../billing/refund/refund-terms.ts';
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
      const [wallet, program] = [address(merchant.walletAddress), address(tokenProgram)];
      const asset = { owner: wallet, mint: address(mint), tokenProgram: program };
      for (const account of await sendingAccounts(chain, asset)) {
        const sender = { account, owner: wallet, tokenProgram: program };
        for (const sent of await sentRefunds(chain, sender, _min.fromSlot)) {
          if (await isKnown(ctx, chain, sent)) continue;
          unknown.push({ environment: chain.environment, merchantId: owner, ...sent });
        }
      }
    }
  }
  return unknown;
}

/** The associated account, and further receiving accounts that exist: the database may have lost how many. */
async function sendingAccounts(chain: Chain, asset: ReceivedAsset): Promise<Address[]> {
  const addresses = await receivingAddresses(asset, MAX_RECEIVING_ACCOUNTS);
  const accounts = await readAccounts(chain, addresses, 'owner');
  return addresses.filter((_, index) => index === 0 || accounts[index]?.owner === asset.tokenProgram);
}

type Sender = Parameters<typeof sendsFrom>[1];
type SentRefund = Pick<UnknownRefund, 'refundId' | 'signature'>;

/** The refunds that transfers from an account name since a slot. */
async function sentRefunds(chain: Chain, sender: Sender, since: bigint): Promise<SentRefund[]> {
  const found: SentRefund[] = [];
  const history = await historySince(chain, sender.account, since);
  for await (const page of history.pages()) {
    const successful = page.filter(({ failed }) => !failed);
    const read = await mapConcurrently(successful, MAX_CONCURRENT_READS, ({ signature }) =>
      readTransaction(chain, signature),
    );
    for (const transaction of read) if (transaction) found.push(...refundsIn(transaction, sender));
  }
  return found;
}

/** Anyone may write such a memo, and name the account, so only the owner's transfers count. */
function refundsIn(transaction: ChainTransaction, sender: Sender): SentRefund[] {
  if (!sendsFrom(transaction, sender)) return [];
  return memosOf(transaction).flatMap((memo) => {
    const refundId = refundIdIn(memo);
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
