import type { Address } from '@solana/kit';
import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system';
import { ASSOCIATED_TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { EVENT_AUTHORITY, PROGRAM } from '../accounts/addresses.ts';
import type { Pull } from '../accounts/pulls.ts';
import type { MessageVersion } from './compile-message.ts';

const SIGNATURE = 64;
const ADDRESS = 32;
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111' as Address;
/** Version 1: version, header, blockhash, counts and config (mask, priority fee, two limits). */
const FRAME_1 = 1 + 3 + 4 + 32 + 2 + 16;
/**
 * Older: signature count, version, header, counts, blockhash, lookups, and the instructions for
 * limit and price.
 */
const FRAME_0 = 1 + 1 + 3 + 1 + 32 + 1 + 1 + (3 + 5) + (3 + 9);
/**
 * Version 1: program, number of accounts, data length in two bytes. Older: the same in three bytes.
 */
const INSTRUCTION_1 = 4;
const INSTRUCTION_0 = 3;
/** One byte per account, then data: discriminator, amount, payer and mint. */
const PULL = 10 + (1 + 8 + 32 + 32);
/** Accounts and discriminator of the instruction that creates a token account. */
const MAKE = 6 + 1;

/** Computes the size of a transaction of pulls without building it. */
export class PackWeight {
  #version: MessageVersion;
  #named: Set<Address>;
  #instructions = 0;

  constructor(collector: Address, version: MessageVersion) {
    this.#version = version;
    this.#named = new Set([collector, ...(version === 1 ? [] : [COMPUTE_BUDGET])]);
  }

  add(pull: Pull): void {
    const { receiver, receiverTokenAccount, receiverIsMissing, mint, tokenProgram } = pull;
    const instruction = this.#version === 1 ? INSTRUCTION_1 : INSTRUCTION_0;
    if (receiverIsMissing && !this.#named.has(receiverTokenAccount)) {
      for (const each of [receiver, SYSTEM_PROGRAM_ADDRESS, ASSOCIATED_TOKEN_PROGRAM_ADDRESS]) {
        this.#named.add(each);
      }
      this.#instructions += instruction + MAKE;
    }
    const shared = [PROGRAM, EVENT_AUTHORITY, pull.plan, receiverTokenAccount, mint, tokenProgram];
    const own = [pull.subscription, pull.authority, pull.payerTokenAccount];
    for (const each of [...shared, ...own]) this.#named.add(each);
    this.#instructions += instruction + PULL;
  }

  get addresses(): number {
    return this.#named.size;
  }

  /** Maximum size, with a priority fee. */
  get bytes(): number {
    const frame = this.#version === 1 ? FRAME_1 : FRAME_0;
    return SIGNATURE + frame + this.#named.size * ADDRESS + this.#instructions;
  }
}
