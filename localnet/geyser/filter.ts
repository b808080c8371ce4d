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

/** The compiled request of a stream. */
export interface Filter {
  readonly commitment: Commitment;
  /** The encoded messages for an update on this stream; usually none or one. */
  messagesOf(update: Update): Uint8Array[];
}

/** The filter of a stream before its first request. */
export const EMPTY_FILTER: Filter = { commitment: 'processed', messagesOf: () => [] };

interface NamedFilter<T> {
  readonly name: string;
  readonly matches: (value: T) => boolean;
}

/** @throws InvalidFilter */
export function compileFilter(request: SubscribeRequest): Filter {
  const slices = dataSlices(request.accountsDataSlice);
  const commitment = commitmentOf(request.commitment);
  const accounts = compileNamed<AccountWrite, SubscribeRequest['accounts'][string]>(
    request.accounts,
    accountFilter,
  );
  const transactions = compileNamed(request.transactions, transactionFilter);
  const statuses = compileNamed(request.transactionsStatus, transactionFilter);
  const slots = compileNamed(request.slots, (filter) => slotFilter(filter, commitment));
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
        return encodeMessages(update, account, namesMatching(accounts, update.write));
      case 'transaction':
        return [
          ...encodeMessages(update, TRANSACTION, namesMatching(transactions, update.record)),
          ...encodeMessages(update, TRANSACTION_STATUS, namesMatching(statuses, update.record)),
        ];
      case 'slot':
        return encodeMessages(update, SLOT, namesMatching(slots, update));
      case 'entry':
        return encodeMessages(update, ENTRY, entries);
      case 'blockMeta':
        return encodeMessages(update, BLOCK_META, metas);
      case 'block':
        // Each filter selects the contents of its own block message.
        return blocks.flatMap(({ name, shape }) => encodeMessages(update, shape, [name]));
    }
  };
  return { commitment, messagesOf };
}

function compileNamed<T, F>(
  filters: Record<string, F>,
  compile: (filter: F) => (value: T) => boolean,
): NamedFilter<T>[] {
  return Object.entries(filters).map(([name, filter]) => ({
    name: filterName(name),
    matches: compile(filter),
  }));
}

function namesMatching<T>(filters: readonly NamedFilter<T>[], value: T): string[] {
  return filters.filter(({ matches }) => matches(value)).map(({ name }) => name);
}

function encodeMessages<U extends Update>(
  update: U,
  shape: Shape<U>,
  names: readonly string[],
): Uint8Array[] {
  return names.length === 0 ? [] : [encodeUpdate(update, shape, names)];
}

/**
 * Whether a stream receives a slot status. By default it receives those of all three commitments;
 * with `filterByCommitment` only its own; with `interslotUpdates` also the intermediate ones.
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
  const addresses = addressSet(filter.accountInclude);
  const { includeTransactions = true, includeAccounts = false, includeEntries = false } = filter;
  const key = JSON.stringify([includeTransactions, includeAccounts, includeEntries, slices, ...addresses]);
  return blockShape(
    key,
    {
      transactions: ({ accountKeys }: TransactionRecord) =>
        includeTransactions &&
        (addresses.size === 0 || accountKeys.some((account) => addresses.has(account))),
      accounts: ({ address }: AccountWrite) =>
        includeAccounts && (addresses.size === 0 || addresses.has(address)),
      entries: includeEntries,
    },
    slices,
  );
}
