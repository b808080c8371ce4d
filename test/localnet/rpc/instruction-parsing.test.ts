import type { Address } from '@solana/kit';
import {
  AuthorityType,
  createApproveCheckedInstruction,
  createApproveInstruction,
  createAssociatedTokenAccountIdempotentInstruction,
  createBurnCheckedInstruction,
  createBurnInstruction,
  createCloseAccountInstruction,
  createFreezeAccountInstruction,
  createInitializeAccount3Instruction,
  createInitializeAccountInstruction,
  createInitializeMint2Instruction,
  createInitializeMintInstruction,
  createMintToCheckedInstruction,
  createMintToInstruction,
  createRevokeInstruction,
  createSetAuthorityInstruction,
  createSyncNativeInstruction,
  createThawAccountInstruction,
  createTransferCheckedInstruction,
  createTransferInstruction,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import { Keypair, type PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { parseInstruction } from '../../../localnet/rpc/instruction-parsing.ts';

const [A, B, C, D] = Array.from({ length: 4 }, () => Keypair.generate().publicKey) as [
  PublicKey,
  PublicKey,
  PublicKey,
  PublicKey,
];
const [a, b, c, d] = [A, B, C, D].map((key) => key.toBase58());
const RENT = 'SysvarRent111111111111111111111111111111111';
const SYSTEM = SystemProgram.programId.toBase58();
const TOKEN = TOKEN_PROGRAM_ID.toBase58();
const tokenAmount = { amount: '1500', decimals: 2, uiAmount: 15, uiAmountString: '15' };

/** Parses an instruction as the only one of a message. */
function parse({ programId, keys, data }: TransactionInstruction): object {
  const accountKeys = [programId, ...keys.map(({ pubkey }) => pubkey)].map(
    (key) => key.toBase58() as Address,
  );
  return parseInstruction(
    { programIndex: 0, accounts: keys.map((_, index) => index + 1), data },
    accountKeys,
  );
}

describe('an instruction is returned parsed', () => {
  it.each([
    [
      'transfer',
      createTransferInstruction(A, B, C, 5n),
      { source: a, destination: b, amount: '5', authority: c },
    ],
    [
      'transfer',
      createTransferInstruction(A, B, C, 5n, [D]),
      { source: a, destination: b, amount: '5', multisigAuthority: c, signers: [d] },
    ],
    [
      'transferChecked',
      createTransferCheckedInstruction(A, B, C, D, 1500n, 2),
      { source: a, mint: b, destination: c, authority: d, tokenAmount },
    ],
    ['approve', createApproveInstruction(A, B, C, 5n), { source: a, delegate: b, owner: c, amount: '5' }],
    [
      'approveChecked',
      createApproveCheckedInstruction(A, B, C, D, 1500n, 2),
      { source: a, mint: b, delegate: c, owner: d, tokenAmount },
    ],
    ['revoke', createRevokeInstruction(A, B), { source: a, owner: b }],
    ['mintTo', createMintToInstruction(A, B, C, 5n), { mint: a, account: b, mintAuthority: c, amount: '5' }],
    [
      'mintToChecked',
      createMintToCheckedInstruction(A, B, C, 1500n, 2),
      { mint: a, account: b, mintAuthority: c, tokenAmount },
    ],
    ['burn', createBurnInstruction(A, B, C, 5n), { account: a, mint: b, authority: c, amount: '5' }],
    [
      'burnChecked',
      createBurnCheckedInstruction(A, B, C, 1500n, 2),
      { account: a, mint: b, authority: c, tokenAmount },
    ],
    ['closeAccount', createCloseAccountInstruction(A, B, C), { account: a, destination: b, owner: c }],
    ['freezeAccount', createFreezeAccountInstruction(A, B, C), { account: a, mint: b, freezeAuthority: c }],
    ['thawAccount', createThawAccountInstruction(A, B, C), { account: a, mint: b, freezeAuthority: c }],
    ['syncNative', createSyncNativeInstruction(A), { account: a }],
    [
      'setAuthority',
      createSetAuthorityInstruction(A, B, AuthorityType.AccountOwner, C),
      { account: a, authority: b, authorityType: 'accountOwner', newAuthority: c },
    ],
    [
      'setAuthority',
      createSetAuthorityInstruction(A, B, AuthorityType.MintTokens, null),
      { mint: a, authority: b, authorityType: 'mintTokens', newAuthority: null },
    ],
    [
      'initializeMint',
      createInitializeMintInstruction(A, 6, B, C),
      { mint: a, decimals: 6, mintAuthority: b, freezeAuthority: c, rentSysvar: RENT },
    ],
    [
      'initializeMint2',
      createInitializeMint2Instruction(A, 6, B, null),
      { mint: a, decimals: 6, mintAuthority: b },
    ],
    [
      'initializeAccount',
      createInitializeAccountInstruction(A, B, C),
      { account: a, mint: b, owner: c, rentSysvar: RENT },
    ],
    ['initializeAccount3', createInitializeAccount3Instruction(A, B, C), { account: a, mint: b, owner: c }],
  ])('of the token program: %s', (type, instruction, info) => {
    expect(parse(instruction)).toEqual({ program: 'spl-token', programId: TOKEN, parsed: { type, info } });
  });

  it.each([
    [
      'transfer',
      SystemProgram.transfer({ fromPubkey: A, toPubkey: B, lamports: 5 }),
      { source: a, destination: b, lamports: 5n },
    ],
    [
      'createAccount',
      SystemProgram.createAccount({
        fromPubkey: A,
        newAccountPubkey: B,
        lamports: 5,
        space: 6,
        programId: C,
      }),
      { source: a, newAccount: b, lamports: 5n, space: 6n, owner: c },
    ],
    ['assign', SystemProgram.assign({ accountPubkey: A, programId: B }), { account: a, owner: b }],
    ['allocate', SystemProgram.allocate({ accountPubkey: A, space: 6 }), { account: a, space: 6n }],
  ])('of the system program: %s', (type, instruction, info) => {
    expect(parse(instruction)).toEqual({ program: 'system', programId: SYSTEM, parsed: { type, info } });
  });

  it('of the associated token program', () => {
    const create = createAssociatedTokenAccountIdempotentInstruction(A, B, C, D);
    expect(parse(create)).toMatchObject({
      program: 'spl-associated-token-account',
      parsed: {
        type: 'createIdempotent',
        info: { source: a, account: b, wallet: c, mint: d, systemProgram: SYSTEM, tokenProgram: TOKEN },
      },
    });
  });
});

describe('an instruction is returned unparsed', () => {
  const unparsed = { programId: TOKEN, accounts: expect.any(Array), data: expect.any(String) };

  it.each([
    ['has no data', { data: Buffer.alloc(0) }],
    ['is of an unknown kind', { data: Buffer.of(200) }],
    ['ends too early', { data: Buffer.of(3, 1, 2) }],
    ['has too few accounts', { keys: [] }],
    ['sets an authority of an unknown kind', { data: Buffer.of(6, 99, 0) }],
  ])('if it %s', (_, change) => {
    expect(parse({ ...createTransferInstruction(A, B, C, 5n), ...change })).toEqual(unparsed);
  });

  it('if its program is unknown', () => {
    const programId = Keypair.generate().publicKey;
    expect(parse({ ...createTransferInstruction(A, B, C, 5n), programId })).toEqual({
      programId: programId.toBase58(),
      accounts: [a, b, c],
      data: expect.any(String),
    });
  });
});
