import { INSTRUCTION_ERRORS, TRANSACTION_ERRORS, type TransactionError } from '../transaction-error.ts';

/** Placeholders for instruction and transaction errors that Agave does not have. */
const UNKNOWN_INSTRUCTION_ERROR = 'GenericError';
const UNKNOWN_ERROR: TransactionError = { InstructionError: [0, UNKNOWN_INSTRUCTION_ERROR] };

/**
 * A transaction error as Agave serialises it (bincode): the variant's index as a little-endian u32,
 * then its fields. `TransactionError.err` in Yellowstone's protobuf holds these bytes. An error
 * that Agave does not have, which a newer LiteSVM may return, becomes a generic one, so that
 * clients still see that the transaction failed.
 */
export function transactionErrorBytes(error: TransactionError): Uint8Array {
  const [name, fields] = variantOf(error);
  const position = positionIn(TRANSACTION_ERRORS, name);
  if (position === undefined) return transactionErrorBytes(UNKNOWN_ERROR);
  const variant = u32(position);
  if (name === 'InstructionError') {
    const [index, cause] = fields as [number, TransactionError];
    return Uint8Array.from([...variant, index, ...instructionErrorBytes(cause)]);
  }
  if (name === 'DuplicateInstruction') return Uint8Array.from([...variant, fields as number]);
  if (fields === undefined) return Uint8Array.from(variant);
  return Uint8Array.from([...variant, (fields as { account_index: number }).account_index]);
}

// Agave's BorshIoError no longer has a text, so LiteSVM's text is dropped.
function instructionErrorBytes(error: TransactionError): number[] {
  const [name, fields] = variantOf(error);
  const position = positionIn(INSTRUCTION_ERRORS, name);
  if (position === undefined) return instructionErrorBytes(UNKNOWN_INSTRUCTION_ERROR);
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
