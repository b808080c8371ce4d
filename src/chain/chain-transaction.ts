import type { Address, ReadonlyUint8Array, Signature } from '@solana/kit';
import { decodeBase58 } from '../../base58/base58.ts';
import type { Chain } from './chain.ts';
import { type TransactionFailure, toTransactionFailure } from './transaction-failure.ts';

/** What one `getSignaturesForAddress` answers at most. */
const SIGNATURES_A_CALL = 1_000;

/** One call of a program, made by the transaction itself or by another program. */
export interface ChainInstruction {
  readonly program: Address;
  readonly accounts: readonly Address[];
  readonly data: ReadonlyUint8Array;
  /** Its place among all inner instructions of the transaction; `null` where the transaction itself makes the call. */
  readonly innerIndex: number | null;
}

/** A transaction on chain, the same whether RPC or Yellowstone told of it. */
export interface ChainTransaction {
  readonly signature: Signature;
  readonly slot: bigint;
  /** Unix seconds; `null` where the source does not tell. */
  readonly blockTime: bigint | null;
  readonly err: TransactionFailure | null;
  /** What its payer paid, whether it failed or not. */
  readonly feeLamports: bigint;
  /** Static ones, then those from lookup tables: writable, readonly. */
  readonly accountKeys: readonly Address[];
  /** Each one that the transaction makes, with the inner ones that came of it right behind. */
  readonly instructions: readonly ChainInstruction[];
  readonly logs: readonly string[];
}

/** Instructions as both sources have them: programs and accounts by their place among the account keys. */
export interface CompiledInstruction {
  readonly programIdIndex: number;
  readonly accounts: ArrayLike<number>;
  readonly data: ReadonlyUint8Array;
}

/** Puts inner instructions behind the outer one they came of, and names programs and accounts. */
export function joinInstructions(
  accountKeys: readonly Address[],
  outer: readonly CompiledInstruction[],
  inner: readonly { readonly index: number; readonly instructions: readonly CompiledInstruction[] }[],
): ChainInstruction[] {
  const keyAt = (index: number): Address => {
    const key = accountKeys[index];
    if (!key) throw new Error(`An instruction names account ${index} of ${accountKeys.length}`);
    return key;
  };
  const named = ({ programIdIndex, accounts, data }: CompiledInstruction, innerIndex: number | null) => ({
    program: keyAt(programIdIndex),
    accounts: Array.from(accounts, keyAt),
    data,
    innerIndex,
  });
  let innerIndex = 0;
  return outer.flatMap((instruction, index) => [
    named(instruction, null),
    ...inner
      .filter((group) => group.index === index)
      .flatMap((group) => group.instructions.map((each) => named(each, innerIndex++))),
  ]);
}

/** What `getTransaction` answers; numbers may be bigint, as kit leaves them. */
type RpcTransaction = NonNullable<Awaited<ReturnType<typeof fetchTransaction>>>;

export function fromRpc(
  signature: Signature,
  { slot, blockTime, meta, transaction }: RpcTransaction,
): ChainTransaction {
  if (!meta) throw new Error(`The cluster has no record of what transaction ${signature} did`);
  const { message } = transaction;
  const loaded = meta.loadedAddresses;
  const accountKeys = [...message.accountKeys, ...(loaded?.writable ?? []), ...(loaded?.readonly ?? [])];
  const compiled = (each: (typeof message.instructions)[number]): CompiledInstruction => ({
    programIdIndex: Number(each.programIdIndex),
    accounts: each.accounts.map(Number),
    data: decodeBase58(each.data),
  });
  const inner = (meta.innerInstructions ?? []).map(({ index, instructions }) => ({
    index: Number(index),
    instructions: instructions.map(compiled),
  }));
  return {
    signature,
    slot,
    blockTime,
    err: toTransactionFailure(meta.err),
    feeLamports: BigInt(meta.fee),
    accountKeys,
    instructions: joinInstructions(accountKeys, message.instructions.map(compiled), inner),
    logs: meta.logMessages ?? [],
  };
}

/** The transaction at 'confirmed'; `undefined` where the node does not have it. */
export async function readTransaction(
  chain: Chain,
  signature: Signature,
): Promise<ChainTransaction | undefined> {
  const transaction = await fetchTransaction(chain, signature);
  return transaction ? fromRpc(signature, transaction) : undefined;
}

function fetchTransaction({ rpc }: Chain, signature: Signature) {
  // Whoever does not say that it can read version 1 gets an error instead of the transaction.
  const config = { commitment: 'confirmed', encoding: 'json', maxSupportedTransactionVersion: 1 } as const;
  return rpc.getTransaction(signature, config).send();
}

export interface SignatureInfo {
  readonly signature: Signature;
  readonly slot: bigint;
  readonly failed: boolean;
}

/**
 * The confirmed transactions that mention the address, newest first: all that came after `until`, or the newest
 * `limit`. As many as `limit` means that there may be more.
 */
export async function signaturesFor(
  chain: Chain,
  address: Address,
  options: { until?: Signature; limit?: number } = {},
): Promise<SignatureInfo[]> {
  const found: SignatureInfo[] = [];
  for await (const page of signaturePages(chain, address, options)) found.push(...page);
  return found;
}

/** The same a page at a time, for histories that are longer than anyone wants in memory. */
export async function* signaturePages(
  { rpc }: Chain,
  address: Address,
  { until, limit = Number.POSITIVE_INFINITY }: { until?: Signature; limit?: number } = {},
): AsyncGenerator<readonly SignatureInfo[]> {
  let before: Signature | undefined;
  for (let left = limit; left > 0; ) {
    const wanted = Math.min(SIGNATURES_A_CALL, left);
    const page = await rpc
      .getSignaturesForAddress(address, {
        commitment: 'confirmed',
        limit: wanted,
        ...(until && { until }),
        ...(before && { before }),
      })
      .send();
    yield page.map(({ signature, slot, err }) => ({ signature, slot, failed: err !== null }));
    if (page.length < wanted) return;
    before = page.at(-1)?.signature;
    left -= page.length;
  }
}
