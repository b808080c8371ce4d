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
 * Limit of the size of all loaded accounts and programs. Token-2022 alone has more than a megabyte.
 * A higher limit costs no fee.
 */
export const LOADED_ACCOUNTS_BYTES = 8 * 1024 * 1024;
const MICRO_LAMPORTS = 1_000_000n;
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111' as Address;
/** The first data byte of each instruction. */
const TRANSFER_SUBSCRIPTION = 10;
const CREATE_IDEMPOTENT = 1;
const SET_COMPUTE_UNIT_LIMIT = 2;
const SET_COMPUTE_UNIT_PRICE = 3;

/**
 * The instructions for these pulls. Missing token accounts of receivers are created first, at the
 * collector's cost. The pulls follow from index `firstPull`.
 */
export function pullInstructions(
  collector: Address,
  pulls: readonly Pull[],
): { readonly instructions: readonly Instruction[]; readonly firstPull: number } {
  const missing = new Map(
    pulls.flatMap((pull) => (pull.receiverIsMissing ? [[pull.receiverTokenAccount, pull] as const] : [])),
  );
  const creations = [...missing.values()].map((pull) => createReceiverInstruction(pull, collector));
  const instructions = [...creations, ...pulls.map((pull) => pullInstruction(pull, collector))];
  return { instructions, firstPull: creations.length };
}

/** The bytes of a message. `payer` pays the fee and signs first. */
export function messageOf(
  payer: Address,
  instructions: readonly Instruction[],
  { version, blockhash: { blockhash }, computeUnits, price }: MessageTerms,
): Uint8Array<ArrayBuffer> {
  const limits = {
    // In a version 1 message, a limit that is not set counts as 0.
    computeUnitLimit: computeUnits,
    loadedAccountsDataSizeLimit: LOADED_ACCOUNTS_BYTES,
    priorityFeeLamports: (price * BigInt(computeUnits) + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS,
  };
  const budget = version === 1 ? [] : computeBudget({ computeUnits, price });
  // The budget comes last, so that the instruction index in an error is not shifted.
  return compileMessage({ version, payer, blockhash, limits, instructions: [...instructions, ...budget] });
}

/** The instructions that set the compute limit and the priority fee of an older message. */
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

/** The instruction that creates the receiver's token account, unless it exists by then. */
function createReceiverInstruction(
  { receiver, receiverTokenAccount, mint, tokenProgram }: Pull,
  collector: Address,
) {
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
