import type { Address } from '@solana/kit';
import type { Block, TransactionRecord } from '../ledger.ts';
import type { Network } from '../network.ts';
import { computeUnitPriceOf, feeOf, isStaticWritable } from '../transaction.ts';
import { readContext, withContext } from './context.ts';
import type { RpcMethods } from './method.ts';
import { addressOf, invalidParams, stringsOf, withParams } from './params.ts';
import { decodeMessage } from './wire-transaction.ts';

const MAX_ADDRESSES = 128;
const MAX_RECENT_BLOCKS = 150;

export const feeMethods: RpcMethods = {
  getFeeForMessage: withParams(1, 2, (network, [message, config]) => {
    const transaction = decodeMessage(message);
    const context = readContext(network, config);
    const usable = network.isBlockhashValid(transaction.blockhash, context.commitment);
    return withContext(context, usable ? feeOf(transaction) : null);
  }),

  getRecentPrioritizationFees: withParams(0, 1, (network, [addressTexts]) => {
    const texts = addressTexts === undefined || addressTexts === null ? [] : stringsOf(addressTexts);
    if (texts.length > MAX_ADDRESSES) throw invalidParams(`Too many inputs provided; max ${MAX_ADDRESSES}`);
    const addresses = texts.map(addressOf);
    return recentBlocks(network).map((block) => ({
      slot: block.slot,
      prioritizationFee: feeToLand(pricesIn(block), addresses),
    }));
  }),
};

/**
 * The lowest priority fees paid in a block, in micro-lamports per compute unit: by any transaction,
 * and by the writers of each account.
 */
interface BlockPrices {
  readonly lowest: bigint;
  readonly byAccount: ReadonlyMap<Address, bigint>;
}

const pricesOfBlocks = new WeakMap<Block, BlockPrices>();

// The price with which a transaction that writes all these accounts would have landed in the block:
// the maximum of the block's lowest price and the lowest price of each account's writers.
function feeToLand({ lowest, byAccount }: BlockPrices, addresses: readonly Address[]): bigint {
  return addresses.reduce((fee, address) => {
    const price = byAccount.get(address) ?? 0n;
    return price > fee ? price : fee;
  }, lowest);
}

function recentBlocks(network: Network): Block[] {
  const blocks: Block[] = [];
  let block = network.ledger.block(network.slot('confirmed'));
  while (block && blocks.length < MAX_RECENT_BLOCKS) {
    blocks.push(block);
    block = network.ledger.block(block.parentSlot);
  }
  return blocks.reverse();
}

function pricesIn(block: Block): BlockPrices {
  const cached = pricesOfBlocks.get(block);
  if (cached) return cached;
  const byAccount = new Map<Address, bigint>();
  let lowest: bigint | undefined;
  for (const record of block.transactions) {
    const price = computeUnitPriceOf(record.transaction);
    if (lowest === undefined || price < lowest) lowest = price;
    for (const address of writableAccounts(record)) {
      const lowestPaid = byAccount.get(address);
      if (lowestPaid === undefined || price < lowestPaid) byAccount.set(address, price);
    }
  }
  const prices = { lowest: lowest ?? 0n, byAccount };
  pricesOfBlocks.set(block, prices);
  return prices;
}

function writableAccounts({ transaction, loaded }: TransactionRecord): Address[] {
  return [
    ...transaction.staticKeys.filter((_, index) => isStaticWritable(transaction, index)),
    ...loaded.writable,
  ];
}
