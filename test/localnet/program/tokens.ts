/** Mints and token accounts that the token programs create. */
import { type Address, type Instruction, lamports } from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMint2Instruction,
  getMintToInstruction,
  getTokenDecoder,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token';
import { packed } from './packed-bytes.ts';
import { person, type World } from './world.ts';

export { TOKEN_PROGRAM_ADDRESS };
export const TOKEN_2022_PROGRAM_ADDRESS = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' as Address;

const PLAIN_MINT_SIZE = 82n;
/**
 * The fields of a mint, padded to the length of a token account, the kind of the account, and one
 * extension of 32 bytes with its header.
 */
const EXTENDED_MINT_SIZE = 165n + 1n + 4n + 32n;
const INITIALIZE_MINT_CLOSE_AUTHORITY = 25;

export type TokenKind = 'token' | 'token-2022' | 'token-2022 with an extension';

export type Mint = { address: Address; tokenProgram: Address };

export async function createMint(world: World, kind: TokenKind = 'token', name = 'money'): Promise<Mint> {
  const [authority, payer] = [await person('mint authority'), await person('mint payer')];
  const mint = await person(`mint of ${kind} ${name}`);
  const programAddress = kind === 'token' ? TOKEN_PROGRAM_ADDRESS : TOKEN_2022_PROGRAM_ADDRESS;
  const extended = kind === 'token-2022 with an extension';
  const space = extended ? EXTENDED_MINT_SIZE : PLAIN_MINT_SIZE;
  world.fund(payer.address);
  const closeAuthority: Instruction = {
    programAddress,
    accounts: [{ address: mint.address, role: 1 }],
    data: packed(INITIALIZE_MINT_CLOSE_AUTHORITY, 1, authority.address),
  };
  await world.land([
    getCreateAccountInstruction({
      payer,
      newAccount: mint,
      lamports: lamports(world.svm.minimumBalanceForRentExemption(space)),
      space,
      programAddress,
    }),
    ...(extended ? [closeAuthority] : []),
    getInitializeMint2Instruction(
      {
        mint: mint.address,
        decimals: 6,
        mintAuthority: authority.address,
        freezeAuthority: authority.address,
      },
      { programAddress },
    ),
  ]);
  return { address: mint.address, tokenProgram: programAddress };
}

export async function findTokenAccount(owner: Address, mint: Mint): Promise<Address> {
  const [address] = await findAssociatedTokenPda({
    owner,
    mint: mint.address,
    tokenProgram: mint.tokenProgram,
  });
  return address;
}

/** Creates the owner's associated token account with tokens. */
export async function openTokenAccount(
  world: World,
  owner: Address,
  mint: Mint,
  amount = 0n,
): Promise<Address> {
  const [authority, payer] = [await person('mint authority'), await person('mint payer')];
  const token = await findTokenAccount(owner, mint);
  const config = { programAddress: mint.tokenProgram };
  await world.land([
    getCreateAssociatedTokenIdempotentInstruction({
      payer,
      ata: token,
      owner,
      mint: mint.address,
      tokenProgram: mint.tokenProgram,
    }),
    getMintToInstruction({ mint: mint.address, token, mintAuthority: authority, amount }, config),
  ]);
  return token;
}

/** Decodes a token account and ignores extensions after the base layout. */
export function tokenState(world: World, address: Address) {
  return getTokenDecoder().decode(world.data(address));
}
