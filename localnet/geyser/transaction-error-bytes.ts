import { INSTRUCTION_ERRORS, TRANSACTION_ERRORS, type TransactionError } from '../transaction-error.ts';

/** What stands for an instruction's error that Agave does not have, and what for a transaction's. */
const UNKNOWN_IN_INSTRUCTION = 'GenericError';
const UNKNOWN: TransactionError = { InstructionError: [0, UNKNOWN_IN_INSTRUCTION] };

/**
 * A transaction's error as Agave serializes it (bincode): the variant's position as a little-endian u32, then its
 * fields. That is what `TransactionError.err` holds in Yellowstone's protobuf. An error that Agave does not have, which
 * a newer LiteSVM may bring, is told as a generic one: whoever streams still hears that the transaction failed.
 */
export function transactionErrorBytes(error: TransactionError): Uint8Array {
  const [name, fields] = variantOf(error);
  const position = positionIn(TRANSACTION_ERRORS, name);
  if (position === undefined) return transactionErrorBytes(UNKNOWN);
  const variant = u32(position);
  if (name === 'InstructionError') {
    const [index, cause] = fields as [number, TransactionError];
    return Uint8Array.from([...variant, index, ...instructionErrorBytes(cause)]);
  }
  if (name === 'DuplicateInstruction') return Uint8Array.from([...variant, fields as number]);
  if (fields === undefined) return Uint8Array.from(variant);
  return Uint8Array.from([...variant, (fields as { account_index: number }).account_index]);
}

// BorshIoError lost its text in today's Agave, so the text that LiteSVM still gives is not sent.
function instructionErrorBytes(error: TransactionError): number[] {
  const [name, fields] = variantOf(error);
  const position = positionIn(INSTRUCTION_ERRORS, name);
  if (position === undefined) return instructionErrorBytes(UNKNOWN_IN_INSTRUCTION);
  return name === 'Custom' ? [...u32(position), ...u32(fields as number)] : u32(position);
}

function variantOf(error: TransactionError): [name: string, fields: unknown] {
  return typeof error === 'string' ? [error, undefined] : (Object.entries(error)[0] ?? ['', undefined]);
}

function positionIn(names: readonly string[], name: string): number | undefined {
  const position = names.indexOf(name);
  return position < 0 ? undefined : position;
}

function u32(value: number): number[] {
  return [value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, value >>> 24];
}
