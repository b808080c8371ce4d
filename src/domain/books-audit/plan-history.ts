import type { Address } from '@solana/kit';
import type { Chain } from '../../chain/chain.ts';
import { readTransaction, type SignatureInfo, signaturePages } from '../../chain/chain-transaction.ts';
import { sideBySide } from '../../side-by-side.ts';
import { type SeenTransaction, seenTransaction } from '../payment/settle-transactions.ts';

const READS_AT_ONCE = 8;

/** Some of the transactions that name a plan. */
export interface HistoryPage {
  readonly transactions: readonly SeenTransaction[];
  /** Signatures of those that the node tells of and does not have, or that cannot be read, and why. */
  readonly unreadable: ReadonlyMap<string, string>;
}

/**
 * What the chain itself says was collected: every transaction that names the address (a plan, or a subscription), newest
 * first, as far back as the node remembers. No table of ours is asked.
 */
export async function* historyOf(chain: Chain, address: Address): AsyncGenerator<HistoryPage> {
  for await (const page of signaturePages(chain, address)) {
    const unreadable = new Map<string, string>();
    const landed = page.filter(({ failed }) => !failed);
    const read = await sideBySide(landed, READS_AT_ONCE, (info) => readOne(chain, info, unreadable));
    yield { transactions: read.flat(), unreadable };
  }
}

async function readOne(
  chain: Chain,
  { signature }: SignatureInfo,
  unreadable: Map<string, string>,
): Promise<SeenTransaction[]> {
  const transaction = await readTransaction(chain, signature);
  if (!transaction) {
    unreadable.set(signature, 'the node does not have it any more');
    return [];
  }
  try {
    return [seenTransaction(transaction)];
  } catch (error) {
    unreadable.set(signature, error instanceof Error ? error.message : String(error));
    return [];
  }
}
