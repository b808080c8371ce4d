import {
  AccountRole,
  type Address,
  type Blockhash,
  type Instruction,
  isSignerRole,
  isWritableRole,
  mergeRoles,
} from '@solana/kit';
import { ByteWriter } from './byte-writer.ts';

// A compiler for our own messages, which have no lookup tables. kit can compile any message, but
// encodes every address several times, which takes longer than everything else in a collection.

/** A message version. */
export type MessageVersion = 1 | 0 | 'legacy';

/** The limits in a version 1 message. They replace compute-budget instructions. */
export interface MessageLimits {
  readonly computeUnitLimit: number;
  readonly loadedAccountsDataSizeLimit: number;
  readonly priorityFeeLamports: bigint;
}

export interface Message {
  readonly version: MessageVersion;
  /** The fee payer, which signs first. The instructions name the other signers. */
  readonly payer: Address;
  readonly blockhash: Blockhash;
  readonly instructions: readonly Instruction[];
  /** Only used by a version 1 message. */
  readonly limits: MessageLimits;
}

/** The bits of a version 1 message that say which limits it contains; the fee has two bits. */
const FEE_BITS = 0b11;
const LIMITS_BITS = 0b1100;

/** Compiles a message to the bytes that are signed. */
export function compileMessage(message: Message): Uint8Array<ArrayBuffer> {
  const accounts = orderedAccounts(message);
  const indexes = new Map(accounts.map(({ address }, index) => [address, index]));
  const header = headerOf(accounts);
  const compiled = message.instructions.map(({ programAddress, accounts: metas = [], data = [] }) => ({
    program: indexes.get(programAddress) ?? 0,
    accounts: metas.map(({ address }) => indexes.get(address) ?? 0),
    data,
  }));
  const out = new ByteWriter();
  // SIMD-0385 puts counts and limits first, and the headers of all instructions before their
  // contents.
  if (message.version === 1) {
    const { priorityFeeLamports, computeUnitLimit, loadedAccountsDataSizeLimit } = message.limits;
    out.bytes([0x81, ...header]);
    out.u32(priorityFeeLamports > 0n ? FEE_BITS | LIMITS_BITS : LIMITS_BITS);
    out.key(message.blockhash);
    out.bytes([compiled.length, accounts.length]);
    for (const { address } of accounts) out.key(address);
    if (priorityFeeLamports > 0n) out.u64(priorityFeeLamports);
    out.u32(computeUnitLimit);
    out.u32(loadedAccountsDataSizeLimit);
    for (const call of compiled) {
      out.bytes([call.program, call.accounts.length]);
      out.u16(call.data.length);
    }
    for (const call of compiled) {
      out.bytes(call.accounts);
      out.bytes(call.data);
    }
    return out.toBytes();
  }
  if (message.version === 0) out.u8(0x80);
  out.bytes(header);
  out.compactU16(accounts.length);
  for (const { address } of accounts) out.key(address);
  out.key(message.blockhash);
  out.compactU16(compiled.length);
  for (const call of compiled) {
    out.u8(call.program);
    out.compactU16(call.accounts.length);
    out.bytes(call.accounts);
    out.compactU16(call.data.length);
    out.bytes(call.data);
  }
  // No lookup tables.
  if (message.version === 0) out.u8(0);
  return out.toBytes();
}

/** The counts of the signers, of the readonly ones among them, and of the other readonly accounts. */
function headerOf(accounts: readonly NamedAccount[]): [number, number, number] {
  const signers = accounts.filter(({ role }) => isSignerRole(role));
  const readonlySigners = signers.filter(({ role }) => !isWritableRole(role)).length;
  const readonly = accounts.filter(({ role }) => !isWritableRole(role)).length;
  return [signers.length, readonlySigners, readonly - readonlySigners];
}

/** Placeholders for simulations, which do not verify signatures. */
export function noSignatures(count: number): Uint8Array[] {
  return Array.from({ length: count }, () => new Uint8Array(64));
}

/** The bytes of a transaction. In version 1 the signatures come last, otherwise first. */
export function wireOf(
  version: MessageVersion,
  message: ArrayLike<number>,
  signatures: readonly ArrayLike<number>[],
): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter();
  if (version !== 1) {
    out.compactU16(signatures.length);
    for (const signature of signatures) out.bytes(signature);
  }
  out.bytes(message);
  if (version === 1) for (const signature of signatures) out.bytes(signature);
  return out.toBytes();
}

interface NamedAccount {
  readonly address: Address;
  readonly role: AccountRole;
}

/**
 * The accounts, each once: the payer, then the other signers, then the rest; in both groups the
 * writable ones come first.
 */
function orderedAccounts({ payer, instructions }: Message): NamedAccount[] {
  const roles = new Map<Address, AccountRole>([[payer, AccountRole.WRITABLE_SIGNER]]);
  const addAccount = ({ address, role }: NamedAccount) => {
    const known = roles.get(address);
    roles.set(address, known === undefined ? role : mergeRoles(known, role));
  };
  for (const { programAddress, accounts = [] } of instructions) {
    for (const account of accounts) addAccount(account);
    addAccount({ address: programAddress, role: AccountRole.READONLY });
  }
  const merged = [...roles].map(([address, role]): NamedAccount => ({ address, role }));
  return [
    AccountRole.WRITABLE_SIGNER,
    AccountRole.READONLY_SIGNER,
    AccountRole.WRITABLE,
    AccountRole.READONLY,
  ].flatMap((wanted) => merged.filter(({ role }) => role === wanted));
}
