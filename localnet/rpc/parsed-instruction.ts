import type { Address } from '@solana/kit';

/** The `parsed` part of an instruction: its type and its inputs. */
export interface ParsedInstruction {
  readonly type: string;
  readonly info: object;
}

/** An instruction's accounts and data; `account` throws RangeError for a missing account. */
export interface InstructionInput {
  readonly data: Uint8Array;
  readonly accounts: readonly Address[];
  readonly account: (position: number) => Address;
}
