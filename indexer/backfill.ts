import { PROGRAM } from '../src/chain/addresses.ts';
import { readTransaction, type SignatureInfo, signaturesFor } from '../src/chain/chain-transaction.ts';
import { inChunks } from '../src/in-chunks.ts';
import type { Mirror } from './mirror.ts';

const FIRST_LOOK = 100;
const READS_SIDE_BY_SIDE = 8;
/** Nodes index signatures a little later than they confirm blocks: about a minute is looked at again. */
const OVERLAP_SLOTS = 150n;

/**
 * Applies the program's transactions since a slot, as a node tells of them: the ledger has no snapshot, a transfer that
 * was missed is found only by its transaction. Oldest first, those taken not long ago left out. Answers with the slot of
 * the newest one; undefined where there was none.
 *
 * @throws where the cluster does not answer, or the mirror has been stopped
 */
export async function backfillTransactions(mirror: Mirror, since: bigint): Promise<bigint | undefined> {
  const missed = await signaturesSince(mirror, since - OVERLAP_SLOTS);
  for (const some of inChunks(missed, READS_SIDE_BY_SIDE)) {
    const done = await Promise.all(some.map((info) => takeBySignature(mirror, info)));
    if (!done.every(Boolean)) throw new Error('The mirror has been stopped');
  }
  return missed.at(-1)?.slot;
}

async function signaturesSince(mirror: Mirror, since: bigint): Promise<SignatureInfo[]> {
  for (let limit = FIRST_LOOK; ; limit *= 10) {
    const newestFirst = await signaturesFor(mirror.chain, PROGRAM, { limit });
    const oldest = newestFirst.at(-1);
    if (oldest && newestFirst.length === limit && oldest.slot >= since) continue;
    return newestFirst
      .filter(({ signature, slot, failed }) => slot >= since && !failed && !mirror.hasTaken(signature))
      .reverse();
  }
}

async function takeBySignature(mirror: Mirror, { signature, slot }: SignatureInfo): Promise<boolean> {
  const transaction = await readTransaction(mirror.chain, signature);
  if (transaction) return mirror.transaction(transaction);
  const unapplied = { subject: { kind: 'transaction', signature }, slot } as const;
  return mirror.unreadable(unapplied, new Error('The node tells of the transaction and does not have it'));
}
