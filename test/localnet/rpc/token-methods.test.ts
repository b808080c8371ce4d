import type { Address } from '@solana/kit';
import {
  AuthorityType,
  approve,
  createMint,
  createMultisig,
  ExtensionType,
  freezeAccount,
  getAccount,
  getAssociatedTokenAddressSync,
  getMint,
  getOrCreateAssociatedTokenAccount,
  mintTo,
  setAuthority,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
  transfer,
} from '@solana/spl-token';
import { Keypair, PublicKey } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { finalizeAll, startWorld, type World } from './world.ts';

const DECIMALS = 6;

/** A world with a mint and one owner of 1.5 tokens, created by spl-token. */
async function startTokenWorld(program = TOKEN_PROGRAM_ID) {
  const world = await startWorld();
  const { web3 } = world;
  const owner = world.fundedKeypair();
  const mint = await createMint(
    web3,
    owner,
    owner.publicKey,
    owner.publicKey,
    DECIMALS,
    undefined,
    undefined,
    program,
  );
  const { address: account } = await getOrCreateAssociatedTokenAccount(
    web3,
    owner,
    mint,
    owner.publicKey,
    false,
    'confirmed',
    undefined,
    program,
  );
  await mintTo(web3, owner, mint, account, owner, 1_500_000n, [], undefined, program);
  return { ...world, owner, mint, account };
}

async function readParsed({ ask }: Pick<World, 'ask'>, account: PublicKey): Promise<unknown> {
  const config = { encoding: 'jsonParsed', commitment: 'processed' };
  const { value } = await ask<{ value: { data: unknown } }>('getAccountInfo', account.toBase58(), config);
  return value.data;
}

describe('token accounts that spl-token created', () => {
  it('can be used and read by it', async () => {
    const { web3, owner, mint, account } = await startTokenWorld();
    const friend = Keypair.generate().publicKey;
    const { address: friendAccount } = await getOrCreateAssociatedTokenAccount(web3, owner, mint, friend);
    await transfer(web3, owner, account, friendAccount, owner, 400_000n);
    expect((await getAccount(web3, account)).amount).toBe(1_100_000n);
    expect((await getAccount(web3, friendAccount)).amount).toBe(400_000n);
    expect(await getMint(web3, mint)).toMatchObject({ supply: 1_500_000n, decimals: DECIMALS });
  });

  it('are returned parsed', async () => {
    const world = await startTokenWorld();
    const { owner, mint, account } = world;
    expect(await readParsed(world, account)).toEqual({
      program: 'spl-token',
      parsed: {
        type: 'account',
        info: {
          mint: mint.toBase58(),
          owner: owner.publicKey.toBase58(),
          tokenAmount: { uiAmount: 1.5, decimals: DECIMALS, amount: '1500000', uiAmountString: '1.5' },
          state: 'initialized',
          isNative: false,
        },
      },
      space: 165,
    });
    expect(await readParsed(world, mint)).toEqual({
      program: 'spl-token',
      parsed: {
        type: 'mint',
        info: {
          mintAuthority: owner.publicKey.toBase58(),
          supply: '1500000',
          decimals: DECIMALS,
          isInitialized: true,
          freezeAuthority: owner.publicKey.toBase58(),
        },
      },
      space: 82,
    });
  });

  it('contain the delegate, the close authority and the frozen state if they have them', async () => {
    const world = await startTokenWorld();
    const { web3, owner, mint, account } = world;
    const delegate = Keypair.generate().publicKey;
    await approve(web3, owner, account, delegate, owner, 250_000n);
    await setAuthority(web3, owner, account, owner, AuthorityType.CloseAccount, delegate);
    await freezeAccount(web3, owner, account, mint, owner);
    expect(await readParsed(world, account)).toMatchObject({
      parsed: {
        info: {
          state: 'frozen',
          delegate: delegate.toBase58(),
          delegatedAmount: { amount: '250000', decimals: DECIMALS, uiAmount: 0.25, uiAmountString: '0.25' },
          closeAuthority: delegate.toBase58(),
        },
      },
    });
  });

  it('of Token-2022 contain their extensions', async () => {
    const world = await startTokenWorld(TOKEN_2022_PROGRAM_ID);
    expect(ExtensionType.ImmutableOwner).toBe(7);
    expect(await readParsed(world, world.account)).toMatchObject({
      program: 'spl-token-2022',
      parsed: { type: 'account', info: { extensions: [{ extension: 'immutableOwner' }] } },
      space: 170,
    });
  });

  it('may be owned by a multisig, which is returned with its signers', async () => {
    const world = await startTokenWorld();
    const signers = [Keypair.generate().publicKey, Keypair.generate().publicKey];
    const multisig = await createMultisig(world.web3, world.owner, signers, 2);
    expect(await readParsed(world, multisig)).toEqual({
      program: 'spl-token',
      parsed: {
        type: 'multisig',
        info: {
          numRequiredSigners: 2,
          numValidSigners: 2,
          isInitialized: true,
          signers: signers.map((signer) => signer.toBase58()),
        },
      },
      space: 355,
    });
  });
});

