import type { Block } from '../ledger.ts';
import type { Network } from '../network.ts';
import { type ReadContext, readHistoryContext } from './context.ts';
import { BLOCK_CLEANED_UP, BLOCK_NOT_AVAILABLE, RpcError, type RpcMethods, SLOT_SKIPPED } from './method.ts';
import {
  booleanOf,
  configOf,
  invalidParams,
  naturalOf,
  oneOf,
  optionalNaturalOf,
  withParams,
} from './params.ts';
import {
  encodeTransaction,
  encodeTransactionAccounts,
  transactionEncodingOf,
  transactionOptionsOf,
} from './transaction-encoding.ts';

const MAX_RANGE = 500_000;
const DETAILS = ['full', 'accounts', 'signatures', 'none'] as const;

export const blockMethods: RpcMethods = {
  getBlock: withParams(1, 2, (network, [slotValue, config]) => {
    const slot = naturalOf(slotValue);
    const settings = typeof config === 'string' ? {} : configOf(config);
    const options = {
      ...transactionOptionsOf(settings),
      ...(typeof config === 'string' && { encoding: transactionEncodingOf(config) }),
      rewards: booleanOf(settings.rewards, true),
    };
    const details = oneOf(settings.transactionDetails, DETAILS, 'full');
    const block = findBlock(network, slot, readHistoryContext(network, { commitment: settings.commitment }));
    return {
      previousBlockhash: block.parentBlockhash,
      blockhash: block.blockhash,
      parentSlot: block.parentSlot,
      ...(details === 'full' && {
        transactions: block.transactions.map((record) => encodeTransaction(record, options)),
      }),
      ...(details === 'accounts' && {
        transactions: block.transactions.map((record) => encodeTransactionAccounts(record, options)),
      }),
      ...(details === 'signatures' && { signatures: block.transactions.map(({ signature }) => signature) }),
      ...(options.rewards && { rewards: [] }),
      blockTime: block.time,
      blockHeight: block.height,
    };
  }),

  getBlocks: withParams(1, 3, (network, [start, endOrConfig, config]) => {
    const startSlot = naturalOf(start);
    const hasEnd = typeof endOrConfig !== 'object';
    const context = readHistoryContext(network, config ?? (hasEnd ? undefined : endOrConfig));
    const requestedEnd = (hasEnd ? optionalNaturalOf(endOrConfig) : undefined) ?? startSlot + MAX_RANGE;
    const endSlot = Math.min(requestedEnd, context.slot);
    if (endSlot - startSlot > MAX_RANGE) throw invalidParams(`Slot range too large; max ${MAX_RANGE}`);
    return slotsBetween(network, startSlot, endSlot, Number.POSITIVE_INFINITY);
  }),

  getBlocksWithLimit: withParams(2, 3, (network, [start, limitValue, config]) => {
    const startSlot = naturalOf(start);
    const limit = naturalOf(limitValue);
    const context = readHistoryContext(network, config);
    if (limit > MAX_RANGE) throw invalidParams(`Limit too large; max ${MAX_RANGE}`);
    return slotsBetween(network, startSlot, context.slot, limit);
  }),

  getBlockTime: withParams(1, 1, (network, [slotValue]) => {
    const slot = naturalOf(slotValue);
    if (slot === network.slot('processed')) return network.unixSeconds();
    return findBlock(network, slot, { commitment: 'confirmed', slot: network.slot('confirmed') }).time;
  }),

  getFirstAvailableBlock: withParams(0, 0, (network) => firstSlot(network)),
  minimumLedgerSlot: withParams(0, 0, (network) => firstSlot(network)),
};

function findBlock(network: Network, slot: number, context: ReadContext): Block {
  const block = network.ledger.block(slot);
  if (block && slot <= context.slot) return block;
  const first = firstSlot(network);
  if (slot < first) {
    throw new RpcError(
      BLOCK_CLEANED_UP,
      `Block ${slot} cleaned up, does not exist on node. First available block: ${first}`,
    );
  }
  if (slot < network.slot('finalized')) {
    throw new RpcError(
      SLOT_SKIPPED,
      `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`,
    );
  }
  throw new RpcError(BLOCK_NOT_AVAILABLE, `Block not available for slot ${slot}`);
}

function firstSlot(network: Network): number {
  return network.ledger.firstSlot ?? 0;
}

function slotsBetween(network: Network, start: number, end: number, limit: number): number[] {
  const slots: number[] = [];
  for (const { slot } of network.ledger.blocks()) {
    if (slot > end || slots.length >= limit) break;
    if (slot >= start) slots.push(slot);
  }
  return slots;
}
