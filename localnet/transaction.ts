import {
  type Address,
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type ReadonlyUint8Array,
  type Transaction,
} from '@solana/kit';

/** What a wire transaction may weigh, by message version (SIMD-0296 raised it for version 1). */
export const MAX_WIRE_BYTES = { legacy: 1232, 0: 1232, 1: 4096 } as const;
const MAX_ACCOUNTS_V1 = 64;
const MAX_INSTRUCTIONS = 64;
const MAX_SIGNATURES_V1 = 12;
/** Version 1 config: bits 0 and 1 priority fee (both or neither), 2 compute limit, 3 data size limit, 4 heap. */
const KNOWN_CONFIG_BITS = 0b11111;

const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111';
const SIGNATURE_PRECOMPILES = new Set([
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
]);
/** Instructions of these get a 3,000 unit default allowance, all others 200,000 (SIMD-0170). */
const BUILTIN_PROGRAMS = new Set([
  '11111111111111111111111111111111',
  COMPUTE_BUDGET_PROGRAM,
  'Vote111111111111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
  ...SIGNATURE_PRECOMPILES,
]);
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

/** Limits a version 1 message carries itself; null where the message leaves one out. */
export interface TransactionConfig {
  readonly priorityFeeLamports: bigint | null;
  readonly computeUnitLimit: number | null;
  readonly loadedAccountsDataSizeLimit: number | null;
  readonly heapSize: number | null;
}

