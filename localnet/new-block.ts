import { createHash, randomBytes } from 'node:crypto';
import { encodeBase58 } from '../src/base58/base58.ts';
import type { Block } from './ledger.ts';
import { SLOTS_PER_EPOCH } from './virtual-machine.ts';

/** The genesis hash of chains that older releases saved, and the seed of the first block's hash. */
export const GENESIS_HASH = encodeBase58(createHash('sha256').update('dues localnet').digest());

export function newGenesisHash(): string {
  return encodeBase58(randomBytes(32));
}

/**
 * The first block of a new chain. LiteSVM boots at a slot from which its features and programs are
 * active. The block is at the start of the next epoch.
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

/** The block after `parent`. Its hash covers the parent's hash, the slot and the signatures. */
export function blockAfter(
  parent: Block,
  { slot, height, time, transactions }: Pick<Block, 'slot' | 'height' | 'time' | 'transactions'>,
): Block {
  const signatures = transactions.map(({ signature }) => signature).join('');
  const hash = createHash('sha256').update(`${parent.blockhash}${slot}${signatures}`);
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
