import type { SubscribeUpdateTransactionInfo } from '@triton-one/yellowstone-grpc';
import { decodeBase58 } from '../../src/base58/base58.ts';
import { addressBytes } from '../address-bytes.ts';
import type { TokenBalance, TransactionRecord } from '../ledger.ts';
import type { ParsedTransaction } from '../transaction.ts';
import { transactionErrorBytes } from './transaction-error-bytes.ts';

type TransactionProto = NonNullable<SubscribeUpdateTransactionInfo['transaction']>;
type MetaProto = NonNullable<SubscribeUpdateTransactionInfo['meta']>;
type TokenBalanceProto = MetaProto['preTokenBalances'][number];

/**
 * A landed transaction in Yellowstone's protobuf: message, meta, inner instructions and balances.
 */
export function transactionInfoOf(record: TransactionRecord): SubscribeUpdateTransactionInfo {
  const transaction = transactionOf(record.transaction);
  return {
    signature: transaction.signatures[0] as Uint8Array,
    isVote: false, // there are no votes
    transaction,
    meta: metaOf(record),
    index: String(record.index),
  };
}

export function errorOf(record: TransactionRecord): MetaProto['err'] {
  return record.err === null ? undefined : { err: transactionErrorBytes(record.err) };
}

function transactionOf(parsed: ParsedTransaction): TransactionProto {
  return {
    signatures: parsed.signatures.map(decodeBase58),
    message: {
      header: {
        numRequiredSignatures: parsed.header.requiredSignatures,
        numReadonlySignedAccounts: parsed.header.readonlySigned,
        numReadonlyUnsignedAccounts: parsed.header.readonlyUnsigned,
      },
      accountKeys: parsed.staticKeys.map(addressBytes),
      recentBlockhash: decodeBase58(parsed.blockhash),
      instructions: parsed.instructions.map(({ programIndex, accounts, data }) => ({
        programIdIndex: programIndex,
        accounts: Uint8Array.from(accounts),
        data,
      })),
      versioned: parsed.version !== 'legacy',
      addressTableLookups: parsed.lookups.map(({ table, writableIndexes, readonlyIndexes }) => ({
        accountKey: addressBytes(table),
        writableIndexes: Uint8Array.from(writableIndexes),
        readonlyIndexes: Uint8Array.from(readonlyIndexes),
      })),
      // Its presence, even without a value, distinguishes a version 1 message from version 0.
      config: parsed.config
        ? {
            priorityFee: parsed.config.priorityFeeLamports?.toString(),
            computeUnitLimit: parsed.config.computeUnitLimit ?? undefined,
            loadedAccountsDataSizeLimit: parsed.config.loadedAccountsDataSizeLimit ?? undefined,
            heapSize: parsed.config.heapSize ?? undefined,
          }
        : undefined,
    },
  };
}

function metaOf(record: TransactionRecord): MetaProto {
  const { returnData } = record;
  return {
    err: errorOf(record),
    fee: record.fee.toString(),
    preBalances: record.preBalances.map(String),
    postBalances: record.postBalances.map(String),
    innerInstructions: record.innerInstructions.map(({ index, instructions }) => ({
      index,
      instructions: instructions.map(({ programIndex, accounts, data, stackHeight }) => ({
        programIdIndex: programIndex,
        accounts: Uint8Array.from(accounts),
        data,
        stackHeight,
      })),
    })),
    innerInstructionsNone: false,
    logMessages: [...record.logs],
    logMessagesNone: false,
    preTokenBalances: record.preTokenBalances.map(tokenBalanceOf),
    postTokenBalances: record.postTokenBalances.map(tokenBalanceOf),
    rewards: [],
    loadedWritableAddresses: record.loaded.writable.map(addressBytes),
    loadedReadonlyAddresses: record.loaded.readonly.map(addressBytes),
    returnData: returnData
      ? { programId: addressBytes(returnData.programId), data: returnData.data }
      : undefined,
    returnDataNone: returnData === null,
    computeUnitsConsumed: String(record.computeUnits),
    costUnits: undefined,
  };
}

function tokenBalanceOf(balance: TokenBalance): TokenBalanceProto {
  const { accountIndex, mint, owner, programId, amount, decimals } = balance;
  const uiAmountString = decimalString(amount, decimals);
  return {
    accountIndex,
    mint,
    owner,
    programId,
    uiTokenAmount: {
      uiAmount: Number(uiAmountString),
      decimals,
      amount: amount.toString(),
      uiAmountString,
    },
  };
}

/** 1500000 with 6 decimals is "1.5": no trailing zeros, no trailing point. */
function decimalString(amount: bigint, decimals: number): string {
  if (decimals === 0) return amount.toString();
  const digits = amount.toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  const integer = digits.slice(0, -decimals);
  return fraction === '' ? integer : `${integer}.${fraction}`;
}
