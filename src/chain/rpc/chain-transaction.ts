import type { Address, ReadonlyUint8Array, Signature } from '@solana/kit';
import { decodeBase58 } from '../../base58/base58.ts';
import type { Chain } from '../chain.ts';
import { callAsOf, NodeBehind } from './as-of.ts';
import { PROGRAMS_READ, PROGRAMS_READ_IF_LONG } from './programs-read.ts';
import { type TransactionFailure, toTransactionFailure } from './transaction-failure.ts';

/** Maximum signatures per `getSignaturesForAddress` call. */
export const SIGNATURES_PER_CALL = 1_000;

/** Bytes of an instruction's data that are kept. Every field that dues reads is within them. */
export const MAX_DATA_BYTES = 1_024;
/** Maximum digits of so many bytes in base 58. A longer text has more bytes, or is not base 58. */
const MAX_DATA_DIGITS = Math.ceil((MAX_DATA_BYTES * Math.log(256)) / Math.log(58));
const NO_DATA: ReadonlyUint8Array = new Uint8Array(0);

/** A call of a program, by the transaction itself or by another program. */
export interface ChainInstruction {
  readonly program: Address;
  readonly accounts: readonly Address[];
  /**
   * At most the first `MAX_DATA_BYTES`. Empty for a program that dues does not read, and for longer
   * data of a program that dues reads only if it is short. The RPC's text is decoded when the data
   * is first read.
   */
  readonly data: ReadonlyUint8Array;
  /** Index among all inner instructions of the transaction; `null` for an outer instruction. */
  readonly innerIndex: number | null;
}

/** A transaction on chain, in the same form from RPC and from Yellowstone. */
export interface ChainTransaction {
  readonly signature: Signature;
  readonly slot: bigint;
  /** Unix seconds; `null` if the source does not report it. */
  readonly blockTime: bigint | null;
  readonly err: TransactionFailure | null;
  /** The fee that was paid, with or without an error. */
  readonly feeLamports: bigint;
  /** Static accounts, then those from lookup tables: writable, then readonly. */
  readonly accountKeys: readonly Address[];
  /** Each outer instruction, followed by its inner ones. */
  readonly instructions: readonly ChainInstruction[];
  readonly logs: readonly string[];
}

/** An instruction in the form of both sources: program and accounts are indexes of account keys. */
export interface CompiledInstruction {
  readonly programIdIndex: number;
  readonly accounts: ArrayLike<number>;
  /** Whether the data is longer than `MAX_DATA_BYTES`, as far as that is known undecoded. */
  readonly isLong: boolean;
  /** Decodes the data, at most the first `MAX_DATA_BYTES`. */
  readonly readData: () => ReadonlyUint8Array;
}

/** Inserts inner instructions after their outer instruction and replaces indexes by addresses. */
export function joinInstructions(
  accountKeys: readonly Address[],
  outer: readonly CompiledInstruction[],
  inner: readonly { readonly index: number; readonly instructions: readonly CompiledInstruction[] }[],
): ChainInstruction[] {
  const keyAt = (index: number): Address => {
    const key = accountKeys[index];
    if (!key) throw new Error(`An instruction names account ${index}, but there are ${accountKeys.length}`);
    return key;
  };
  const resolve = (
    { programIdIndex, accounts, isLong, readData }: CompiledInstruction,
    innerIndex: number | null,
  ): ChainInstruction => {
    const program = keyAt(programIdIndex);
    const isRead = isLong ? PROGRAMS_READ_IF_LONG.has(program) : PROGRAMS_READ.has(program);
    let data: ReadonlyUint8Array | undefined;
    return {
      program,
      accounts: Array.from(accounts, keyAt),
      get data() {
        data ??= isRead ? readData() : NO_DATA;
        return data;
      },
      innerIndex,
    };
  };
  let innerIndex = 0;
  return outer.flatMap((instruction, index) => [
    resolve(instruction, null),
    ...inner
      .filter((group) => group.index === index)
      .flatMap((group) => group.instructions.map((each) => resolve(each, innerIndex++))),
  ]);
}

/** The result of `getTransaction`. kit returns some numbers as bigint. */
type RpcTransaction = NonNullable<Awaited<ReturnType<typeof fetchTransaction>>>;

