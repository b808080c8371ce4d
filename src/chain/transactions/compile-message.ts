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

// A compiler for our own messages. kit compiles any message and encodes every address several
// times, which takes longer than the rest of a collection. Our messages have one signer, which
// pays, and no lookup tables.

/** A message version. */
export type MessageVersion = 1 | 0 | 'legacy';

/** The limits of a version 1 message, which replace compute-budget instructions. */
export interface MessageLimits {
  readonly computeUnitLimit: number;
  readonly loadedAccountsDataSizeLimit: number;
  readonly priorityFeeLamports: bigint;
}

export interface Message {
  readonly version: MessageVersion;
  /** Pays and is the only signer. */
  readonly payer: Address;
  readonly blockhash: Blockhash;
  readonly instructions: readonly Instruction[];
  /** Only used by a version 1 message. */
  readonly limits: MessageLimits;
}

/** The bits that announce the limits of a version 1 message; the fee takes two bits. */
const FEE_BITS = 0b11;
const LIMITS_BITS = 0b1100;

/** The bytes of a message, which are signed. */
export function compileMessage(message: Message): Uint8Array<ArrayBuffer> {
  const accounts = orderedAccounts(message);
  const places = new Map(accounts.map(({ address }, place) => [address, place]));
  const readonly = accounts.filter(({ role }) => !isWritableRole(role)).length;
  const calls = message.instructions.map(({ programAddress, accounts: named = [], data = [] }) => ({
    program: places.get(programAddress) ?? 0,
    accounts: named.map(({ address }) => places.get(address) ?? 0),
    data,
  }));
  const out = new ByteWriter();
  // SIMD-0385 puts counts and limits first, and the headers of all instructions before their
  // contents.
  if (message.version === 1) {
    const { priorityFeeLamports, computeUnitLimit, loadedAccountsDataSizeLimit } = message.limits;
    out.bytes([0x81, 1, 0, readonly]);
    out.u32(priorityFeeLamports > 0n ? FEE_BITS | LIMITS_BITS : LIMITS_BITS);
    out.key(message.blockhash);
    out.bytes([calls.length, accounts.length]);
    for (const { address } of accounts) out.key(address);
    if (priorityFeeLamports > 0n) out.u64(priorityFeeLamports);
    out.u32(computeUnitLimit);
    out.u32(loadedAccountsDataSizeLimit);
    for (const call of calls) {
      out.bytes([call.program, call.accounts.length]);
      out.u16(call.data.length);
    }
    for (const call of calls) {
      out.bytes(call.accounts);
      out.bytes(call.data);
    }
    return out.toBytes();
  }
  if (message.version === 0) out.u8(0x80);
  out.bytes([1, 0, readonly]);
  out.compactU16(accounts.length);
  for (const { address } of accounts) out.key(address);
  out.key(message.blockhash);
  out.compactU16(calls.length);
  for (const call of calls) {
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

/** A simulation needs no valid signature, only its bytes. */
const NO_SIGNATURE = new Uint8Array(64);

/** The bytes of a transaction; in version 1 the signature comes last. */
export function wireOf(
  version: MessageVersion,
  message: ArrayLike<number>,
  signature: ArrayLike<number> = NO_SIGNATURE,
): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter();
  if (version !== 1) {
    out.u8(1);
    out.bytes(signature);
  }
  out.bytes(message);
  if (version === 1) out.bytes(signature);
  return out.toBytes();
}

interface NamedAccount {
  readonly address: Address;
  readonly role: AccountRole;
}

/** Each account once: the payer, then writable, then readonly accounts. */
function orderedAccounts({ payer, instructions }: Message): NamedAccount[] {
  const roles = new Map<Address, AccountRole>([[payer, AccountRole.WRITABLE_SIGNER]]);
  const name = ({ address, role }: NamedAccount) => {
    const before = roles.get(address);
    roles.set(address, before === undefined ? role : mergeRoles(before, role));
  };
  for (const { programAddress, accounts = [] } of instructions) {
    for (const account of accounts) {
      if (isSignerRole(account.role) && account.address !== payer) {
        throw new Error(`${account.address} must sign, and only ${payer} can`);
      }
      name(account);
    }
    name({ address: programAddress, role: AccountRole.READONLY });
  }
  const all = [...roles].map(([address, role]): NamedAccount => ({ address, role }));
  return [
    ...all.filter(({ role }) => isWritableRole(role)),
    ...all.filter(({ role }) => !isWritableRole(role)),
  ];
}