describe('balances of tokens', () => {
  it('are returned with their decimals', async () => {
    const { network, ask, account, mint, web3 } = await startTokenWorld();
    const expected = { uiAmount: 1.5, decimals: DECIMALS, amount: '1500000', uiAmountString: '1.5' };
    finalizeAll(network);
    expect(await ask('getTokenAccountBalance', account.toBase58())).toEqual({
      context: { slot: network.slot('finalized'), apiVersion: expect.any(String) },
      value: expected,
    });
    expect(await ask('getTokenSupply', mint.toBase58())).toMatchObject({ value: expected });
    expect((await web3.getTokenLargestAccounts(mint)).value).toMatchObject([
      { address: account, amount: '1500000' },
    ]);
  });

  it('are returned only for token accounts and mints', async () => {
    const { network, refusal, mint, owner } = await startTokenWorld();
    finalizeAll(network);
    const missing = Keypair.generate().publicKey.toBase58();
    const readRefusal = async (method: string, account: string) => (await refusal(method, account)).message;
    expect(await readRefusal('getTokenAccountBalance', missing)).toBe(
      'Invalid param: could not find account',
    );
    expect(await readRefusal('getTokenAccountBalance', mint.toBase58())).toBe(
      'Invalid param: not a Token account',
    );
    expect(await readRefusal('getTokenSupply', owner.publicKey.toBase58())).toBe(
      'Invalid param: not a Token mint',
    );
    expect(await readRefusal('getTokenLargestAccounts', missing)).toBe('Invalid param: could not find mint');
  });
});

describe('token accounts of an owner', () => {
  it('are found by owner and mint, or owner and program', async () => {
    const { web3, owner, mint, account } = await startTokenWorld();
    const other = await createMint(web3, owner, owner.publicKey, null, 0);
    const { address: second } = await getOrCreateAssociatedTokenAccount(web3, owner, other, owner.publicKey);
    const byMint = await web3.getParsedTokenAccountsByOwner(owner.publicKey, { mint });
    expect(byMint.value).toMatchObject([
      { pubkey: account, account: { data: { parsed: { info: { tokenAmount: { amount: '1500000' } } } } } },
    ]);
    const byProgram = await web3.getTokenAccountsByOwner(owner.publicKey, { programId: TOKEN_PROGRAM_ID });
    const addresses = byProgram.value.map(({ pubkey }) => pubkey.toBase58());
    expect(addresses.sort()).toEqual([account.toBase58(), second.toBase58()].sort());
  });

  it('are found by delegate', async () => {
    const { web3, kit, owner, mint, account } = await startTokenWorld();
    const delegate = Keypair.generate().publicKey;
    await approve(web3, owner, account, delegate, owner, 1n);
    const { value } = await kit
      .getTokenAccountsByDelegate(
        delegate.toBase58() as Address,
        { mint: mint.toBase58() as Address },
        { encoding: 'jsonParsed' },
      )
      .send();
    expect(value.map(({ pubkey }) => pubkey)).toEqual([account.toBase58()]);
  });

  it('are an empty list if the owner has none', async () => {
    const { web3, mint } = await startTokenWorld();
    const { value } = await web3.getTokenAccountsByOwner(Keypair.generate().publicKey, { mint });
    expect(value).toEqual([]);
    expect(getAssociatedTokenAddressSync(mint, Keypair.generate().publicKey)).toBeInstanceOf(PublicKey);
  });

  it('can be listed only by mint or token program', async () => {
    const { network, refusal, owner } = await startTokenWorld();
    finalizeAll(network);
    const wallet = owner.publicKey.toBase58();
    const readRefusal = async (filter: object) =>
      (await refusal('getTokenAccountsByOwner', wallet, filter, { encoding: 'base64' })).message;
    expect(await readRefusal({ mint: wallet })).toBe('Invalid param: not a Token mint');
    expect(await readRefusal({ programId: wallet })).toBe('Invalid param: unrecognized Token program id');
    expect(await readRefusal({})).toBe('Invalid params: expected one of `mint`, `programId`.');
  });
});