export function fromRpc(
  signature: Signature,
  { slot, blockTime, meta, transaction }: RpcTransaction,
): ChainTransaction {
  if (!meta) throw new Error(`The cluster has no metadata of transaction ${signature}`);
  const { message } = transaction;
  const loaded = meta.loadedAddresses;
  const accountKeys = [...message.accountKeys, ...(loaded?.writable ?? []), ...(loaded?.readonly ?? [])];
  const toCompiled = (each: (typeof message.instructions)[number]): CompiledInstruction => ({
    programIdIndex: Number(each.programIdIndex),
    accounts: each.accounts.map(Number),
    isLong: each.data.length > MAX_DATA_DIGITS,
    readData: () => decodeBase58(each.data).slice(0, MAX_DATA_BYTES),
  });
  const inner = (meta.innerInstructions ?? []).map(({ index, instructions }) => ({
    index: Number(index),
    instructions: instructions.map(toCompiled),
  }));
  return {
    signature,
    slot,
    blockTime,
    err: toTransactionFailure(meta.err),
    feeLamports: BigInt(meta.fee),
    accountKeys,
    instructions: joinInstructions(accountKeys, message.instructions.map(toCompiled), inner),
    logs: meta.logMessages ?? [],
  };
}

/**
 * Reads a transaction at 'confirmed' or 'finalized'; `undefined` if the node does not have it. The
 * RPC method has no minimum slot, so a missing transaction proves nothing.
 */
export async function readTransaction(
  chain: Pick<Chain, 'rpc'>,
  signature: Signature,
  commitment: 'confirmed' | 'finalized' = 'confirmed',
): Promise<ChainTransaction | undefined> {
  const transaction = await fetchTransaction(chain, signature, commitment);
  return transaction ? fromRpc(signature, transaction) : undefined;
}

function fetchTransaction(
  { rpc }: Pick<Chain, 'rpc'>,
  signature: Signature,
  commitment: 'confirmed' | 'finalized',
) {
  // Without `maxSupportedTransactionVersion` the node refuses to return a version 1 transaction.
  const config = { commitment, encoding: 'json', maxSupportedTransactionVersion: 1 } as const;
  return rpc.getTransaction(signature, config).send();
}

export interface SignatureInfo {
  readonly signature: Signature;
  readonly slot: bigint;
  readonly failed: boolean;
  /** Time of its block in unix seconds; null if the node does not report it. */
  readonly at: bigint | null;
}

/**
 * The confirmed transactions that name an address, newest first: those after `until`, at most
 * `limit`. If exactly `limit` are returned, there may be more. The list is complete up to the
 * chain's `minSlot`, as far as the node has indexed them.
 *
 * @throws NodeBehind
 */
export async function signaturesFor(
  chain: Chain,
  address: Address,
  options: { until?: Signature; limit?: number } = {},
): Promise<SignatureInfo[]> {
  const found: SignatureInfo[] = [];
  for await (const page of signaturePages(chain, address, options)) for (const info of page) found.push(info);
  return found;
}

/**
 * The same in pages, for histories that do not fit in memory. A node that lacks the transaction
 * `before` lists nothing, without an error. Each page therefore begins again with the last
 * transaction of the previous page.
 *
 * @param firstLimit maximum size of the first page, if most histories are short
 * @throws NodeBehind also if a page was listed by a node that lacks the previous page
 */
export async function* signaturePages(
  chain: Chain,
  address: Address,
  {
    until,
    limit = Number.POSITIVE_INFINITY,
    firstLimit = SIGNATURES_PER_CALL,
  }: { until?: Signature; limit?: number; firstLimit?: number } = {},
): AsyncGenerator<readonly SignatureInfo[]> {
  let previous: readonly SignatureInfo[] = [];
  for (let remaining = limit; remaining > 0; ) {
    const [beforeLast, last] = previous.slice(-2);
    const pageLimit = last
      ? Math.min(SIGNATURES_PER_CALL, remaining + 1)
      : Math.min(firstLimit, SIGNATURES_PER_CALL, remaining);
    const before = last && beforeLast?.signature;
    const page = await listSignatures(chain, address, { until, before, limit: pageLimit });
    const isListed = new Set(previous.map(({ signature }) => signature));
    if (last && !page.some(({ signature }) => signature === last.signature)) {
      throw new NodeBehind(`The RPC node lacks the transaction ${last.signature}, which was listed before`);
    }
    const fresh = page.filter(({ signature }) => !isListed.has(signature));
    yield fresh;
    if (page.length < pageLimit) return;
    previous = fresh.length > 1 ? fresh : [...previous.slice(-1), ...fresh];
    remaining -= fresh.length;
  }
}

/** Lists one page, newest first. */
export async function listSignatures(
  chain: Chain,
  address: Address,
  { until, before, limit }: { until?: Signature | undefined; before?: Signature | undefined; limit: number },
): Promise<readonly SignatureInfo[]> {
  const page = await callAsOf(chain, (config) =>
    chain.rpc
      .getSignaturesForAddress(address, {
        commitment: 'confirmed',
        limit,
        ...(until && { until }),
        ...(before && { before }),
        ...config,
      })
      .send(),
  );
  return page.map(({ signature, slot, err, blockTime }) => ({
    signature,
    slot,
    failed: err !== null,
    at: blockTime,
  }));
}
