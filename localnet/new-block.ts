import { createHash } from 'node:crypto';
import { encodeBase58 } from '../base58/base58.ts';
import type { Block } from './ledger.ts';
import { SLOTS_PER_EPOCH } from './virtual-machine.ts';

/** What stands for the cluster: every local network has the same. */
export const GENESIS_HASH = encodeBase58(createHash('sha256').update('dues localnet').digest());

/**
 * The block that a new chain begins with, at the start of an epoch: LiteSVM boots at a slot of its own choosing, where
 * its features and programs are already active.
 */
export function genesisBlock(bootSlot: number, startMs: number): Block {
  const slot = Math.ceil(bootSlot / SLOTS_PER_EPOCH) * SLOTS_PER_EPOCH;
  return {
    slot,
    parentSlot: slot - 1,
    height: 0,
    blockhash: encodeBase58(createHash('sha256').update(GENESIS_HASH).update(String(startMs)).digest()),
    parentBlockhash: GENESIS_HASH,
    time: Math.floor(startMs / 1000),
    transactions: [],
  };
}

/** The block behind `parent`. Its hash is that of everything it says which the parent does not. */
export function blockAfter(
  parent: Block,
  { slot, height, time, transactions }: Pick<Block, 'slot' | 'height' | 'time' | 'transactions'>,
): Block {
  const hash = createHash('sha256').update(parent.blockhash).update(String(slot));
  for (const { signature } of transactions) hash.update(signature);
  return {
    slot,
    parentSlot: parent.slot,
    height,
    blockhash: encodeBase58(hash.digest()),
    parentBlockhash: parent.blockhash,
    time,
    transactions,
  };
}
