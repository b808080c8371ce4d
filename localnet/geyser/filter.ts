import type {
  SubscribeRequest,
  SubscribeRequestFilterBlocks,
  SubscribeRequestFilterSlots,
} from '@triton-one/yellowstone-grpc';
import type { AccountWrite, Commitment } from '../accounts.ts';
import type { TransactionRecord } from '../ledger.ts';
import { accountFilter } from './account-filter.ts';
import { addressSet, commitmentOf, dataSlices, filterName, refuseCuckoo } from './filter-fields.ts';
import {
  accountShape,
  BLOCK_META,
  blockShape,
  type DataSlice,
  ENTRY,
  SLOT,
  TRANSACTION,
  TRANSACTION_STATUS,
} from './shapes.ts';
import { transactionFilter } from './transaction-filter.ts';
import { type BlockUpdate, encodeUpdate, type Shape, type SlotStatusUpdate, type Update } from './updates.ts';

/** The request of a stream. */
export interface Filter {
  readonly commitment: Commitment;
  /** The encoded messages for an update on this stream; usually none or one. */
  messagesOf(update: Update): Uint8Array[];
}

/** The filter of a stream before its first request. */
export const EMPTY_FILTER: Filter = { commitment: 'processed', messagesOf: () => [] };

interface Named<T> {
  readonly name: string;
  readonly matches: (value: T) => boolean;
}

/** @throws InvalidFilter */
export function compileFilter(request: SubscribeRequest): Filter {
  const slices = dataSlices(request.accountsDataSlice);
  const commitment = commitmentOf(request.commitment);
  const accounts = named<AccountWrite, SubscribeRequest['accounts'][string]>(request.accounts, accountFilter);
  const transactions = named(request.transactions, transactionFilter);
  const statuses = named(request.transactionsStatus, transactionFilter);
  const slots = named(request.slots, (filter) => slotFilter(filter, commitment));
  const entries = Object.keys(request.entry).map(filterName);
  const metas = Object.keys(request.blocksMeta).map(filterName);
  const blocks = Object.entries(request.blocks).map(([name, filter]) => ({
    name: filterName(name),
    shape: blockFilter(filter, slices),
  }));
  const account = accountShape(slices);

  const messagesOf = (update: Update): Uint8Array[] => {
    switch (update.kind) {
      case 'account':
        return message(update, account, namesMatching(accounts, update.write));
      case 'transaction':
        return [
          ...message(update, TRANSACTION, namesMatching(transactions, update.record)),
          ...message(update, TRANSACTION_STATUS, namesMatching(statuses, update.record)),
        ];
      case 'slot':
        return message(update, SLOT, namesMatching(slots, update));
      case 'entry':
        return message(update, ENTRY, entries);
      case 'blockMeta':
        return message(update, BLOCK_META, metas);
      case 'block':
        // Each filter selects the contents of its own block message.
        return blocks.flatMap(({ name, shape }) => message(update, shape, [name]));
    }
  };
  return { commitment, messagesOf };
}

function named<T, F>(filters: Record<string, F>, compile: (filter: F) => (value: T) => boolean): Named<T>[] {
  return Object.entries(filters).map(([name, filter]) => ({
    name: filterName(name),
    matches: compile(filter),
  }));
}

function namesMatching<T>(filters: readonly Named<T>[], value: T): string[] {
  return filters.filter(({ matches }) => matches(value)).map(({ name }) => name);
}

function message<U extends Update>(update: U, shape: Shape<U>, names: readonly string[]): Uint8Array[] {
  return names.length === 0 ? [] : [encodeUpdate(update, shape, names)];
}

/**
 * Statuses of all commitments reach every stream, unless it requests only its own; intermediate
 * ones on request.
 */
function slotFilter(
  { filterByCommitment, interslotUpdates }: SubscribeRequestFilterSlots,
  commitment: Commitment,
): (update: SlotStatusUpdate) => boolean {
  return ({ update: { status } }) => {
    if (filterByCommitment) return status === commitment;
    return interslotUpdates || status === 'processed' || status === 'confirmed' || status === 'finalized';
  };
}

/**
 * A block always matches; the filter selects its contents. Transactions are included by default.
 */
function blockFilter(filter: SubscribeRequestFilterBlocks, slices: readonly DataSlice[]): Shape<BlockUpdate> {
  refuseCuckoo(filter.cuckooAccountInclude);
  const wanted = addressSet(filter.accountInclude);
  const { includeTransactions = true, includeAccounts = false, includeEntries = false } = filter;
  const key = JSON.stringify([includeTransactions, includeAccounts, includeEntries, slices, ...wanted]);
  return blockShape(
    key,
    {
      transactions: ({ accountKeys }: TransactionRecord) =>
        includeTransactions && (wanted.size === 0 || accountKeys.some((account) => wanted.has(account))),
      accounts: ({ address }: AccountWrite) => includeAccounts && (wanted.size === 0 || wanted.has(address)),
      entries: includeEntries,
    },
    slices,
  );
}
