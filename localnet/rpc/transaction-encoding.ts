import { encodeBase58 } from '../../src/base58/base58.ts';
import type { InnerInstruction, TokenBalance, TransactionRecord } from '../ledger.ts';
import { type CompiledInstruction, isStaticWritable } from '../transaction.ts';
import type { TransactionError } from '../transaction-error.ts';
import { parseInstruction } from './instruction-parsing.ts';
import { RpcError, UNSUPPORTED_TRANSACTION_VERSION } from './method.ts';
import { oneOf, optionalNaturalOf } from './params.ts';
import { uiTokenAmount } from './ui-token-amount.ts';

const ENCODINGS = ['json', 'jsonParsed', 'base64', 'base58', 'binary'] as const;
/**
 * Stack height of the message's own instructions. The instructions that they call have one more.
 */
const TOP_STACK_HEIGHT = 1;

export type TransactionEncoding = (typeof ENCODINGS)[number];

export interface TransactionEncodingOptions {
  readonly encoding: TransactionEncoding;
  /** Undefined for an old client, which gets no `version` and only legacy transactions. */
  readonly maxVersion: number | undefined;
  readonly rewards: boolean;
}

export function transactionEncodingOf(value: unknown): TransactionEncoding {
  return oneOf(value, ENCODINGS, 'json');
}

export function transactionOptionsOf(
  config: Readonly<Record<string, unknown>>,
): Omit<TransactionEncodingOptions, 'rewards'> {
  return {
    encoding: transactionEncodingOf(config.encoding),
    maxVersion: optionalNaturalOf(config.maxSupportedTransactionVersion),
  };
}

/**
 * A transaction with its meta, in the form of Agave's EncodedTransactionWithStatusMeta.
 *
 * @throws RpcError if the client does not support the transaction's version
 */
export function encodeTransaction(record: TransactionRecord, options: TransactionEncodingOptions): object {
  const version = versionFor(record, options);
  return {
    transaction: encodeBody(record, options.encoding),
    meta: {
      ...balancesMeta(record),
      innerInstructions: encodeInnerInstructions(record, options.encoding === 'jsonParsed'),
      logMessages: record.logs,
      rewards: options.rewards ? [] : null,
      ...(options.encoding !== 'jsonParsed' && { loadedAddresses: record.loaded }),
      ...(record.returnData && { returnData: encodeReturnData(record.returnData) }),
      computeUnitsConsumed: record.computeUnits,
    },
    ...version,
  };
}

/** Encodes as `encodeTransaction` does, but only the signatures and accounts of the transaction. */
export function encodeTransactionAccounts(
  record: TransactionRecord,
  options: TransactionEncodingOptions,
): object {
  const version = versionFor(record, options);
  return {
    transaction: { signatures: record.transaction.signatures, accountKeys: parsedAccountKeys(record) },
    meta: { ...balancesMeta(record), ...(options.rewards && { rewards: [] }) },
    ...version,
  };
}

/** The old form of `err`, which clusters still send too. */
export function statusOf(err: TransactionError | null): unknown {
  return err === null ? { Ok: null } : { Err: err };
}

export function encodeReturnData({ programId, data }: NonNullable<TransactionRecord['returnData']>): unknown {
  return { programId, data: [Buffer.from(data).toString('base64'), 'base64'] };
}

export function encodeTokenBalances(balances: readonly TokenBalance[]): unknown[] {
  return balances.map(({ accountIndex, mint, owner, programId, amount, decimals }) => ({
    accountIndex,
    mint,
    uiTokenAmount: uiTokenAmount(amount, decimals),
    owner,
    programId,
  }));
}

export function encodeInnerInstructions(
  record: Pick<TransactionRecord, 'innerInstructions' | 'accountKeys'>,
  parsed: boolean,
): unknown[] {
  return record.innerInstructions.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map((inner) => encodeInstruction(inner, inner.stackHeight, parsed, record)),
  }));
}

function versionFor(record: TransactionRecord, { maxVersion }: TransactionEncodingOptions): object {
  const { version } = record.transaction;
  if (version === 'legacy') return maxVersion === undefined ? {} : { version };
  if (maxVersion === undefined || version > maxVersion) {
    throw new RpcError(
      UNSUPPORTED_TRANSACTION_VERSION,
      `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
    );
  }
  return { version };
}

function encodeBody(record: TransactionRecord, encoding: TransactionEncoding): unknown {
  const { wire } = record.transaction;
  switch (encoding) {
    case 'base64':
      return [Buffer.from(wire).toString('base64'), encoding];
    case 'base58':
      return [encodeBase58(wire), encoding];
    case 'binary':
      return encodeBase58(wire);
    default:
      return { signatures: record.transaction.signatures, message: encodeMessage(record, encoding) };
  }
}

function encodeMessage(record: TransactionRecord, encoding: 'json' | 'jsonParsed'): unknown {
  const { transaction } = record;
  const { header, lookups, config } = transaction;
  const parsed = encoding === 'jsonParsed';
  return {
    ...(!parsed && {
      header: {
        numRequiredSignatures: header.requiredSignatures,
        numReadonlySignedAccounts: header.readonlySigned,
        numReadonlyUnsignedAccounts: header.readonlyUnsigned,
      },
    }),
    accountKeys: parsed ? parsedAccountKeys(record) : transaction.staticKeys,
    recentBlockhash: transaction.blockhash,
    instructions: transaction.instructions.map((instruction) =>
      encodeInstruction(instruction, TOP_STACK_HEIGHT, parsed, record),
    ),
    ...(transaction.version === 0 && {
      addressTableLookups: lookups.map(({ table, writableIndexes, readonlyIndexes }) => ({
        accountKey: table,
        writableIndexes,
        readonlyIndexes,
      })),
    }),
    ...(config && {
      transactionConfig: {
        priorityFee: config.priorityFeeLamports,
        computeUnitLimit: config.computeUnitLimit,
        loadedAccountsDataSizeLimit: config.loadedAccountsDataSizeLimit,
        heapSize: config.heapSize,
      },
    }),
  };
}

function encodeInstruction(
  instruction: CompiledInstruction | InnerInstruction,
  stackHeight: number,
  parsed: boolean,
  { accountKeys }: Pick<TransactionRecord, 'accountKeys'>,
): unknown {
  if (parsed) return { ...parseInstruction(instruction, accountKeys), stackHeight };
  return {
    programIdIndex: instruction.programIndex,
    accounts: instruction.accounts,
    data: encodeBase58(instruction.data),
    stackHeight,
  };
}

function parsedAccountKeys({ transaction, loaded }: TransactionRecord): unknown[] {
  const { requiredSignatures } = transaction.header;
  const fromTable = (writable: boolean) => (pubkey: string) => ({
    pubkey,
    writable,
    signer: false,
    source: 'lookupTable',
  });
  return [
    ...transaction.staticKeys.map((pubkey, index) => ({
      pubkey,
      writable: isStaticWritable(transaction, index),
      signer: index < requiredSignatures,
      source: 'transaction',
    })),
    ...loaded.writable.map(fromTable(true)),
    ...loaded.readonly.map(fromTable(false)),
  ];
}

function balancesMeta(record: TransactionRecord): object {
  return {
    err: record.err,
    status: statusOf(record.err),
    fee: record.fee,
    preBalances: record.preBalances,
    postBalances: record.postBalances,
    preTokenBalances: encodeTokenBalances(record.preTokenBalances),
    postTokenBalances: encodeTokenBalances(record.postTokenBalances),
  };
}
