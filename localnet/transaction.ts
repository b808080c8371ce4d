import type { Address } from '@solana/kit';
import { encodeBase58 } from '../src/base58/base58.ts';
import { ByteReader } from './byte-reader.ts';

/** Maximum bytes of a wire transaction, by message version (SIMD-0296 raised it for version 1). */
export const MAX_WIRE_BYTES = { legacy: 1232, 0: 1232, 1: 4096 } as const;
const SIGNATURE_BYTES = 64;
/** First byte of a version 0 message, and of a version 1 message, which begins its transaction. */
export const VERSION_0_PREFIX = 0x80;
export const VERSION_1_PREFIX = 0x81;
const MAX_ACCOUNTS_V1 = 64;
const MAX_INSTRUCTIONS = 64;
const MAX_SIGNATURES_V1 = 12;
/**
 * Version 1 config: bits 0 and 1 (both or neither) mean a priority fee, bit 2 a compute unit limit,
 * bit 3 a data size limit and bit 4 a heap size.
 */
const KNOWN_CONFIG_BITS = 0b11111;
const PRIORITY_FEE_BITS = 0b11;

export const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111' as Address;
const SIGNATURE_PRECOMPILES = new Set([
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
]);
/**
 * Instructions of these programs have a default limit of 3,000 units, all others 200,000
 * (SIMD-0170).
 */
const BUILTIN_PROGRAMS = new Set<string>([
  '11111111111111111111111111111111',
  COMPUTE_BUDGET_PROGRAM,
  'Vote111111111111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
  ...SIGNATURE_PRECOMPILES,
]);
const SET_COMPUTE_UNIT_PRICE = 3;
const PRICE_INSTRUCTION_BYTES = 9;
const LAMPORTS_PER_SIGNATURE = 5_000n;

export type TransactionVersion = 'legacy' | 0 | 1;

export interface CompiledInstruction {
  readonly programIndex: number;
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
}

export interface AddressTableLookup {
  readonly table: Address;
  readonly writableIndexes: readonly number[];
  readonly readonlyIndexes: readonly number[];
}

/** Fee and limits in a version 1 message. Null where the message omits one. */
export interface TransactionConfig {
  readonly priorityFeeLamports: bigint | null;
  readonly computeUnitLimit: number | null;
  readonly loadedAccountsDataSizeLimit: number | null;
  readonly heapSize: number | null;
}

/** A parsed wire transaction. All values are in range: indexes point at keys, counts agree. */
export interface ParsedTransaction {
  readonly version: TransactionVersion;
  readonly wire: Uint8Array;
  /** Base58, in the order of the signing accounts; 64 zero bytes mean a missing signature. */
  readonly signatures: readonly string[];
  readonly header: {
    readonly requiredSignatures: number;
    readonly readonlySigned: number;
    readonly readonlyUnsigned: number;
  };
  readonly staticKeys: readonly Address[];
  readonly blockhash: string;
  readonly instructions: readonly CompiledInstruction[];
  readonly lookups: readonly AddressTableLookup[];
  readonly config: TransactionConfig | null;
}

/** The bytes are not a transaction. The message is part of the RPC response. */
export class MalformedTransaction extends Error {
  override name = 'MalformedTransaction';
}

/** The bytes are a transaction, but inconsistent (Agave's SanitizeError). */
export class UnsanitaryTransaction extends Error {
  override name = 'UnsanitaryTransaction';
}

/**
 * Parses a wire transaction and checks everything that a cluster checks before it reads accounts.
 * LiteSVM aborts the process on unreadable bytes, so only parsed transactions may reach it.
 *
 * @throws MalformedTransaction if the bytes are not a transaction, or have trailing bytes
 * @throws UnsanitaryTransaction if the transaction is inconsistent
 */
export function parseTransaction(wire: Uint8Array): ParsedTransaction {
  let parsed: ParsedTransaction;
  try {
    parsed = wire[0] === VERSION_1_PREFIX ? readVersion1(wire) : readLegacyOr0(wire);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new MalformedTransaction(cause.message, { cause });
  }
  const max = MAX_WIRE_BYTES[parsed.version];
  if (wire.length > max) {
    throw new MalformedTransaction(`the transaction has ${wire.length} bytes; at most ${max} are allowed`);
  }
  sanitize(parsed);
  return parsed;
}

