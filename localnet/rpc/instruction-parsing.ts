import type { Address } from '@solana/kit';
import { encodeBase58 } from '../../src/base58/base58.ts';
import { SYSTEM_PROGRAM } from '../accounts.ts';
import { ByteReader } from '../byte-reader.ts';
import type { InnerInstruction } from '../ledger.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../token.ts';
import type { CompiledInstruction } from '../transaction.ts';
import { isMemoProgram, memoText } from './memo.ts';
import type { InstructionInput, ParsedInstruction } from './parsed-instruction.ts';
import { parseTokenInstruction } from './token-instruction-parsing.ts';

const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL' as Address;

/**
 * An instruction in the form of `jsonParsed`: parsed if it belongs to the system, token, associated
 * token or memo program; otherwise accounts by address and data in base58.
 */
export function parseInstruction(
  instruction: CompiledInstruction | InnerInstruction,
  accountKeys: readonly Address[],
): object {
  const programId = accountKeys[instruction.programIndex] as Address;
  const accounts = instruction.accounts.map((index) => accountKeys[index] as Address);
  const account = (position: number) => {
    const found = accounts[position];
    if (!found) throw new RangeError(`the instruction has no account ${position}`);
    return found;
  };
  const parsed = parse(programId, { data: instruction.data, accounts, account });
  return parsed
    ? { program: parsed.program, programId, parsed: parsed.parsed }
    : { programId, accounts, data: encodeBase58(instruction.data) };
}

function parse(programId: Address, input: InstructionInput): { program: string; parsed: unknown } | null {
  try {
    const result = parseByProgram(programId, input);
    return result?.parsed ? result : null;
  } catch (error) {
    // An instruction with too few accounts or too little data is shown unparsed. The program has
    // refused it.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function parseByProgram(
  programId: Address,
  input: InstructionInput,
): { program: string; parsed: unknown } | null {
  if (isMemoProgram(programId)) return { program: 'spl-memo', parsed: memoText(input.data) };
  switch (programId) {
    case SYSTEM_PROGRAM:
      return { program: 'system', parsed: parseSystemInstruction(input) };
    case TOKEN_PROGRAM:
    case TOKEN_2022_PROGRAM:
      return { program: 'spl-token', parsed: parseTokenInstruction(input) };
    case ASSOCIATED_TOKEN_PROGRAM:
      return { program: 'spl-associated-token-account', parsed: parseAssociatedToken(input) };
    default:
      return null;
  }
}

function parseSystemInstruction({ data, account }: InstructionInput): ParsedInstruction | null {
  const fields = new ByteReader(data);
  switch (fields.u32()) {
    case 0:
      return {
        type: 'createAccount',
        info: {
          source: account(0),
          newAccount: account(1),
          lamports: fields.u64(),
          space: fields.u64(),
          owner: fields.address(),
        },
      };
    case 1:
      return { type: 'assign', info: { account: account(0), owner: fields.address() } };
    case 2:
      return {
        type: 'transfer',
        info: { source: account(0), destination: account(1), lamports: fields.u64() },
      };
    case 8:
      return { type: 'allocate', info: { account: account(0), space: fields.u64() } };
    default:
      return null;
  }
}

function parseAssociatedToken({ data, account }: InstructionInput): ParsedInstruction | null {
  const kind = data[0] ?? 0;
  if (kind > 1) return null;
  return {
    type: kind === 0 ? 'create' : 'createIdempotent',
    info: {
      source: account(0),
      account: account(1),
      wallet: account(2),
      mint: account(3),
      systemProgram: account(4),
      tokenProgram: account(5),
    },
  };
}
