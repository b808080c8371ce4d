import type { Address } from '@solana/kit';
import { mapConcurrently } from '../../../async/map-concurrently.ts';
import type { Chain } from '../../../chain/chain.ts';
import { readTransaction, type SignatureInfo } from '../../../chain/rpc/chain-transaction.ts';
import { historySince } from '../../../chain/rpc/history-since.ts';
import { type SeenTransaction, seenTransaction } from '../../billing/settle/settle-transactions.ts';

const MAX_CONCURRENT_READS = 8;

/** A page of the transactions that name an address. */
export interface HistoryPage {
  readonly transactions: readonly SeenTransaction[];
  /** The transactions that the node no longer has or that cannot be read: signature and reason. */
  readonly unreadable: ReadonlyMap<string, string>;
}

/**
 * Reads all transactions that name an address (of a plan or a subscription), oldest first, as far
 * back as the node has them, so that payments are settled in their order. It uses no table of dues.
 *
 * @throws NodeBehind
 */
export async function* readHistory(chain: Chain, address: Address): AsyncGenerator<HistoryPage> {
  const history = await historySince(chain, address, 0n);
  for await (const page of history.pages()) {
    const unreadable = new Map<string, string>();
    const successful = page.filter(({ failed }) => !failed);
    const read = await mapConcurrently(successful, MAX_CONCURRENT_READS, (info) =>
      readSeenTransaction(chain, info, unreadable),
    );
    yield { transactions: read.flat(), unreadable };
  }
}

async function readSeenTransaction(
  chain: Chain,
  { signature }: SignatureInfo,
  unreadable: Map<string, string>,
): Promise<SeenTransaction[]> {
  const transaction = await readTransaction(chain, signature);
  if (!transaction) {
    unreadable.set(signature, 'the node no longer has it');
    return [];
  }
  try {
    return [seenTransaction(transaction)];
  } catch (error) {
    unreadable.set(signature, error instanceof Error ? error.message : String(error));
    return [];
  }
}
