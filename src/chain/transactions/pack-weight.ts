import type { Address } from '@solana/kit';
import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system';
import { ASSOCIATED_TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { EVENT_AUTHORITY, PROGRAM } from '../accounts/addresses.ts';
import type { Pull } from '../accounts/pulls.ts';
import type { MessageVersion } from './compile-message.ts';

const SIGNATURE_BYTES = 64;
const ADDRESS_BYTES = 32;
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111' as Address;
/** Version 1: version, header, blockhash, counts and config (mask, priority fee, two limits). */
const FRAME_BYTES_V1 = 1 + 3 + 4 + 32 + 2 + 16;
/**
 * Older versions: signature count, version, header, counts, blockhash, lookups, and the two
 * instructions for the compute limit and the priority fee.
 */
const FRAME_BYTES_V0 = 1 + 1 + 3 + 1 + 32 + 1 + 1 + (3 + 5) + (3 + 9);
/**
 * Version 1: program, number of accounts, data length in two bytes. Older versions: the same with
 * the data length in one byte.
 */
const INSTRUCTION_BYTES_V1 = 4;
const INSTRUCTION_BYTES_V0 = 3;
/** One byte per account, then data: discriminator, amount, payer and mint. */
const PULL_BYTES = 10 + (1 + 8 + 32 + 32);
/** Accounts and discriminator of the instruction that creates a token account. */
const CREATE_ACCOUNT_BYTES = 6 + 1;

/** The size of a transaction of pulls, computed without building it. */
export class PackWeight {
  #version: MessageVersion;
  #signatures: number;
  #addresses: Set<Address>;
  #instructionBytes = 0;

  /** @param signers the collector, and the fee payer if it is another account */
  constructor(signers: readonly Address[], version: MessageVersion) {
    this.#version = version;
    this.#signatures = signers.length;
    this.#addresses = new Set([...signers, ...(version === 1 ? [] : [COMPUTE_BUDGET])]);
  }

  add(pull: Pull): void {
    const { receiver, receiverTokenAccount, receiverIsMissing, mint, tokenProgram } = pull;
    const instruction = this.#version === 1 ? INSTRUCTION_BYTES_V1 : INSTRUCTION_BYTES_V0;
    if (receiverIsMissing && !this.#addresses.has(receiverTokenAccount)) {
      for (const address of [receiver, SYSTEM_PROGRAM_ADDRESS, ASSOCIATED_TOKEN_PROGRAM_ADDRESS]) {
        this.#addresses.add(address);
      }
      this.#instructionBytes += instruction + CREATE_ACCOUNT_BYTES;
    }
    const shared = [PROGRAM, EVENT_AUTHORITY, pull.plan, receiverTokenAccount, mint, tokenProgram];
    const own = [pull.subscription, pull.authority, pull.payerTokenAccount];
    for (const address of [...shared, ...own]) this.#addresses.add(address);
    this.#instructionBytes += instruction + PULL_BYTES;
  }

  get addresses(): number {
    return this.#addresses.size;
  }

  /** Maximum size, with a priority fee. */
  get bytes(): number {
    const frame = this.#version === 1 ? FRAME_BYTES_V1 : FRAME_BYTES_V0;
    const signatures = this.#signatures * SIGNATURE_BYTES;
    return signatures + frame + this.#addresses.size * ADDRESS_BYTES + this.#instructionBytes;
  }
}