/** The fee of a landed transaction, successful or not: base fee and priority fee, in lamports. */
export function feeOf(transaction: ParsedTransaction): bigint {
  let signatures = transaction.header.requiredSignatures;
  for (const instruction of transaction.instructions) {
    const program = transaction.staticKeys[instruction.programIndex];
    if (program && SIGNATURE_PRECOMPILES.has(program)) signatures += instruction.data[0] ?? 0;
  }
  return BigInt(signatures) * LAMPORTS_PER_SIGNATURE + priorityFeeOf(transaction);
}

/**
 * Whether the message marks the static account as writable; `index` is in the order of
 * `staticKeys`.
 */
export function isStaticWritable(transaction: ParsedTransaction, index: number): boolean {
  const { requiredSignatures, readonlySigned, readonlyUnsigned } = transaction.header;
  if (index < requiredSignatures) return index < requiredSignatures - readonlySigned;
  return index < transaction.staticKeys.length - readonlyUnsigned;
}

/** The priority fee that the transaction offers, in micro-lamports per compute unit. */
export function computeUnitPriceOf(transaction: ParsedTransaction): bigint {
  if (transaction.config) {
    const { priorityFeeLamports, computeUnitLimit } = transaction.config;
    return computeUnitLimit ? ((priorityFeeLamports ?? 0n) * 1_000_000n) / BigInt(computeUnitLimit) : 0n;
  }
  for (const { programIndex, data } of transaction.instructions) {
    if (transaction.staticKeys[programIndex] !== COMPUTE_BUDGET_PROGRAM) continue;
    if (data[0] === SET_COMPUTE_UNIT_PRICE && data.length >= PRICE_INSTRUCTION_BYTES) {
      return new ByteReader(data.subarray(1)).u64();
    }
  }
  return 0n;
}

function priorityFeeOf(transaction: ParsedTransaction): bigint {
  if (transaction.config) return transaction.config.priorityFeeLamports ?? 0n;
  let unitLimit: bigint | null = null;
  let microLamportsPerUnit = 0n;
  let defaultLimit = 0n;
  for (const instruction of transaction.instructions) {
    const program = transaction.staticKeys[instruction.programIndex] ?? '';
    const view = new DataView(
      instruction.data.buffer,
      instruction.data.byteOffset,
      instruction.data.byteLength,
    );
    if (program === COMPUTE_BUDGET_PROGRAM && view.byteLength >= 5 && view.getUint8(0) === 2) {
      unitLimit = BigInt(view.getUint32(1, true));
    } else if (program === COMPUTE_BUDGET_PROGRAM && view.byteLength >= 9 && view.getUint8(0) === 3) {
      microLamportsPerUnit = view.getBigUint64(1, true);
    }
    defaultLimit += BUILTIN_PROGRAMS.has(program) ? 3_000n : 200_000n;
  }
  const uncappedLimit = unitLimit ?? defaultLimit;
  const limit = uncappedLimit > 1_400_000n ? 1_400_000n : uncappedLimit;
  return (limit * microLamportsPerUnit + 999_999n) / 1_000_000n;
}

// Signatures come first, then the message. The first byte of a version 0 message marks its version,
// and its lookup tables come last.
function readLegacyOr0(wire: Uint8Array): ParsedTransaction {
  const reader = new ByteReader(wire);
  const signatures = readSignatures(reader, reader.shortU16());
  const first = reader.u8();
  const isLegacy = (first & 0x80) === 0;
  if (!isLegacy && first !== VERSION_0_PREFIX) {
    throw new RangeError(`message version ${first & 0x7f} is not supported`);
  }
  const requiredSignatures = isLegacy ? first : reader.u8();
  const header = { requiredSignatures, readonlySigned: reader.u8(), readonlyUnsigned: reader.u8() };
  const staticKeys = readKeys(reader, reader.shortU16());
  const blockhash: string = reader.address();
  const instructions = reader.list(reader.shortU16(), () => ({
    programIndex: reader.u8(),
    accounts: [...reader.bytes(reader.shortU16())],
    data: reader.bytes(reader.shortU16()),
  }));
  const lookups = isLegacy ? [] : reader.list(reader.shortU16(), () => readLookup(reader));
  refuseTrailingBytes(reader);
  const version = isLegacy ? 'legacy' : 0;
  return { version, wire, signatures, header, staticKeys, blockhash, instructions, lookups, config: null };
}

