import { AccountRole, type Address, type Instruction } from '@solana/kit';
import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system';
import { ASSOCIATED_TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { EVENT_AUTHORITY, PROGRAM } from '../accounts/addresses.ts';
import type { Pull } from '../accounts/pulls.ts';
import type { BlockhashLifetime } from '../rpc/send.ts';
import { ByteWriter } from './byte-writer.ts';
import { compileMessage, type MessageVersion } from './compile-message.ts';

/** Compute limit and priority fee of a transaction. */
export interface ComputeTerms {
  readonly computeUnits: number;
  /** Micro-lamports per compute unit. */
  readonly price: bigint;
}

/** The inputs of a message besides its instructions. */
export interface MessageTerms extends ComputeTerms {
  readonly version: MessageVersion;
  readonly blockhash: BlockhashLifetime;
}

/**
 * Limit for all loaded accounts and programs; Token-2022 alone has more than a megabyte. It costs
 * no fee.
 */
export const LOADED_ACCOUNTS_BYTES = 8 * 1024 * 1024;
const MICRO_LAMPORTS = 1_000_000n;
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111' as Address;
/** First data bytes of instructions. */
const TRANSFER_SUBSCRIPTION = 10;
const CREATE_IDEMPOTENT = 1;
const SET_COMPUTE_UNIT_LIMIT = 2;
const SET_COMPUTE_UNIT_PRICE = 3;

/**
 * The instructions for these pulls: missing token accounts of receivers are created first, at the
 * collector's cost, then come the pulls.
 */
export function pullInstructions(
  collector: Address,
  pulls: readonly Pull[],
): { readonly instructions: readonly Instruction[]; readonly firstPull: number } {
  const missing = new Map(
    pulls.flatMap((pull) => (pull.receiverIsMissing ? [[pull.receiverTokenAccount, pull] as const] : [])),
  );
  const makes = [...missing.values()].map((pull) => makeReceiver(pull, collector));
  const instructions = [...makes, ...pulls.map((pull) => pullInstruction(pull, collector))];
  return { instructions, firstPull: makes.length };
}

/** The bytes of a message that only `payer` signs. */
export function messageOf(
  payer: Address,
  instructions: readonly Instruction[],
  { version, blockhash: { blockhash }, computeUnits, price }: MessageTerms,
): Uint8Array<ArrayBuffer> {
  const limits = {
    // A limit that a version 1 message does not set is 0.
    computeUnitLimit: computeUnits,
    loadedAccountsDataSizeLimit: LOADED_ACCOUNTS_BYTES,
    priorityFeeLamports: (price * BigInt(computeUnits) + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS,
  };
  const budget = version === 1 ? [] : computeBudget({ computeUnits, price });
  // After the pulls, so that an instruction index in an error is a pull's index.
  return compileMessage({ version, payer, blockhash, limits, instructions: [...instructions, ...budget] });
}

/** In an older message the limit and the price are instructions. */
function computeBudget({ computeUnits, price }: ComputeTerms): Instruction[] {
  const limit = new ByteWriter();
  limit.u8(SET_COMPUTE_UNIT_LIMIT);
  limit.u32(computeUnits);
  if (price === 0n) return [{ programAddress: COMPUTE_BUDGET, data: limit.toBytes() }];
  const fee = new ByteWriter();
  fee.u8(SET_COMPUTE_UNIT_PRICE);
  fee.u64(price);
  return [limit, fee].map((data) => ({ programAddress: COMPUTE_BUDGET, data: data.toBytes() }));
}

function pullInstruction(pull: Pull, collector: Address): Instruction {
  const data = new ByteWriter();
  data.u8(TRANSFER_SUBSCRIPTION);
  data.u64(pull.amount);
  data.key(pull.payer);
  data.key(pull.mint);
  return {
    programAddress: PROGRAM,
    accounts: [
      { address: pull.subscription, role: AccountRole.WRITABLE },
      { address: pull.plan, role: AccountRole.READONLY },
      { address: pull.authority, role: AccountRole.READONLY },
      { address: pull.payerTokenAccount, role: AccountRole.WRITABLE },
      { address: pull.receiverTokenAccount, role: AccountRole.WRITABLE },
      { address: collector, role: AccountRole.READONLY_SIGNER },
      { address: pull.mint, role: AccountRole.READONLY },
      { address: pull.tokenProgram, role: AccountRole.READONLY },
      { address: EVENT_AUTHORITY, role: AccountRole.READONLY },
      { address: PROGRAM, role: AccountRole.READONLY },
    ],
    data: data.toBytes(),
  };
}

/** Creates the receiver's token account unless it exists by then. */
function makeReceiver({ receiver, receiverTokenAccount, mint, tokenProgram }: Pull, collector: Address) {
  return {
    programAddress: ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
    accounts: [
      { address: collector, role: AccountRole.WRITABLE_SIGNER },
      { address: receiverTokenAccount, role: AccountRole.WRITABLE },
      { address: receiver, role: AccountRole.READONLY },
      { address: mint, role: AccountRole.READONLY },
      { address: SYSTEM_PROGRAM_ADDRESS, role: AccountRole.READONLY },
      { address: tokenProgram, role: AccountRole.READONLY },
    ],
    data: Uint8Array.of(CREATE_IDEMPOTENT),
  };
}
