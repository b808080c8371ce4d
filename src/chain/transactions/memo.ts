import { type Address, getUtf8Decoder, getUtf8Encoder, type Instruction } from '@solana/kit';
import type { ChainTransaction } from '../rpc/chain-transaction.ts';

/** SPL Memo stores a public text with a transaction. */
const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address;

export function memoInstruction(text: string): Instruction {
  return { programAddress: MEMO_PROGRAM, data: getUtf8Encoder().encode(text) };
}

/** The memos of a transaction. */
export function memosOf({ instructions }: ChainTransaction): string[] {
  return instructions
    .filter(({ program }) => program === MEMO_PROGRAM)
    .map(({ data }) => getUtf8Decoder().decode(data));
}