// SIMD-0385: counts and limits first, then keys, values of the limits, all instruction headers, all
// their contents, and the signatures last.
function readVersion1(wire: Uint8Array): ParsedTransaction {
  const reader = new ByteReader(wire, 1);
  const header = {
    requiredSignatures: reader.u8(),
    readonlySigned: reader.u8(),
    readonlyUnsigned: reader.u8(),
  };
  const mask = reader.u32();
  const blockhash: string = reader.address();
  const instructionCount = reader.u8();
  const staticKeys = readKeys(reader, reader.u8());
  const config = readConfig(reader, mask);
  const headers = reader.list(instructionCount, () => ({
    programIndex: reader.u8(),
    accountCount: reader.u8(),
    dataLength: reader.u16(),
  }));
  const instructions = headers.map(({ programIndex, accountCount, dataLength }) => ({
    programIndex,
    accounts: [...reader.bytes(accountCount)],
    data: reader.bytes(dataLength),
  }));
  const signatures = readSignatures(reader, header.requiredSignatures);
  refuseTrailingBytes(reader);
  return { version: 1, wire, signatures, header, staticKeys, blockhash, instructions, lookups: [], config };
}

function readConfig(reader: ByteReader, mask: number): TransactionConfig {
  const feeBits = mask & PRIORITY_FEE_BITS;
  if ((mask & ~KNOWN_CONFIG_BITS) !== 0 || (feeBits !== 0 && feeBits !== PRIORITY_FEE_BITS)) {
    throw new RangeError('invalid transaction config mask');
  }
  return {
    priorityFeeLamports: feeBits ? reader.u64() : null,
    computeUnitLimit: mask & 0b100 ? reader.u32() : null,
    loadedAccountsDataSizeLimit: mask & 0b1000 ? reader.u32() : null,
    heapSize: mask & 0b10000 ? reader.u32() : null,
  };
}

function readLookup(reader: ByteReader): AddressTableLookup {
  return {
    table: reader.address(),
    writableIndexes: [...reader.bytes(reader.shortU16())],
    readonlyIndexes: [...reader.bytes(reader.shortU16())],
  };
}

function readSignatures(reader: ByteReader, count: number): string[] {
  return reader.list(count, () => encodeBase58(reader.bytes(SIGNATURE_BYTES)));
}

function readKeys(reader: ByteReader, count: number): Address[] {
  return reader.list(count, () => reader.address());
}

function refuseTrailingBytes(reader: ByteReader): void {
  if (reader.remaining > 0) throw new RangeError(`${reader.remaining} bytes are left over`);
}

function sanitize(transaction: ParsedTransaction): void {
  const { header, staticKeys, signatures, lookups, instructions, version } = transaction;
  const refuse = (reason: string): never => {
    throw new UnsanitaryTransaction(reason);
  };
  const loaded = lookups.reduce((n, l) => n + l.writableIndexes.length + l.readonlyIndexes.length, 0);
  const keys = staticKeys.length + loaded;
  if (header.requiredSignatures === 0 || signatures.length !== header.requiredSignatures) {
    refuse('the signatures do not match the signing accounts');
  }
  if (header.readonlySigned >= header.requiredSignatures) refuse('the fee payer must be writable');
  if (header.requiredSignatures + header.readonlyUnsigned > staticKeys.length) {
    refuse('the header counts more accounts than the message has');
  }
  if (keys > 256) refuse('more than 256 accounts');
  if (new Set(staticKeys).size !== staticKeys.length) refuse('an account is named twice');
  if (lookups.some((l) => l.writableIndexes.length + l.readonlyIndexes.length === 0)) {
    refuse('an address table lookup loads nothing');
  }
  if (instructions.length > MAX_INSTRUCTIONS) refuse(`more than ${MAX_INSTRUCTIONS} instructions`);
  if (version === 1) {
    if (staticKeys.length > MAX_ACCOUNTS_V1) refuse(`more than ${MAX_ACCOUNTS_V1} accounts`);
    if (signatures.length > MAX_SIGNATURES_V1) refuse(`more than ${MAX_SIGNATURES_V1} signatures`);
  }
  for (const { programIndex, accounts } of instructions) {
    if (programIndex === 0 || programIndex >= staticKeys.length) refuse('a program index is out of range');
    if (accounts.some((index) => index >= keys)) refuse('an account index is out of range');
  }
}
