import { getUtf8Decoder, getUtf8Encoder, type Instruction } from '@solana/kit';
import type { ChainTransaction } from '../rpc/chain-transaction.ts';
import { MEMO_PROGRAM } from '../rpc/programs-read.ts';

export function memoInstruction(text: string): Instruction {
  return { programAddress: MEMO_PROGRAM, data: getUtf8Encoder().encode(text) };
}

/** The memos of a transaction. */
export function memosOf({ instructions }: ChainTransaction): string[] {
  return instructions
    .filter(({ program }) => program === MEMO_PROGRAM)
    .map(({ data }) => getUtf8Decoder().decode(data));
}
