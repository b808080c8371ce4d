import type { Address } from '@solana/kit';
import type { AccountState } from './accounts.ts';
import { addressOf } from './address-bytes.ts';
import type { TokenBalance } from './ledger.ts';

export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address;
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' as Address;
export const TOKEN_ACCOUNT_BYTES = 165;
export const MULTISIG_BYTES = 355;
const MINT_BYTES = 82;
const DECIMALS_OFFSET = 44;
const STATE_OFFSET = 108;
/** Token-2022 writes the kind of an extended account after the fields of a plain token account. */
const ACCOUNT_TYPE_OFFSET = 165;

export function isTokenProgram(program: Address): boolean {
  return program === TOKEN_PROGRAM || program === TOKEN_2022_PROGRAM;
}

export function isTokenAccount({ owner, data }: AccountState): boolean {
  if (owner === TOKEN_PROGRAM) return data.length === TOKEN_ACCOUNT_BYTES;
  if (owner !== TOKEN_2022_PROGRAM) return false;
  return (
    data.length === TOKEN_ACCOUNT_BYTES ||
    (data.length > TOKEN_ACCOUNT_BYTES && data[ACCOUNT_TYPE_OFFSET] === 2)
  );
}

/**
 * The token program's own check, which uses only the data and not the owner: an initialized token
 * account, plain or with extensions.
 */
export function isInitializedTokenAccount(data: Uint8Array): boolean {
  if (!data[STATE_OFFSET]) return false;
  if (data.length === TOKEN_ACCOUNT_BYTES) return true;
  return (
    data.length > TOKEN_ACCOUNT_BYTES && data.length !== MULTISIG_BYTES && data[ACCOUNT_TYPE_OFFSET] === 2
  );
}

export function isMint({ owner, data }: AccountState): boolean {
  if (owner === TOKEN_PROGRAM) return data.length === MINT_BYTES;
  if (owner !== TOKEN_2022_PROGRAM) return false;
  return data.length === MINT_BYTES || (data.length > TOKEN_ACCOUNT_BYTES && data[ACCOUNT_TYPE_OFFSET] === 1);
}

/** The decimals of a mint; 0 if it does not exist. */
export function mintDecimals(mint: AccountState | null): number {
  return mint?.data[DECIMALS_OFFSET] ?? 0;
}

/** The token accounts among a transaction's accounts, in the form of its meta. */
export function tokenBalancesOf(
  keys: readonly Address[],
  accounts: readonly (AccountState | null)[],
  readMint: (address: Address) => AccountState | null,
): TokenBalance[] {
  const balances: TokenBalance[] = [];
  for (const accountIndex of keys.keys()) {
    const account = accounts[accountIndex];
    if (!account || !isTokenAccount(account)) continue;
    const { data, owner: programId } = account;
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    const mint = addressOf(data.subarray(0, 32));
    balances.push({
      accountIndex,
      mint,
      owner: addressOf(data.subarray(32, 64)),
      programId,
      amount: view.getBigUint64(64, true),
      decimals: mintDecimals(readMint(mint)),
    });
  }
  return balances;
}
