import type { Address, Signature } from '@solana/kit';
import { type SubscribeUpdateTransaction, txErrDecode } from '@triton-one/yellowstone-grpc';
import { encodeBase58 } from '../../base58/base58.ts';
import {
  type ChainTransaction,
  type CompiledInstruction,
  joinInstructions,
  MAX_DATA_BYTES,
} from './chain-transaction.ts';
import { toTransactionFailure } from './transaction-failure.ts';

interface StreamedInstruction extends Pick<CompiledInstruction, 'programIdIndex' | 'accounts'> {
  readonly data: Uint8Array;
}

/**
 * Converts a transaction of the stream. This file is separate from chain-transaction.ts, so that
 * only processes with a stream load the native client.
 */
export function fromYellowstone({ slot, transaction }: SubscribeUpdateTransaction): ChainTransaction {
  const message = transaction?.transaction?.message;
  const meta = transaction?.meta;
  if (!message || !meta) throw new Error(`A transaction without a message or meta in slot ${slot}`);
  const accountKeys: Address[] = [
    ...message.accountKeys,
    ...meta.loadedWritableAddresses,
    ...meta.loadedReadonlyAddresses,
  ].map((key) => encodeBase58(key) as Address);
  return {
    signature: encodeBase58(transaction.signature) as Signature,
    slot: BigInt(slot),
    blockTime: null,
    err: meta.err ? toTransactionFailure(txErrDecode.decode(meta.err.err)) : null,
    feeLamports: BigInt(meta.fee),
    accountKeys,
    instructions: joinInstructions(
      accountKeys,
      message.instructions.map(toCompiled),
      meta.innerInstructions.map(({ index, instructions }) => ({
        index,
        instructions: instructions.map(toCompiled),
      })),
    ),
    logs: meta.logMessages,
  };
}

/** Copies the data, because the client's bytes are views that keep whole messages in memory. */
function toCompiled({ programIdIndex, accounts, data }: StreamedInstruction): CompiledInstruction {
  const copy = new Uint8Array(data.subarray(0, MAX_DATA_BYTES));
  return { programIdIndex, accounts, isLong: data.length > MAX_DATA_BYTES, readData: () => copy };
}