/** A wire transaction taken apart. Everything in it is in range: indexes point at keys, counts agree. */
export interface ParsedTransaction {
  readonly version: TransactionVersion;
  readonly wire: Uint8Array;
  readonly decoded: Transaction;
  /** Base58, in the order of the signing accounts; one of 64 zero bytes is a missing signature. */
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

/** The bytes are not a transaction. `reason` is worded for the RPC answer. */
export class MalformedTransaction extends Error {
  override name = 'MalformedTransaction';
}

/** The bytes are a transaction, but its parts contradict each other (Agave's SanitizeError). */
export class UnsanitaryTransaction extends Error {
  override name = 'UnsanitaryTransaction';
}

const base58 = getBase58Decoder();
const transactionDecoder = getTransactionDecoder();
const transactionEncoder = getTransactionEncoder();
const messageDecoder = getCompiledTransactionMessageDecoder();
const messageEncoder = getCompiledTransactionMessageEncoder();

/**
 * Takes a wire transaction apart and checks all that a cluster checks before it looks at any account.
 * LiteSVM aborts the whole process on bytes that it cannot read, so nothing reaches it but what passed here.
 *
 * @throws MalformedTransaction where the bytes do not decode, or do not encode back to themselves
 * @throws UnsanitaryTransaction where they do but the parts contradict each other
 */
export function parseTransaction(wire: Uint8Array): ParsedTransaction {
  let decoded: Transaction;
  let message: ReturnType<typeof messageDecoder.decode>;
  try {
    decoded = transactionDecoder.decode(wire);
    message = messageDecoder.decode(decoded.messageBytes);
    const canonical =
      sameBytes(wire, transactionEncoder.encode(decoded)) &&
      sameBytes(decoded.messageBytes, messageEncoder.encode(message));
    if (!canonical) throw new Error('trailing or non-canonical bytes');
  } catch (cause) {
    throw new MalformedTransaction(cause instanceof Error ? cause.message : String(cause), { cause });
  }
  const version = message.version;
  if (version !== 'legacy' && version !== 0 && version !== 1) {
    throw new MalformedTransaction(`unsupported version ${version}`);
  }
  if (wire.length > MAX_WIRE_BYTES[version]) {
    throw new MalformedTransaction(`transaction of ${wire.length} bytes, at most ${MAX_WIRE_BYTES[version]}`);
  }
  const parsed: ParsedTransaction = {
    version,
    wire,
    decoded,
    signatures: Object.values(decoded.signatures).map((bytes) => base58.decode(bytes ?? new Uint8Array(64))),
    header: {
      requiredSignatures: message.header.numSignerAccounts,
      readonlySigned: message.header.numReadonlySignerAccounts,
      readonlyUnsigned: message.header.numReadonlyNonSignerAccounts,
    },
    staticKeys: message.staticAccounts,
    blockhash: message.lifetimeToken,
    instructions: message.version === 1 ? instructionsOfV1(message) : message.instructions.map(instructionOf),
    lookups:
      message.version === 0
        ? (message.addressTableLookups ?? []).map((lookup) => ({
            table: lookup.lookupTableAddress,
            writableIndexes: lookup.writableIndexes,
            readonlyIndexes: lookup.readonlyIndexes,
          }))
        : [],
    config: message.version === 1 ? configOf(message) : null,
  };
  sanitize(parsed);
  return parsed;
}

/** The fee payer pays this whether the transaction succeeds or fails: base fee and priority fee, in lamports. */
export function feeOf(transaction: ParsedTransaction): bigint {
  let signatures = transaction.header.requiredSignatures;
  for (const instruction of transaction.instructions) {
    const program = transaction.staticKeys[instruction.programIndex];
    if (program && SIGNATURE_PRECOMPILES.has(program)) signatures += instruction.data[0] ?? 0;
  }
  return BigInt(signatures) * LAMPORTS_PER_SIGNATURE + priorityFeeOf(transaction);
}

/** True where the message marks the static account as writable; `index` is in the order of `staticKeys`. */
export function isStaticWritable(transaction: ParsedTransaction, index: number): boolean {
  const { requiredSignatures, readonlySigned, readonlyUnsigned } = transaction.header;
  if (index < requiredSignatures) return index < requiredSignatures - readonlySigned;
  return index < transaction.staticKeys.length - readonlyUnsigned;
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
  const wanted = unitLimit ?? defaultLimit;
  const limit = wanted > 1_400_000n ? 1_400_000n : wanted;
  return (limit * microLamportsPerUnit + 999_999n) / 1_000_000n;
}

function sameBytes(a: ReadonlyUint8Array, b: ReadonlyUint8Array): boolean {
  return Buffer.compare(a as Uint8Array, b as Uint8Array) === 0;
}

type DecodedMessage = ReturnType<typeof messageDecoder.decode>;
type DecodedV1 = Extract<DecodedMessage, { version: 1 }>;
type DecodedInstruction = Exclude<DecodedMessage, { version: 1 }>['instructions'][number];

function instructionOf(instruction: DecodedInstruction): CompiledInstruction {
  return {
    programIndex: instruction.programAddressIndex,
    accounts: instruction.accountIndices ?? [],
    data: (instruction.data ?? new Uint8Array()) as Uint8Array,
  };
}

function instructionsOfV1(message: DecodedV1): CompiledInstruction[] {
  return message.instructionHeaders.map((header, index) => {
    const payload = message.instructionPayloads[index];
    return {
      programIndex: header.programAccountIndex,
      accounts: payload?.instructionAccountIndices ?? [],
      data: (payload?.instructionData ?? new Uint8Array()) as Uint8Array,
    };
  });
}

function configOf(message: DecodedV1): TransactionConfig {
  const mask = message.configMask;
  const feeBits = mask & 0b11;
  if ((mask & ~KNOWN_CONFIG_BITS) !== 0 || (feeBits !== 0 && feeBits !== 0b11)) {
    throw new MalformedTransaction('invalid transaction config mask');
  }
  const values = message.configValues.map((entry) => entry.value);
  const take = (bits: number) => ((mask & bits) === bits ? (values.shift() ?? null) : null);
  const fee = take(0b11);
  const numberOrNull = (value: bigint | number | null) => (value === null ? null : Number(value));
  return {
    priorityFeeLamports: fee === null ? null : BigInt(fee),
    computeUnitLimit: numberOrNull(take(0b100)),
    loadedAccountsDataSizeLimit: numberOrNull(take(0b1000)),
    heapSize: numberOrNull(take(0b10000)),
  };
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
