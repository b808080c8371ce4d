/**
 * The initial state of every episode: wallets with lamports, mints, and token accounts with tokens.
 */
import type { Address } from '@solana/kit';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { packed } from '../program/packed-bytes.ts';
import { type KnownAccounts, type KnownTokenAccount, type Mint, SYSTEM_PROGRAM } from './known-accounts.ts';
import type { Machines } from './machines.ts';
import { NOOP_PROGRAM } from './noop-program.ts';

const LAMPORTS = 10_000_000_000n;
const FEES = 1_000_000_000_000_000n;
const TOKENS = 20_000n;
const BASE_BYTES = 165;
const [MINT_TYPE, ACCOUNT_TYPE] = [1, 2];
const EXTENSIONS = {
  transferFee: 1,
  transferFeeAmount: 2,
  closeAuthority: 3,
  permanentDelegate: 12,
  hook: 14,
  hookAccount: 15,
};

export function writeInitialState(machines: Machines, known: KnownAccounts): void {
  for (const address of known.accounts) machines.erase(address);
  for (const wallet of known.wallets) write(machines, wallet, SYSTEM_PROGRAM, new Uint8Array(), LAMPORTS);
  write(machines, known.feePayer, SYSTEM_PROGRAM, new Uint8Array(), FEES);
  for (const mint of known.mints) write(machines, mint.address, mint.program, mintBytes(mint, known));
  for (const tokenAccount of [...known.tokenAccounts, ...known.sideTokenAccounts]) {
    write(machines, tokenAccount.address, tokenAccount.mint.program, tokenAccountBytes(tokenAccount));
  }
}

function write(machines: Machines, address: Address, owner: Address, data: Uint8Array, lamports?: bigint) {
  machines.write(address, {
    lamports: lamports ?? machines.rentFor(data.length),
    owner,
    data,
    executable: false,
  });
}

function mintBytes({ kind }: Mint, { wallets }: KnownAccounts): Uint8Array {
  const mintAuthority = wallets[0] as Address;
  const base = packed(option(mintAuthority), 1_000_000n, 6, 1, option(mintAuthority));
  if (kind === 'token' || kind === 'token-2022') return base;
  const noFee = packed(...Array.from({ length: 2 }, () => packed(0n, 0n, 0, 0)));
  const hook = kind === 'hooked' ? NOOP_PROGRAM : SYSTEM_PROGRAM;
  return extended(base, MINT_TYPE, [
    [EXTENSIONS.transferFee, packed(mintAuthority, mintAuthority, 0n, noFee)],
    [EXTENSIONS.closeAuthority, packed(mintAuthority)],
    [EXTENSIONS.permanentDelegate, packed(mintAuthority)],
    [EXTENSIONS.hook, packed(mintAuthority, hook)],
  ]);
}

function tokenAccountBytes({ wallet, mint }: KnownTokenAccount): Uint8Array {
  const none = new Uint8Array(36);
  const base = packed(mint.address, wallet, TOKENS, none, 1, new Uint8Array(12), 0n, none);
  if (mint.program === TOKEN_PROGRAM_ADDRESS || mint.kind === 'token-2022') return base;
  return extended(base, ACCOUNT_TYPE, [
    [EXTENSIONS.transferFeeAmount, packed(0n)],
    [EXTENSIONS.hookAccount, packed(0)],
  ]);
}

function option(address: Address): Uint8Array {
  return packed(Uint8Array.of(1, 0, 0, 0), address);
}

/**
 * A Token-2022 account: the fields, padded to the length of a token account, the kind of the
 * account, and then type, length and value of each extension.
 */
function extended(base: Uint8Array, type: number, extensions: [number, Uint8Array][]): Uint8Array {
  const lists = extensions.map(([number, value]) =>
    packed(Uint8Array.of(number, 0, value.length & 0xff, value.length >> 8), value),
  );
  return packed(base, new Uint8Array(BASE_BYTES - base.length), type, ...lists);
}
