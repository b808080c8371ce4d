import { Transaction } from '@solana/web3.js';
import { getTransferSolInstruction } from '@solana-program/system';
import { describe, expect, it } from 'vitest';
import { signedTransaction, signedTransfer } from '../../support/wallet.ts';
import {
  base64,
  NOTHING_RAN,
  newAddress,
  ONE_SOL,
  overdraft,
  startWorld,
  type World,
  withBadSignature,
} from './world.ts';

describe('simulateTransaction', () => {
  const simulate = ({ ask }: World, wire: Uint8Array, config: object = {}) =>
    ask<{ value: Record<string, unknown> }>('simulateTransaction', base64(wire), {
      encoding: 'base64',
      commitment: 'confirmed',
      ...config,
    });

  it('tells what a transaction would do, and changes nothing', async () => {
    const world = await startWorld();
    const { network, payer } = world;
    const receiver = await newAddress();
    const wire = await signedTransfer(network, payer, receiver, ONE_SOL);
    expect(await simulate(world, wire)).toEqual({
      context: { slot: network.slot('confirmed'), apiVersion: expect.any(String) },
      value: {
        err: null,
        logs: expect.arrayContaining(['Program 11111111111111111111111111111111 success']),
        accounts: null,
        unitsConsumed: 150,
        loadedAccountsDataSize: expect.any(Number),
        returnData: null,
        innerInstructions: null,
        replacementBlockhash: null,
        fee: 5000,
        preBalances: [1e11, 0, 1],
        postBalances: [98_999_995_000, 1e9, 1],
        preTokenBalances: [],
        postTokenBalances: [],
        loadedAddresses: { writable: [], readonly: [] },
      },
    });
    expect(network.getAccount(receiver, 'processed')).toBeNull();
  });

  it('shows accounts as they would be', async () => {
    const world = await startWorld();
    const receiver = await newAddress();
    const nobody = await newAddress();
    const wire = await signedTransfer(world.network, world.payer, receiver, ONE_SOL);
    const accounts = { encoding: 'base64', addresses: [receiver, nobody] };
    expect((await simulate(world, wire, { accounts })).value.accounts).toEqual([
      expect.objectContaining({ lamports: 1e9, data: ['', 'base64'] }),
      null,
    ]);
    expect((await simulate(world, await overdraft(world), { accounts })).value.accounts).toEqual([
      null,
      null,
    ]);
  });

  it('can replace the blockhash', async () => {
    const world = await startWorld();
    const { network, payer } = world;
    const transfer = getTransferSolInstruction({
      source: payer,
      destination: await newAddress(),
      amount: ONE_SOL,
    });
    const wire = await signedTransaction(payer, [transfer], { blockhash: payer.address });
    expect((await simulate(world, wire)).value).toMatchObject({ ...NOTHING_RAN, err: 'BlockhashNotFound' });
    expect((await simulate(world, wire, { replaceRecentBlockhash: true })).value).toMatchObject({
      err: null,
      replacementBlockhash: network.latestBlockhash('confirmed'),
    });
  });

  it('looks at signatures only where it is asked to', async () => {
    const world = await startWorld();
    const { network, payer, refusal } = world;
    const wire = withBadSignature(await signedTransfer(network, payer, await newAddress(), ONE_SOL));
    expect((await simulate(world, wire)).value.err).toBeNull();
    const config = { encoding: 'base64', commitment: 'confirmed', sigVerify: true };
    expect(await refusal('simulateTransaction', base64(wire), config)).toMatchObject({ code: -32003 });
    expect(
      await refusal('simulateTransaction', base64(wire), { ...config, replaceRecentBlockhash: true }),
    ).toEqual({ code: -32602, message: 'sigVerify may not be used with replaceRecentBlockhash' });
  });

  it('tells inner instructions where they are wanted', async () => {
    const world = await startWorld();
    const payer = world.fundedKeypair();
    const { createMint, createAssociatedTokenAccountInstruction, getAssociatedTokenAddressSync } =
      await import('@solana/spl-token');
    const mint = await createMint(world.web3, payer, payer.publicKey, null, 0);
    const account = getAssociatedTokenAddressSync(mint, payer.publicKey);
    const create = createAssociatedTokenAccountInstruction(payer.publicKey, account, payer.publicKey, mint);
    const transaction = new Transaction({
      ...(await world.web3.getLatestBlockhash()),
      feePayer: payer.publicKey,
    });
    transaction.add(create).sign(payer);
    const { value } = await simulate(world, transaction.serialize(), { innerInstructions: true });
    expect(value.err).toBeNull();
    const [inner] = value.innerInstructions as {
      index: number;
      instructions: { parsed?: { type: string } }[];
    }[];
    expect(inner?.index).toBe(0);
    expect(inner?.instructions.map(({ parsed }) => parsed?.type)).toContain('initializeAccount3');
  });

  it.each([
    ['base58', { encoding: 'base58', addresses: [] }, 'base58 encoding not supported'],
    [
      'more accounts than the transaction has',
      { addresses: Array.from({ length: 4 }, () => '11111111111111111111111111111111') },
      'Too many accounts provided; max 3',
    ],
    ['an address that is none', { addresses: ['foo'] }, 'Invalid param: WrongSize'],
  ])('refuses to show %s', async (_, accounts, message) => {
    const { network, payer, refusal } = await startWorld();
    const wire = await signedTransfer(network, payer, await newAddress(), ONE_SOL);
    const config = { encoding: 'base64', commitment: 'confirmed', accounts };
    expect(await refusal('simulateTransaction', base64(wire), config)).toEqual({ code: -32602, message });
  });
});
