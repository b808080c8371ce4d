import { SlotStatus, type SubscribeUpdateAccountInfo } from '@triton-one/yellowstone-grpc';
import { decodeBase58 } from '../../src/base58/base58.ts';
import type { AccountWrite } from '../accounts.ts';
import { addressBytes } from '../address-bytes.ts';
import type { Block, TransactionRecord } from '../ledger.ts';
import type { SlotUpdate } from '../network-events.ts';
import { errorOf, transactionInfoOf } from './transaction-message.ts';
import type {
  AccountUpdate,
  BlockMetaUpdate,
  BlockUpdate,
  EntryUpdate,
  Shape,
  SlotStatusUpdate,
  TransactionUpdate,
} from './updates.ts';

/** The rent epoch of all accounts on a cluster, which no longer collects rent. */
const RENT_EPOCH_EXEMPT = '18446744073709551615';

/** A range of an account's data, end exclusive. */
export interface DataSlice {
  readonly start: number;
  readonly end: number;
}

/** The parts of a block that its message includes. */
export interface BlockContents {
  readonly transactions: (record: TransactionRecord) => boolean;
  readonly accounts: (write: AccountWrite) => boolean;
  readonly entries: boolean;
}

export const TRANSACTION: Shape<TransactionUpdate> = {
  key: 'transaction',
  build: ({ slot, record }) => ({
    transaction: { slot: String(slot), transaction: transactionInfoOf(record) },
  }),
};

export const TRANSACTION_STATUS: Shape<TransactionUpdate> = {
  key: 'status',
  build: ({ slot, record }) => ({
    transactionStatus: {
      slot: String(slot),
      signature: decodeBase58(record.signature),
      isVote: false,
      index: String(record.index),
      err: errorOf(record),
    },
  }),
};

export const SLOT: Shape<SlotStatusUpdate> = {
  key: 'slot',
  build: ({ update: { slot, parent, status } }) => ({
    slot: {
      slot: String(slot),
      // A validator cannot send the parent before it has created a bank for the slot, and does not
      // send it again when the slot is completed.
      parent: status === 'firstShredReceived' || status === 'completed' ? undefined : String(parent),
      status: SLOT_STATUS[status],
    },
  }),
};

const SLOT_STATUS: Record<SlotUpdate['status'], SlotStatus> = {
  firstShredReceived: SlotStatus.SLOT_FIRST_SHRED_RECEIVED,
  createdBank: SlotStatus.SLOT_CREATED_BANK,
  completed: SlotStatus.SLOT_COMPLETED,
  processed: SlotStatus.SLOT_PROCESSED,
  confirmed: SlotStatus.SLOT_CONFIRMED,
  finalized: SlotStatus.SLOT_FINALIZED,
};

export const ENTRY: Shape<EntryUpdate> = {
  key: 'entry',
  build: ({ block }) => ({ entry: entryOf(block) }),
};

export const BLOCK_META: Shape<BlockMetaUpdate> = {
  key: 'meta',
  build: ({ block }) => ({ blockMeta: headOf(block) }),
};

export function accountShape(slices: readonly DataSlice[]): Shape<AccountUpdate> {
  return {
    key: `account ${slices.map(({ start, end }) => `${start}-${end}`)}`,
    build: ({ slot, write }) => ({
      account: { slot: String(slot), isStartup: false, account: accountInfoOf(write, slices) },
    }),
  };
}

/** `key` must distinguish everything that `contents` and `slices` select. */
export function blockShape(
  key: string,
  contents: BlockContents,
  slices: readonly DataSlice[],
): Shape<BlockUpdate> {
  return {
    key: `block ${key}`,
    build: ({ block, accounts }) => ({
      block: {
        ...headOf(block),
        transactions: block.transactions.filter(contents.transactions).map(transactionInfoOf),
        updatedAccountCount: String(accounts.length),
        accounts: accounts.filter(contents.accounts).map((write) => accountInfoOf(write, slices)),
        entries: contents.entries ? [entryOf(block)] : [],
      },
    }),
  };
}

function accountInfoOf(
  { address, account, writeVersion, signature }: AccountWrite,
  slices: readonly DataSlice[],
): SubscribeUpdateAccountInfo {
  return {
    pubkey: addressBytes(address),
    lamports: account.lamports.toString(),
    owner: addressBytes(account.owner),
    executable: account.executable,
    rentEpoch: RENT_EPOCH_EXEMPT,
    data: slices.length === 0 ? account.data : slicedData(account.data, slices),
    writeVersion: String(writeVersion),
    txnSignature: signature === null ? undefined : decodeBase58(signature),
  };
}

/** The slices in order. A slice that ends after the data is left out, as in the real server. */
function slicedData(data: Uint8Array, slices: readonly DataSlice[]): Uint8Array {
  return Buffer.concat(
    slices.filter(({ end }) => end <= data.length).map(({ start, end }) => data.subarray(start, end)),
  );
}

function headOf(block: Block) {
  return {
    slot: String(block.slot),
    blockhash: block.blockhash,
    rewards: { rewards: [], numPartitions: undefined },
    blockTime: { timestamp: String(block.time) },
    blockHeight: { blockHeight: String(block.height) },
    parentSlot: String(block.parentSlot),
    parentBlockhash: block.parentBlockhash,
    executedTransactionCount: String(block.transactions.length),
    entriesCount: '1',
  };
}

function entryOf(block: Block) {
  return {
    slot: String(block.slot),
    index: '0',
    numHashes: '1',
    hash: decodeBase58(block.blockhash), // a block's hash is its last entry's
    executedTransactionCount: String(block.transactions.length),
    startingTransactionIndex: '0',
  };
}
