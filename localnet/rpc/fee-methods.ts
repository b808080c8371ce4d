import type { Address } from '@solana/kit';
import { ByteReader } from '../byte-reader.ts';
import type { Block, TransactionRecord } from '../ledger.ts';
import type { Network } from '../network.ts';
import { COMPUTE_BUDGET_PROGRAM, feeOf, isStaticWritable, type ParsedTransaction } from '../transaction.ts';
import { readContext, withContext } from './context.ts';
import type { RpcMethods } from './method.ts';
import { addressOf, invalidParams, stringsOf, withParams } from './params.ts';
import { decodeMessage } from './wire-transaction.ts';

const MAX_ADDRESSES = 128;
const REMEMBERED_BLOCKS = 150;
const SET_COMPUTE_UNIT_PRICE = 3;
const PRICE_INSTRUCTION_BYTES = 9;

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

/** The lowest prices paid in a block, in micro-lamports a compute unit: by anybody, and by who wrote an account. */
interface BlockPrices {
  readonly lowest: bigint;
  readonly byAccount: ReadonlyMap<Address, bigint>;
}

const pricesOfBlocks = new WeakMap<Block, BlockPrices>();

// What it would have taken to land a transaction that writes all the accounts: as much as the block took of
// anybody, and as much as it took of the writers of the dearest of them.
function feeToLand({ lowest, byAccount }: BlockPrices, addresses: readonly Address[]): bigint {
  return addresses.reduce((fee, address) => {
    const price = byAccount.get(address) ?? 0n;
    return price > fee ? price : fee;
  }, lowest);
}

function recentBlocks(network: Network): Block[] {
  const blocks: Block[] = [];
  let block = network.ledger.block(network.slot('confirmed'));
  while (block && blocks.length < REMEMBERED_BLOCKS) {
    blocks.push(block);
    block = network.ledger.block(block.parentSlot);
  }
  return blocks.reverse();
}

function pricesIn(block: Block): BlockPrices {
  const known = pricesOfBlocks.get(block);
  if (known) return known;
  const byAccount = new Map<Address, bigint>();
  let lowest: bigint | undefined;
  for (const record of block.transactions) {
    const price = priceOf(record.transaction);
    if (lowest === undefined || price < lowest) lowest = price;
    for (const address of writableAccounts(record)) {
      const paid = byAccount.get(address);
      if (paid === undefined || price < paid) byAccount.set(address, price);
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

function priceOf(transaction: ParsedTransaction): bigint {
  if (transaction.config) {
    const { priorityFeeLamports, computeUnitLimit } = transaction.config;
    return computeUnitLimit ? ((priorityFeeLamports ?? 0n) * 1_000_000n) / BigInt(computeUnitLimit) : 0n;
  }
  for (const { programIndex, data } of transaction.instructions) {
    if (transaction.staticKeys[programIndex] !== COMPUTE_BUDGET_PROGRAM) continue;
    if (data[0] === SET_COMPUTE_UNIT_PRICE && data.length >= PRICE_INSTRUCTION_BYTES) {
      return new ByteReader(data.subarray(1)).u64();
    }
  }
  return 0n;
}
