/** Random changes of calls, and of accounts into states that no transaction produces. */
import type { Address } from '@solana/kit';
import { SUBSCRIPTIONS_PROGRAM } from '../../../localnet/genesis.ts';
import type { Random } from '../../../tools/random.ts';
import { type Call, type Meta, meta } from './call.ts';
import type { KnownAccounts } from './known-accounts.ts';
import type { Machines } from './machines.ts';
import { extremeNumber, isOneIn } from './numbers.ts';
import type { State } from './state.ts';

const MANY_ACCOUNTS = 140;
const TLV_START = 166;

/** Returns the call with one random change. */
export function mutateCall(random: Random, known: KnownAccounts, call: Call, now: bigint): Call {
  const accounts = [...call.accounts];
  const index = random.below(Math.max(accounts.length, 1));
  const account = accounts[index] ?? meta(anyAddress(random, known));
  const replaceAccount = (changed: Meta): Call => ({
    ...call,
    accounts: accounts.with(Math.min(index, accounts.length - 1), changed),
  });
  if (accounts.length === 0) return { ...call, accounts: [account] };
  switch (random.below(9)) {
    case 0:
    case 1:
      return replaceAccount({ ...account, address: anyAddress(random, known) });
    case 2:
      return replaceAccount({ ...account, address: random.pick(accounts).address });
    case 3:
      return replaceAccount({ ...account, signer: !account.signer });
    case 4:
      return replaceAccount({ ...account, writable: !account.writable });
    case 5:
      return { ...call, accounts: accounts.slice(0, -1) };
    case 6:
      return { ...call, accounts: [...accounts, ...extraAccounts(random, known)] };
    default:
      return { ...call, data: mutateData(random, call.data, now) };
  }
}

function extraAccounts(random: Random, known: KnownAccounts): Meta[] {
  const count = isOneIn(random, 20) ? MANY_ACCOUNTS : 1 + random.below(3);
  const candidates = Array.from({ length: 3 }, () =>
    meta(anyAddress(random, known), random.pick(['', '', 'w', 's', 'sw'] as const)),
  );
  return Array.from({ length: count }, () => random.pick(candidates));
}

function mutateData(random: Random, data: Uint8Array, now: bigint): Uint8Array {
  const changed = Buffer.from(data);
  switch (random.below(4)) {
    case 0:
      return changed.subarray(0, random.below(changed.length + 1));
    case 1:
      return Buffer.concat([changed, Buffer.alloc(1 + random.below(8))]);
    case 2:
      changed[random.below(changed.length)] = random.below(256);
      return changed;
    default:
      if (changed.length < 9) return changed;
      changed.writeBigUInt64LE(
        BigInt.asUintN(64, extremeNumber(random, now)),
        1 + random.below(changed.length - 8),
      );
      return changed;
  }
}

/** Writes one account into a state that no transaction produces. Returns its address. */
export function tamper(
  random: Random,
  machines: Machines,
  known: KnownAccounts,
  state: State,
  now: bigint,
): Address {
  const existing = state.of();
  const address =
    existing.length > 0 && !isOneIn(random, 3) ? random.pick(existing).address : random.pick(known.accounts);
  const account = machines.read(address);
  if (!account) return address;
  const data = Buffer.from(account.data);
  const write = (change: Partial<typeof account>) => {
    const changed = { ...account, ...change };
    const lamports = change.lamports ?? maxOf(account.lamports, machines.rentFor(changed.data.length));
    machines.write(address, { ...changed, lamports });
  };
  switch (random.below(8)) {
    case 0:
      write({ owner: random.pick([...known.programs.slice(0, 3), SUBSCRIPTIONS_PROGRAM]) });
      break;
    case 1:
      write({ lamports: random.pick([1n, 890_880n, 2_000_000n, 5_000_000n]) });
      break;
    case 2:
      write({ data: data.subarray(0, random.below(data.length + 1)) });
      break;
    case 3:
      write({ data: Buffer.concat([data, Buffer.alloc(1 + random.below(60))]) });
      break;
    case 4:
      if (data.length > TLV_START) data[TLV_START + random.below(data.length - TLV_START)] = random.below(80);
      else if (data.length > 0) data[0] = random.below(6);
      write({ data });
      break;
    case 5:
      if (data.length > 0) data[random.below(data.length)] = random.below(256);
      write({ data });
      break;
    default:
      writeNumber(random, data, now);
      write({ data });
  }
  return address;
}

/** Offsets of numbers in token accounts and in the program's accounts, which its rules read. */
const NUMBER_OFFSETS = [64, 75, 83, 91, 98, 99, 107, 115, 123, 131, 139, 147, 171, 179, 187, 195, 203];

function writeNumber(random: Random, data: Buffer, now: bigint): void {
  const offset = random.pick(NUMBER_OFFSETS);
  if (offset + 8 <= data.length)
    data.writeBigUInt64LE(BigInt.asUintN(64, extremeNumber(random, now)), offset);
}

function anyAddress(random: Random, { accounts, programs, wallets }: KnownAccounts): Address {
  return random.pick(random.pick([accounts, accounts, programs, wallets]));
}

function maxOf(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
