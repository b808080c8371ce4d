import type { Address } from '@solana/kit';
import { mapConcurrently } from '../../async/map-concurrently.ts';
import type { Chain } from '../../chain/chain.ts';
import { readTransaction, type SignatureInfo, signaturePages } from '../../chain/rpc/chain-transaction.ts';
import { type SeenTransaction, seenTransaction } from '../billing/settle/settle-transactions.ts';

const MAX_CONCURRENT_READS = 8;

/** A page of the transactions that name an address. */
export interface HistoryPage {
  readonly transactions: readonly SeenTransaction[];
  /** The transactions that the node no longer has or that cannot be read: signature and reason. */
  readonly unreadable: ReadonlyMap<string, string>;
}

/**
 * Reads all transactions that name an address (of a plan or a subscription), newest first, as far
 * back as the node has them. It uses no table of dues.
 */
export async function* readHistory(chain: Chain, address: Address): AsyncGenerator<HistoryPage> {
  for await (const page of signaturePages(chain, address)) {
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
