import type { Address } from '@solana/kit';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { TOKEN_2022_PROGRAM } from '../rpc/programs-read.ts';
import type { ChainAccount } from './read-accounts.ts';
import { ACCOUNT_TYPE_AT } from './token-extensions.ts';

const MINT_BYTES = 82;
const MINT_INITIALIZED_AT = 45;
const ACCOUNT_TYPE_MINT = 1;

/** Whether the owner of an account is a token program, so that the account is not a wallet. */
export function isTokenProgram(owner: Address): boolean {
  return owner === TOKEN_PROGRAM_ADDRESS || owner === TOKEN_2022_PROGRAM;
}

/** Whether an account, read with its extensions, is a mint of either token program. */
export function isMint({ owner, data }: Pick<ChainAccount, 'owner' | 'data'>): boolean {
  if (!isTokenProgram(owner) || data[MINT_INITIALIZED_AT] !== 1) return false;
  return (
    data.length === MINT_BYTES ||
    (owner === TOKEN_2022_PROGRAM &&
      data.length > ACCOUNT_TYPE_AT &&
      data[ACCOUNT_TYPE_AT] === ACCOUNT_TYPE_MINT)
  );
}
